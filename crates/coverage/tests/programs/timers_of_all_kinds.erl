%% Timers of erlang and of the module timer.
-module(timers_of_all_kinds).
-export([main/0, tick/2]).

main() ->
    Me = self(),
    {ok, _} = timer:send_after(1, one),
    receive one -> say(one) end,
    {ok, _} = timer:send_after(1, Me, {two, 2}),
    receive {two, N} -> say(N) end,
    {ok, I} = timer:send_interval(1, again),
    receive again -> ok end,
    receive again -> timer:cancel(I) end,
    {ok, _} = timer:apply_after(1, ?MODULE, tick, [Me, three]),
    receive {tick, three} -> say(three) end,
    {ok, J} = timer:apply_interval(1, ?MODULE, tick, [Me, four]),
    receive {tick, four} -> timer:cancel(J) end,
    process_flag(trap_exit, true),
    P = spawn_link(fun wait/0),
    {ok, _} = timer:exit_after(1, P, enough),
    receive {'EXIT', P, enough} -> say(enough) end,
    Q = spawn_link(fun wait/0),
    {ok, _} = timer:kill_after(1, Q),
    receive {'EXIT', Q, killed} -> say(killed) end,
    register(me, Me),
    erlang:send_after(1, me, by_name),
    receive by_name -> ok end,
    R = erlang:start_timer(1, Me, {deep, fun() -> say(deep) end}),
    receive {timeout, R, {deep, F}} -> F() end,
    {_, V} = timer:tc(fun(X) -> X + 1 end, [1]),
    {_, W} = timer:tc(?MODULE, tick, [Me, five]),
    receive {tick, five} -> say({V, W}) end.

tick(To, What) -> To ! {tick, What}.
wait() -> receive stop -> ok end.
say(X) -> io:format("~p~n", [X]).
