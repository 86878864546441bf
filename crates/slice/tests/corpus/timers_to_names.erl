%% Timers that send to a name.
%% inputs: run(int)
-module(timers_to_names).
-export([run/1]).
run(N) ->
    register(timers_to_names_x, self()),
    erlang:send_after(2, timers_to_names_x, {ding, N}),
    {ok, _} = timer:send_after(3, timers_to_names_x, {dong, N + 1}),
    A = receive {ding, X} -> X after 10 -> none end,
    B = receive {dong, Y} -> Y after 10 -> none end,
    unregister(timers_to_names_x),
    erlang:start_timer(1, timers_to_names_x, lost),
    C = receive {timeout, _, lost} -> got after 5 -> none end,
    {A, B, C}.
