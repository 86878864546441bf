%% An after clause that fails itself; its exception is the one that counts.
%% inputs: main(int, int), returns(int)
-module(handled_after_fails).
-export([main/2, returns/1]).

main(X, Y) ->
    put(seen, 0),
    try
        try
            X > 2 andalso throw(first),
            put(seen, 1)
        after
            Y > 2 andalso throw(second),
            put(seen, get(seen) + 10)
        end,
        put(seen, get(seen) + 100)
    catch
        throw:first -> ok;
        throw:second -> put(seen, get(seen) + 1000)
    end,
    Seen = get(seen),
    Seen.

returns(X) ->
    put(steps, 0),
    R = try step(X) of
        {ok, V} -> step(V - 4)
    catch
        throw:{low, N} -> N
    after
        put(steps, get(steps) + 10)
    end,
    Steps = get(steps),
    {R, Steps}.

step(X) when X < 0 -> throw({low, X});
step(X) -> put(steps, get(steps) + 1), {ok, X}.
