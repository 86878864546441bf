%% expected: no error of asks and monitors (BEAM: none of 50,000 runs of each), errors of links (BEAM: with up to 3,000
%% calls between exit and link 40 of 60,000 runs; all that can be there was there in one of them).
%% Who is told that a process is not alive, or by a monitor that it does not exist, can rely on its name and its tables
%% being gone: the BEAM answers such questions about a process that is bound to end when it is gone. A link to one that
%% has begun to end is answered at once.
-module(end_asked).
-export([asks/0, monitors/0, links/0]).
asks() ->
    P = owner(),
    exit(P, kill),
    false = is_process_alive(P),
    undefined = process_info(P, registered_name),
    gone().
monitors() ->
    P = owner(),
    exit(P, kill),
    R = monitor(process, P),
    receive {'DOWN', R, _, _, noproc} -> gone() end.
links() ->
    process_flag(trap_exit, true),
    P = owner(),
    exit(P, kill),
    link(P),
    receive {'EXIT', P, noproc} -> gone() end.
owner() ->
    S = self(),
    P = spawn(fun() ->
        register(p, self()),
        [ets:new(T, [named_table, public]) || T <- [t1, t2]],
        S ! ready,
        receive go -> ok end
    end),
    receive ready -> P end.
gone() ->
    [undefined, undefined, undefined] = [whereis(p), ets:whereis(t1), ets:whereis(t2)].
