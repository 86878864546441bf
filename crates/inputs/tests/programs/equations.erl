-module(equations).
%% Solutions of A*X*X + B*X + C = 0.
-export([main/3]).
-spec main(integer(), integer(), integer()) -> term().
main(0, 0, 0) -> all;
main(0, 0, _) -> none;
main(0, B, C) when C rem B =:= 0 -> {whole, -C div B};
main(0, _, _) -> one;
main(A, B, C) ->
    case B * B - 4 * A * C of
        D when D < 0 -> none;
        0 -> double;
        D ->
            case root(D) of
                {ok, R} when (R - B) rem (2 * A) =:= 0 -> {whole, two};
                {ok, _} -> rational;
                no -> irrational
            end
    end.

root(D) -> root(D, 1).
root(D, R) when R * R =:= D -> {ok, R};
root(D, R) when R * R > D; R > 2000 -> no;
root(D, R) -> root(D, R + 1).
