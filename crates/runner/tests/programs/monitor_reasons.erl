%% What a monitor says about every kind of end.
-module(monitor_reasons).
-export([main/0]).
main() ->
    [down(F) || F <- [fun() -> ok end, fun() -> exit(bye) end, fun() -> error(oops) end, fun() -> throw(ball) end,
                      fun() -> exit(self(), kill), receive x -> x end end, fun() -> exit(normal) end,
                      fun() -> 1 = id(2) end, fun() -> undefined_module:f(1) end]],
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, process, P, _} -> ok end,
    R2 = monitor(process, P),
    receive {'DOWN', R2, process, P, Reason} -> Reason end.

id(X) -> X.

down(F) ->
    {P, R} = spawn_monitor(F),
    receive {'DOWN', R, process, P, Reason} -> io:format("~p~n", [short(Reason)]) end.

short({Reason, [{M, F, A, _} | _]}) -> {Reason, M, F, if is_list(A) -> length(A); true -> A end};
short(Reason) -> Reason.
