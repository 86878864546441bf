-module(intervals).
%% How two intervals lie.
-export([main/2]).
-spec main({integer(), integer()}, {integer(), integer()}) -> atom().
main({A, B}, _) when A > B -> first_reversed;
main(_, {C, D}) when C > D -> second_reversed;
main(I, I) -> equal;
main({A, B}, {C, D}) when A =:= C, B < D -> starts;
main({A, B}, {C, D}) when B =:= D, A > C -> finishes;
main({_, B}, {C, _}) when B + 1 =:= C -> meets;
main({A, _}, {_, D}) when D + 1 =:= A -> met_by;
main({_, B}, {C, _}) when B < C -> before;
main({A, _}, {_, D}) when D < A -> later;
main({A, B}, {C, D}) when A > C, B < D -> during;
main({A, B}, {C, D}) when A < C, B > D -> contains;
main({A, B}, {C, D}) when A < C, B < D -> overlaps;
main({A, A}, _) -> point;
main(_, _) -> other.
