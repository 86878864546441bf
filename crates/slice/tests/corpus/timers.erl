%% Timers in virtual time.
%% inputs: ordered(int, int), cancelled(int), ticks(nat)
-module(timers).
-export([ordered/2, cancelled/1, ticks/1]).

ordered(A, B) ->
    erlang:send_after(30, self(), {late, A}),
    erlang:send_after(10, self(), {early, B}),
    First = receive {W1, X} -> {W1, X} end,
    Second = receive {W2, Y} -> {W2, Y} end,
    {First, Second}.

cancelled(N) ->
    T = erlang:start_timer(50, self(), N),
    Left = erlang:cancel_timer(T),
    Got = receive
        {timeout, T, M} -> {fired, M}
    after 100 ->
        silent
    end,
    {is_integer(Left), Got}.

ticks(N) ->
    Count = 1 + N rem 4,
    {ok, Ref} = timer:send_interval(10, tick),
    Seen = wait(Count, 0),
    timer:cancel(Ref),
    Seen.

wait(0, Seen) -> Seen;
wait(N, Seen) ->
    receive tick -> wait(N - 1, Seen + 1) end.
