%% Registered names, links and monitors, reasons that are handed on.
%% inputs: register_it(int), unregister_it(int), exit_data(int), down_data(int), kill_chain(int), trap(any), monitors(list(int)), name_down(int)
-module(names_and_links).
-export([register_it/1, unregister_it/1, exit_data/1, down_data/1, kill_chain/1, trap/1, monitors/1, name_down/1]).
-export([echo/1]).

register_it(N) ->
    Pid = spawn(?MODULE, echo, [N]),
    register(echo_server, Pid),
    echo_server ! {self(), 1},
    A = receive {reply, X} -> X end,
    Where = whereis(echo_server) =:= Pid,
    echo_server ! stop,
    {A, Where}.

echo(N) ->
    receive
        {From, K} -> From ! {reply, N + K}, echo(N + 1);
        stop -> ok
    end.

unregister_it(N) ->
    P1 = spawn(?MODULE, echo, [N]),
    P2 = spawn(?MODULE, echo, [N * 100]),
    register(e, P1),
    e ! {self(), 0},
    A = receive {reply, X} -> X end,
    unregister(e),
    register(e, P2),
    e ! {self(), 0},
    B = receive {reply, Y} -> Y end,
    P1 ! stop, e ! stop,
    C = (catch nobody_here ! x),
    D = element(1, C),
    {A, B, D}.

exit_data(N) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> work(N) end),
    R = receive {'EXIT', Pid, Reason} -> Reason after 100 -> none end,
    Shown = case R of {result, V} -> V; normal -> n; {{nocatch, T}, _} -> T; {E, _} -> E; O -> O end,
    Shown.

work(N) when N > 5 -> exit({result, N * 2});
work(N) when N > 3 -> throw(N);
work(N) when N > 1 -> error(oops);
work(N) when N < 0 -> exit(kill);
work(_) -> ok.

down_data(N) ->
    {Pid, Ref} = spawn_monitor(fun() -> receive {go, X} -> exit({sum, X + N}) end end),
    Pid ! {go, N * 3},
    receive
        {'DOWN', Ref, process, P, {sum, S}} -> {P =:= Pid, S};
        {'DOWN', Ref, process, _, Other} -> {false, Other}
    after 50 -> timeout
    end.

kill_chain(N) ->
    process_flag(trap_exit, true),
    Me = self(),
    A = spawn_link(fun() ->
        B = spawn_link(fun() -> receive {die, R} -> exit(R) end end),
        Me ! {b, B},
        receive never -> ok end
    end),
    B = receive {b, Pid} -> Pid end,
    B ! {die, {because, N}},
    Why = receive {'EXIT', A, W} -> W after 100 -> none end,
    {because, M} = Why,
    M.

trap(X) ->
    Old = process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive after infinity -> ok end end),
    exit(Pid, X),
    R = receive {'EXIT', Pid, Reason} -> {got, Reason} after 20 -> still end,
    unlink(Pid),
    exit(Pid, kill),
    process_flag(trap_exit, Old),
    {R, Old}.

monitors(L) ->
    Refs = [begin {_, R} = spawn_monitor(fun() -> exit(X * X) end), R end || X <- L],
    Rs = [receive {'DOWN', R, _, _, V} -> V end || R <- Refs],
    Sum = lists:sum(Rs),
    {Sum, Rs}.

name_down(N) ->
    Pid = spawn(fun() -> register(tmp, self()), receive {stop, V} -> exit(V) end end),
    receive after 5 -> ok end,
    Ref = monitor(process, tmp),
    Pid ! {stop, N + 1},
    R = receive {'DOWN', Ref, process, {tmp, _}, V} -> V end,
    Gone = whereis(tmp),
    {R, Gone}.
