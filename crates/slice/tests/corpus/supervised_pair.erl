%% Workers under a supervisor, found by name, restarted.
%% inputs: main(int), restart(int), children(nat)
-module(supervised_pair).
-export([main/1, restart/1, children/1]).
-export([start_sup/1, init/1, start_worker/2, loop/2]).

main(N) ->
    process_flag(trap_exit, true),
    {ok, Sup} = start_sup(N),
    adder ! {self(), 5},
    A = receive {adder, X} -> X after 100 -> none end,
    doubler ! {self(), N},
    B = receive {doubler, Y} -> Y after 100 -> none end,
    unlink(Sup),
    exit(Sup, shutdown),
    {A, B}.

restart(N) ->
    process_flag(trap_exit, true),
    {ok, Sup} = start_sup(N),
    adder ! {self(), 1},
    A = receive {adder, X} -> X after 100 -> none end,
    adder ! crash,
    receive after 10 -> ok end,
    adder ! {self(), 1},
    B = receive {adder, Y} -> Y after 100 -> none end,
    Count = proplists:get_value(active, supervisor:count_children(Sup)),
    unlink(Sup),
    exit(Sup, shutdown),
    {A, B, Count}.

children(N) ->
    process_flag(trap_exit, true),
    {ok, Sup} = start_sup(N),
    Names = lists:sort([Id || {Id, _, _, _} <- supervisor:which_children(Sup)]),
    ok = supervisor:terminate_child(Sup, adder),
    Gone = whereis(adder),
    {ok, New} = supervisor:restart_child(Sup, adder),
    Back = whereis(adder) =:= New,
    unlink(Sup),
    exit(Sup, shutdown),
    {Names, Gone, Back}.

start_sup(N) -> supervisor:start_link(?MODULE, N).

init(N) ->
    Flags = #{strategy => one_for_one, intensity => 3, period => 5},
    Adder = #{id => adder, start => {?MODULE, start_worker, [adder, fun(X) -> X + N end]}},
    Doubler = #{id => doubler, start => {?MODULE, start_worker, [doubler, fun(X) -> X * 2 end]}},
    {ok, {Flags, [Adder, Doubler]}}.

start_worker(Name, F) ->
    Pid = spawn_link(?MODULE, loop, [Name, F]),
    register(Name, Pid),
    {ok, Pid}.

loop(Name, F) ->
    receive
        {From, X} -> From ! {Name, F(X)}, loop(Name, F);
        crash -> exit(crashed)
    end.
