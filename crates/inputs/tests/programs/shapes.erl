-module(shapes).
%% Records of shapes.
-export([main/1]).
-record(circle, {r :: number()}).
-record(rect, {w :: number(), h :: number(), tags = [] :: [atom()]}).
-record(poly, {points = [] :: [{integer(), integer()}]}).
-spec main(#circle{} | #rect{} | #poly{}) -> term().
main(#circle{r = 0}) -> point;
main(#circle{r = R}) when R < 0 -> {error, negative};
main(#circle{r = R}) when is_float(R), R > 1.0e6 -> planet;
main(#circle{}) -> circle;
main(#rect{w = W, h = W, tags = [unit | _]}) when W =:= 1 -> unit_square;
main(#rect{w = W, h = W}) -> square;
main(#rect{w = 0}) -> line;
main(#rect{tags = [a, b, c | _]}) -> well_tagged;
main(#rect{}) -> rect;
main(#poly{points = [P, _, _, P | _]}) -> closed_triangle;
main(#poly{points = Ps}) when length(Ps) > 6 -> many;
main(#poly{points = [{X, X} | _]}) -> diagonal;
main(#poly{}) -> poly.
