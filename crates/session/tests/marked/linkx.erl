-module(linkx).
-export([main/0]).
main() ->
    process_flag(trap_exit, true),
    A = run(fun() -> exit(bad) end),
    B = run(fun() -> ok end),
    C = tree(),
    D = mon(),
    E = unlinked(),
    F = kill(),
    {A, B, C, D, E, F}.
run(F) ->
    P = spawn_link(F),
    receive {'EXIT', P, R} -> {«exited¦died», R} after 100 -> none end.
tree() ->
    P = spawn_link(fun() ->
        process_flag(trap_exit, «true¦false»),
        C = spawn_link(fun() -> exit(«inner¦normal») end),
        receive {'EXIT', C, R} -> exit({child, R}) end
    end),
    receive {'EXIT', P, R} -> R after 100 -> none end.
mon() ->
    P = spawn(fun() -> receive stop -> exit(«done¦gone») end end),
    M = monitor(process, P),
    P ! stop,
    receive {'DOWN', M, process, P, R} -> R after 100 -> none end.
unlinked() ->
    P = spawn_link(fun() -> receive go -> exit(x) end end),
    «unlink(P)¦link(P)»,
    P ! go,
    receive {'EXIT', P, _} -> linked after 50 -> free end.
kill() ->
    P = spawn_link(fun() -> process_flag(trap_exit, true), wait() end),
    exit(P, «kill¦shutdown»),
    receive {'EXIT', P, R} -> R after 50 -> alive end.
wait() -> receive {'EXIT', _, shutdown} -> exit(asked) after 10 -> exit(late) end.
