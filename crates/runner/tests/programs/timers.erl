%% The functions of timer.
-module(timers).
-export([main/0]).
main() ->
    {ok, _} = timer:send_after(200, self(), b),
    {ok, _} = timer:send_after(50, self(), a),
    Got = [receive M -> M end || _ <- lists:seq(1, 2)],
    {ok, T} = timer:send_interval(10, self(), tick),
    [receive tick -> ok end || _ <- lists:seq(1, 3)],
    {ok, cancel} = timer:cancel(T),
    Me = self(),
    {ok, _} = timer:apply_after(5, erlang, send, [Me, applied]),
    receive applied -> ok end,
    {Micro, Value} = timer:tc(fun() -> timer:sleep(5), done end),
    {Got, Value, Micro >= 5000, timer:seconds(2), timer:minutes(1), timer:hms(1, 2, 3)}.
