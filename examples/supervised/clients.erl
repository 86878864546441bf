%% Two clients of a supervised server that crashes and is started again.
-module(clients).
-export([hasty/0, patient/0]).

%% The counting client may call while the server is down.
hasty() ->
    run(fun(_Supervisor) -> counter:add(5) end).

%% This one asks the supervisor first. It answers when the server is up again, if it has heard that it was down.
patient() ->
    run(fun(Supervisor) ->
                try counter:add(5)
                catch exit:_ ->
                        _ = supervisor:count_children(Supervisor),
                        counter:add(5)
                end
        end).

run(Client) ->
    {ok, Supervisor} = counter_sup:start_link(),
    Crashing = spawn_monitor(fun() -> catch counter:share(0) end),
    Counting = spawn_monitor(fun() -> 5 = Client(Supervisor) end),
    [receive {'DOWN', Ref, process, Pid, _} -> ok end || {Pid, Ref} <- [Crashing, Counting]],
    unlink(Supervisor),
    exit(Supervisor, shutdown).
