%% Shapes and what is known of them, without a single spec.
-module(shapes).
-export([area/1, larger/2, total/1, describe/1, double/1]).

-record(square, {side = 1}).

area({circle, R}) -> 3.14159 * R * R;
area(#square{side = Side}) -> Side * Side;
area({rectangle, W, H}) when W > 0, H > 0 -> W * H.

larger(A, B) ->
    case compare(area(A), area(B)) of
        less -> B;
        more -> A
    end.

compare(X, Y) when X < Y -> less;
compare(_, _) -> more.

total(Shapes) -> sum(Shapes, 0).

sum([], Sum) -> Sum;
sum([Shape | Shapes], Sum) -> sum(Shapes, Sum + area(Shape)).

describe(Shape) -> atom_to_list(element(1, Shape)) ++ " of " ++ float_to_list(area(Shape) / 1).

double(#square{} = Square) -> Square#square{side = 2 * Square#square.side};
double(Shape) -> error({not_a_square, Shape}).
