%% Handlers that do not match: the exception leaves the function, and ends it all.
%% inputs: main(int), loop(list(int)), inner(int)
-module(handled_escaping).
-export([main/1, loop/1, inner/1]).

main(X) ->
    put(n, 0),
    A = get(n),
    try
        X > 2 andalso throw({x, X}),
        put(n, 1)
    catch throw:{x, Y} when Y > 5 -> ok
    end,
    B = get(n),
    {A, B}.

loop(L) ->
    put(n, 0),
    lists:foreach(fun one/1, L),
    N = get(n),
    N.

one(X) ->
    Before = get(n),
    try
        put(n, Before + 10 div X),
        X > 5 andalso throw(X)
    catch
        throw:6 -> ok;
        error:_ -> ok
    end,
    After = get(n),
    {Before, After}.

inner(X) ->
    put(n, 0),
    try
        try
            X > 0 andalso exit({x, X}),
            put(n, 1)
        catch exit:{x, 3} -> ok
        end,
        put(n, get(n) + 1)
    catch exit:{x, 4} -> ok
    end,
    N = get(n),
    N.
