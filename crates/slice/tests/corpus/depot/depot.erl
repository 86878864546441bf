%% A client and a server in two modules: the server ends with its link, and takes others with it.
%% inputs: run(list({one(put; take), one(a; b), int})), linked(int), pool(list(int))
-module(depot).
-export([run/1, linked/1, pool/1]).

run(Orders) ->
    {ok, Pid} = depot_server:start(#{a => 3}),
    Left = orders(Orders, Pid, 0),
    Left.

orders([], _, Failed) -> {done, Failed};
orders([{put, What, N} | Rest], Pid, Failed) ->
    depot_server:put(Pid, What, N),
    orders(Rest, Pid, Failed);
orders([{take, What, N} | Rest], Pid, Failed) ->
    case depot_server:take(Pid, What, N) of
        {ok, Left} when Left >= 0 -> orders(Rest, Pid, Failed);
        {ok, _} -> orders(Rest, Pid, Failed + 1);
        {failed, Why} -> {Why, Failed}
    end.

linked(N) ->
    process_flag(trap_exit, true),
    Me = self(),
    Helper = spawn_link(fun() ->
        {ok, Pid} = depot_server:start_link(#{a => N}),
        Me ! {server, Pid},
        receive {done, X} -> exit({done, X}) end
    end),
    Server = receive {server, P} -> P end,
    depot_server:put(Server, a, N),
    Helper ! {done, N},
    Why = receive {'EXIT', Helper, {done, X}} -> {done, X}; {'EXIT', Helper, _} -> server end,
    Why.

pool(L) ->
    Pids = [element(2, depot_server:start(#{a => X})) || X <- L],
    [depot_server:put(Pid, a, 1) || Pid <- Pids],
    Taken = [depot_server:take(Pid, a, 2) || Pid <- Pids],
    Fine = length([ok || {ok, _} <- Taken]),
    Alive = [is_process_alive(Pid) || Pid <- Pids],
    {Fine, Alive}.
