%% What exit/2 does, by reason and by who traps.
-module(exit_signals).
-export([main/0]).
main() ->
    [io:format("~p ~p: ~p~n", [Trap, Reason, attempt(Trap, Reason)])
     || Trap <- [false, true], Reason <- [normal, kill, shutdown, {a, tuple}]],
    process_flag(trap_exit, true),
    exit(self(), normal),
    receive {'EXIT', From, normal} when From =:= self() -> self_trapped after 0 -> nothing end.

attempt(Trap, Reason) ->
    Me = self(),
    {P, R} = spawn_monitor(fun() ->
                                   process_flag(trap_exit, Trap),
                                   Me ! ready,
                                   receive {'EXIT', Me, What} -> exit({trapped, What}) after 50 -> exit(survived) end
                           end),
    receive ready -> ok end,
    exit(P, Reason),
    receive {'DOWN', R, process, P, End} -> End end.
