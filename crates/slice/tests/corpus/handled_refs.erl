%% References, timers and aliases around failures.
%% inputs: main(int), cancelled(int)
-module(handled_refs).
-export([main/1, cancelled/1]).

main(X) ->
    erlang:send_after(5, self(), tick),
    put(n, 0),
    try
        X > 3 andalso throw({late, X}),
        receive tick -> put(n, 1) after 30 -> put(n, none) end
    catch throw:{late, _} -> ok
    end,
    Left = receive tick -> yes after 30 -> no end,
    N = get(n),
    {N, Left}.

cancelled(X) ->
    R = erlang:start_timer(10, self(), X),
    try
        6 div X,
        erlang:cancel_timer(R)
    catch error:badarith -> ok
    end,
    Fired = receive {timeout, R, Y} -> {fired, Y} after 40 -> never end,
    Fired.
