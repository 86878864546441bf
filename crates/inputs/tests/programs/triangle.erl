-module(triangle).
%% The classic of testing: kinds of triangles.
-export([main/3]).
-spec main(integer(), integer(), integer()) -> atom().
main(A, B, C) when A =< 0; B =< 0; C =< 0 -> invalid;
main(A, B, C) when A + B =< C; A + C =< B; B + C =< A -> impossible;
main(A, A, A) -> equilateral;
main(A, A, _) -> isosceles;
main(_, B, B) -> isosceles;
main(A, _, A) -> isosceles;
main(A, B, C) ->
    case A * A + B * B =:= C * C of
        true -> right;
        false -> scalene
    end.
