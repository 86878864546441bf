%% Variables that are bound already act as tests in patterns.
%% inputs: equal(int, int), tuple(int, {int, int}), repeated(list(int))
-module(bound_patterns).
-export([equal/2, tuple/2, repeated/1]).

equal(A, B) ->
    case B of
        A -> {same, A};
        _ -> {other, B}
    end.

tuple(Key, Pair) ->
    Half = Key div 2,
    case Pair of
        {Key, V} -> {key, V};
        {V, Key} -> {value, V};
        {Half, V} -> {half, V};
        {V, V} -> {twice, V};
        {V, _} -> {first, V}
    end.

repeated([X, X | _]) -> {double, X};
repeated([X, Y, X | _]) -> {around, X, Y};
repeated([X | T]) ->
    case T of
        [X | _] -> never;
        [] -> {single, X};
        _ -> repeated(T)
    end;
repeated([]) -> none.
