%% A supervisor restarts its worker.
%% inputs: restart(int), children(nat)
-module(supervised_worker).
-behaviour(supervisor).
-export([restart/1, children/1, init/1, start_worker/1]).

restart(N) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {worker, N}),
    First = ask(),
    Pid = whereis(sup_worker),
    Ref = monitor(process, Pid),
    sup_worker ! crash,
    receive {'DOWN', Ref, _, _, Why} -> ok end,
    Second = ask_again(),
    shut_down(Sup),
    {First, Second, Why}.

ask() ->
    sup_worker ! {get, self()},
    receive {state, S} -> S end.

ask_again() ->
    case whereis(sup_worker) of
        undefined -> receive after 1 -> ask_again() end;
        _ -> ask()
    end.

children(N) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {worker, N}),
    Counts = supervisor:count_children(Sup),
    Active = proplists:get_value(active, Counts),
    shut_down(Sup),
    Active + N.

shut_down(Sup) ->
    unlink(Sup),
    Ref = monitor(process, Sup),
    exit(Sup, shutdown),
    receive {'DOWN', Ref, _, _, _} -> ok end.

init({Id, Arg}) ->
    Flags = #{strategy => one_for_one, intensity => 3, period => 5},
    Child = #{id => Id, start => {?MODULE, start_worker, [Arg]}},
    {ok, {Flags, [Child]}}.

start_worker(N) ->
    Pid = spawn_link(fun() -> register(sup_worker, self()), work(N) end),
    {ok, Pid}.

work(N) ->
    receive
        {get, From} ->
            From ! {state, N},
            work(N + 1);
        crash -> exit(broken)
    end.
