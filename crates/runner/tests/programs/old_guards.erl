%% Tests of guards by the names that they had once.
-module(old_guards).
-export([main/0]).
-record(point, {x, y}).
-record(other, {x}).
main() ->
    [kind(Term) || Term <- [#point{x = 1}, #other{x = 1}, {point}, point, 1, 1.0, [], [a], {}, self(), <<>>, make_ref()]].

kind(T) when record(T, point) -> point;
kind(T) when record(T, other), size(T) =:= 2 -> other;
kind(T) when atom(T) -> atom;
kind(T) when integer(T) -> integer;
kind(T) when float(T) -> float;
kind(T) when list(T), length(T) > 0 -> list;
kind(T) when tuple(T) -> tuple;
kind(T) when pid(T); reference(T) -> identifier;
kind(T) when binary(T) -> binary;
kind(_) -> none.
