%% Links and monitors: the end of a process is a message to whoever asked for it. Timers.
-module(signals).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Linked = spawn_link(fun() -> exit(finished) end),
    {Other, Ref} = spawn_monitor(fun worker/0),
    erlang:send_after(10, self(), wake),
    Timer = erlang:start_timer(10, self(), again),
    timer:send_after(5, {soon, self()}),
    receive {'EXIT', Linked, Why} -> Why end,
    receive {'DOWN', Ref, process, Other, Reason} -> Reason end,
    receive wake -> ok; {timeout, Timer, again} -> ok; {soon, _} -> ok end,
    receive {'DOWN', never, process, _, _} -> ok after 0 -> none end.

worker() -> receive stop -> ok after 10 -> done end.
