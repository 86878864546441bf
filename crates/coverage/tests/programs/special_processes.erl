%% Processes that answer system messages, timers of the library, groups.
-module(special_processes).
-export([main/0, init/2, system_continue/3, system_terminate/4, system_get_state/1, system_replace_state/2, system_code_change/4, start/2, stop/1, sup/0]).
main() ->
    {ok, P} = proc_lib:start_link(?MODULE, init, [self(), 7]),
    P ! {self(), get}, 7 = receive {P, N} -> N end,
    7 = sys:get_state(P),
    8 = sys:replace_state(P, fun(X) -> X + 1 end),
    ok = sys:suspend(P), ok = sys:change_code(P, ?MODULE, 1, extra), ok = sys:resume(P),
    P ! {self(), get}, M = receive {P, M0} -> M0 end,
    unlink(P), Ref = monitor(process, P),
    sys:terminate(P, finished),
    receive {'DOWN', Ref, process, P, finished} -> ok end,
    Pid = proc_lib:spawn(fun() -> exit({shutdown, a}) end), R2 = monitor(process, Pid), receive {'DOWN', R2, _, _, _} -> ok end,
    {ok, S} = start(normal, []), unlink(S), exit(S, shutdown),
    Self = self(),
    W = erlang:spawn_opt(fun() -> W0 = self(), Self ! {hi, W0}, receive {hi, back} -> ok after 10 -> late end end, [{priority, low}]),
    receive {hi, W} -> W ! {hi, back} end,
    {ok, T} = timer:apply_interval(1, erlang, send, [self(), ival]), receive ival -> ok end, timer:cancel(T),
    {ok, _} = timer:send_after(1, {delayed, 1}), receive {delayed, X} -> X end,
    {ok, _} = timer:exit_after(1, spawn_link_quiet(), bye), receive {quiet, down, Why} -> Why end,
    pg:start(su10), ok = pg:join(su10, grp, self()), [G ! {pg, 1} || G <- pg:get_members(su10, grp)], receive {pg, 1} -> ok end,
    {M, erpc:call(node(), fun() -> remote end), rpc:call(node(), lists, sum, [[1, 2]])}.
spawn_link_quiet() -> Me = self(), spawn(fun() -> {P, R} = spawn_monitor(fun() -> receive never -> ok end end), Me ! {quiet, P}, receive {'DOWN', R, _, _, Why} -> Me ! {quiet, down, Why} end end), receive {quiet, P} -> P end.
init(Parent, N) -> proc_lib:init_ack(Parent, {ok, self()}), loop(Parent, sys:debug_options([]), N).
loop(Parent, Deb, N) ->
    receive
        {system, From, Req} -> sys:handle_system_msg(Req, From, Parent, ?MODULE, Deb, N);
        {Pid, get} -> Pid ! {self(), N}, loop(Parent, Deb, N)
    end.
system_continue(Parent, Deb, N) -> loop(Parent, Deb, N).
system_terminate(R, _, _, _) -> exit(R).
system_get_state(N) -> {ok, N}.
system_replace_state(F, N) -> M = F(N), {ok, M, M}.
system_code_change(N, _, _, extra) -> {ok, N * 2}.
start(_, _) -> supervisor_bridge_like().
supervisor_bridge_like() -> {ok, spawn_link(?MODULE, sup, [])}.
stop(_) -> ok.
sup() -> receive stop -> ok end.
