%% A function that handles some failures; its callers handle the others, differently.
%% inputs: first(int), second(int), third(int)
-module(handled_by_caller).
-export([first/1, second/1, third/1]).

first(X) ->
    put(n, 0),
    try work(X), put(n, get(n) + 10) catch exit:{e, _} -> ok end,
    N = get(n),
    N.

second(X) ->
    put(n, 0),
    try work(X), put(n, get(n) + 10)
        catch error:{e, Y} when Y > 4 -> ok;
            error:{e, Y} -> put(n, Y);
            exit:_ -> ok end,
    N = get(n),
    N.

third(X) ->
    put(n, 0),
    R = work(X),
    N = get(n),
    {N, R}.

work(X) ->
    try
        put(n, 1),
        fail(X),
        put(n, 2)
    catch throw:{e, Y} when Y < 9 -> put(caught, Y)
    end,
    put(n, get(n) + 4).

fail(X) when X > 6 -> throw({e, X});
fail(X) when X > 3 -> error({e, X});
fail(X) when X < 0 -> exit({e, X});
fail(_) -> ok.
