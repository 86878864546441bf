%% A supervisor of two, one of which is started again with the other.
%% inputs: run(list(one(a; b; kill_a; kill_b; stop)))
-module(rest_for_one).
-behaviour(supervisor).
-export([run/1, init/1, start_kid/2, kid/3]).

run(Cmds) ->
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link({local, rest_for_one_sup}, ?MODULE, [self()]),
    G0 = [receive {up, K} -> K after 5 -> none end || _ <- [1, 2]],
    R = drive(Cmds, S, []),
    Cnt = try supervisor:count_children(rest_for_one_sup) of C -> proplists:get_value(active, C) catch exit:_ -> no_sup end,
    stop(S),
    {G0, R, Cnt}.

stop(S) -> exit(S, shutdown), receive {'EXIT', S, R} -> R after 10 -> never end.

drive([], _, Acc) -> lists:reverse(Acc);
drive([stop | T], S, Acc) ->
    X = supervisor:terminate_child(S, b),
    Y = supervisor:restart_child(S, b),
    drive(T, S, [{X, element(1, Y)} | Acc]);
drive([kill_a | T], S, Acc) -> exit_kid(rest_for_one_a), drive(T, S, [ups() | Acc]);
drive([kill_b | T], S, Acc) -> exit_kid(rest_for_one_b), drive(T, S, [ups() | Acc]);
drive([K | T], S, Acc) ->
    Name = list_to_atom("rest_for_one_" ++ atom_to_list(K)),
    V = case whereis(Name) of
        undefined -> gone;
        P -> P ! {self(), count}, receive {P, N} -> N after 5 -> silent end
    end,
    drive(T, S, [V | Acc]).

exit_kid(Name) ->
    case whereis(Name) of undefined -> ok; P -> exit(P, boom), timer:sleep(1) end.

ups() -> receive {up, K} -> [K | ups()] after 1 -> [] end.

init([Boss]) ->
    Kid = fun(Id, Restart) -> #{id => Id, start => {?MODULE, start_kid, [Id, Boss]}, restart => Restart, shutdown => 5} end,
    {ok, {#{strategy => rest_for_one, intensity => 2, period => 100}, [Kid(a, permanent), Kid(b, transient)]}}.

start_kid(Id, Boss) ->
    Name = list_to_atom("rest_for_one_" ++ atom_to_list(Id)),
    P = spawn_link(?MODULE, kid, [Id, Boss, 0]),
    register(Name, P),
    {ok, P}.

kid(Id, Boss, N) ->
    if N =:= 0 -> Boss ! {up, Id}; true -> ok end,
    receive
        {From, count} -> From ! {self(), N + 1}, kid(Id, Boss, N + 1)
    end.
