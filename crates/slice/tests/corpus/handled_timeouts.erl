%% Timeouts of calls and receives as failures.
%% inputs: main(int), slow(int)
-module(handled_timeouts).
-export([main/1, slow/1]).

main(X) ->
    put(n, 0),
    try
        wait(X),
        put(n, 1)
    catch
        throw:{timeout, Y} when Y > 4 -> ok;
        throw:{timeout, _} -> put(n, early)
    end,
    N = get(n),
    N.

wait(X) ->
    X < 2 andalso (self() ! {ready, X}),
    receive {ready, _} -> ok after 10 -> throw({timeout, X}) end.

slow(X) ->
    Me = self(),
    P = spawn(fun() -> receive {Me, N} -> N > 3 orelse (Me ! {self(), N * 2}) end end),
    P ! {Me, X},
    put(answer, none),
    try
        Answer = receive {P, A} -> A after 30 -> exit(timeout) end,
        put(answer, Answer)
    catch exit:timeout -> ok
    end,
    Got = get(answer),
    Got.
