%% Synchronous start of plain processes, and the sys messages they can serve.
-module(proc_lib_start).
-export([main/0]).
-export([init/2, system_continue/3, system_terminate/4, system_get_state/1]).

main() ->
    {ok, P} = proc_lib:start_link(?MODULE, init, [self(), fine]),
    io:format("~p~n", [sys:get_state(P)]),
    ok = sys:suspend(P),
    P ! {self(), hello},
    none = receive {P, hello} -> early after 10 -> none end,
    ok = sys:resume(P),
    receive {P, hello} -> io:format("after resume~n") end,
    process_flag(trap_exit, true),
    {error, bad} = proc_lib:start_link(?MODULE, init, [self(), bad]),
    proc_lib:stop(P).

init(Parent, fine) ->
    proc_lib:init_ack({ok, self()}),
    loop(Parent, 0);
init(_, bad) ->
    proc_lib:init_ack({error, bad}),
    exit(bad).

loop(Parent, N) ->
    receive
        {system, From, Request} -> sys:handle_system_msg(Request, From, Parent, ?MODULE, [], N);
        {From, What} -> From ! {self(), What}, loop(Parent, N + 1)
    end.

system_continue(Parent, _, N) -> loop(Parent, N).
system_terminate(Reason, _, _, _) -> exit(Reason).
system_get_state(N) -> {ok, N}.
