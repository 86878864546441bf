%% An exit runs along a chain of links up to one that traps it.
-module(link_chain).
-export([main/0]).
main() ->
    process_flag(trap_exit, true),
    First = spawn_link(fun() -> chain(5) end),
    receive {'EXIT', First, Reason} -> io:format("first: ~p~n", [Reason]) end,
    Normal = spawn_link(fun() -> spawn_link(fun() -> ok end), receive after 10 -> done end end),
    receive {'EXIT', Normal, R2} -> io:format("second: ~p~n", [R2]) end,
    Killed = spawn_link(fun() -> receive never -> ok end end),
    exit(Killed, kill),
    receive {'EXIT', Killed, R3} -> io:format("third: ~p~n", [R3]) end.

chain(0) -> exit(bottom);
chain(N) ->
    spawn_link(fun() -> chain(N - 1) end),
    receive never -> ok end.
