%% The old catch, and what it makes of exceptions.
%% inputs: guarded(int), nested(int, int), value(int)
-module(old_catch).
-export([guarded/1, nested/2, value/1]).

guarded(N) ->
    R = (catch 100 div N),
    case R of
        {'EXIT', {Reason, _}} -> {failed, Reason};
        V -> {ok, V}
    end.

nested(A, B) ->
    Inner = (catch exit({A, B})),
    {'EXIT', {X, Y}} = Inner,
    Outer = (catch throw(X)),
    Outer - Y.

value(N) ->
    X = catch N + 1,
    Y = catch throw({wrapped, X}),
    {wrapped, Z} = Y,
    Z * 2.
