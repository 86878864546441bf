%% Calls that cannot be made: undef, badfun, badarity.
%% inputs: main(int), by_name(one(one; two; three), int)
-module(handled_calls).
-export([main/1, by_name/2, one/1, two/2]).

main(X) ->
    put(n, 0),
    F = value(X),
    try
        V = F(X),
        put(n, V)
    catch
        error:{badfun, none} -> ok;
        error:{badarity, {_, [_]}} -> put(n, -1)
    end,
    N = get(n),
    N.

value(X) when X > 4 -> fun(A, B) -> A + B end;
value(X) when X < 0 -> none;
value(X) -> fun(A) -> A * X end.

by_name(Name, X) ->
    put(called, 0),
    try
        put(result, ?MODULE:Name(X)),
        put(called, 1)
    catch error:undef -> ok
    end,
    try
        apply(?MODULE, Name, [X, X]),
        put(called, get(called) + 2)
    catch error:undef:_ -> ok
    end,
    Called = get(called),
    Called.

one(X) -> X + 1.
two(X, Y) -> X + Y.
