%% The functions of timer.
-module(timers).
-export([main/0]).
main() ->
    {ok, _} = timer:send_after(20, self(), b),
    {ok, _} = timer:send_after(10, self(), a),
    {ok, T} = timer:send_interval(7, self(), tick),
    Got = [receive M -> M end || _ <- lists:seq(1, 4)],
    {ok, cancel} = timer:cancel(T),
    Me = self(),
    {ok, _} = timer:apply_after(5, erlang, send, [Me, applied]),
    receive applied -> ok end,
    {Micro, Value} = timer:tc(fun() -> timer:sleep(5), done end),
    {Got, Value, Micro >= 5000, timer:seconds(2), timer:minutes(1), timer:hms(1, 2, 3)}.
