%% Receives that give up, and timers in order.
-module(timeouts).
-export([main/0]).
main() ->
    none = receive x -> some after 0 -> none end,
    late = receive x -> some after 5 -> late end,
    erlang:send_after(30, self(), third),
    erlang:send_after(10, self(), first),
    erlang:send_after(20, self(), second),
    T = erlang:send_after(15, self(), never),
    true = is_integer(erlang:cancel_timer(T)),
    false = erlang:cancel_timer(T),
    Order = [receive M -> M after 1000 -> timeout end || _ <- [1, 2, 3]],
    R = erlang:start_timer(5, self(), hello),
    Started = receive {timeout, R, What} -> What end,
    {Order, Started, receive M -> M after 50 -> empty end}.
