%% Children that are added, ended and started again.
-module(restarted_children).
-export([main/0, init/1, start_child/2, child/2]).
-behaviour(supervisor).
main() ->
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link(?MODULE, {dynamic, self()}),
    {ok, A} = supervisor:start_child(S, [one]),
    {ok, B} = supervisor:start_child(S, [two]),
    receive {up, one, A} -> ok end, receive {up, two, B} -> ok end,
    A ! {stop, boom},
    receive {up, one, A2} -> A2 ! {ping, self()} end,
    receive {pong, A2} -> ok end,
    Ref = monitor(process, B),
    ok = supervisor:terminate_child(S, B),
    receive {'DOWN', Ref, process, B, shutdown} -> ok end,
    {ok, T} = supervisor:start_link({local, tree}, ?MODULE, {static, self()}),
    receive {up, first, _} -> ok end, receive {up, {second, N}, _} -> N end,
    [exit(P, kill) || {first, P, _, _} <- supervisor:which_children(tree)],
    receive {up, first, _} -> ok end, receive {up, {second, _}, _} -> ok end,
    unlink(T), exit(T, shutdown), exit(S, normal), unlink(S), exit(S, shutdown), ok.
init({dynamic, C}) ->
    {ok, {#{strategy => simple_one_for_one, intensity => 5}, [#{id => w, start => {?MODULE, start_child, [C]}}]}};
init({static, C}) ->
    {ok, {{rest_for_one, 3, 10},
          [{first, {?MODULE, start_child, [C, first]}, permanent, brutal_kill, worker, []},
           #{id => second, start => {restarted_children, start_child, [C, {second, length(atom_to_list(second))}]}, restart => transient}]}}.
start_child(C, Name) -> {ok, proc_lib:spawn_link(?MODULE, child, [C, Name])}.
child(C, Name) -> C ! {up, Name, self()}, loop().
loop() -> receive {stop, R} -> exit(R); {ping, P} -> P ! {pong, self()}, loop() end.
