%% Exceptions that are never raised, handlers that never match, and code behind a failure.
%% inputs: main(int), always(int)
-module(handled_dead_end).
-export([main/1, always/1]).

main(X) ->
    put(n, 0),
    try
        put(n, X),
        throw(over),
        put(n, never)
    catch
        throw:never -> put(n, wrong);
        throw:over -> ok;
        throw:_ -> put(n, wrong)
    end,
    try put(n, get(n) + 1) catch throw:_ -> put(n, wrong) end,
    try error({x, X})
        catch error:{y, _} -> put(n, wrong);
            error:{x, 4} -> put(n, four);
            error:{x, _} -> ok end,
    N = get(n),
    N.

always(X) ->
    put(n, 0),
    F = fun() -> exit({always, X}) end,
    try F(), put(n, 1) catch exit:{always, Y} when Y > 2 -> ok; exit:_ -> put(n, 2) end,
    R = (catch F()),
    put(n, {get(n), is_tuple(R)}),
    N = get(n),
    N.
