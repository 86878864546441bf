%% A supervisor restarts what fails, in each of its ways.
-module(supervised).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/1]).

main() ->
    process_flag(trap_exit, true),
    [strategy(S) || S <- [one_for_one, one_for_all, rest_for_one]],
    too_often().

strategy(Strategy) ->
    {ok, Sup} = supervisor:start_link(?MODULE, Strategy),
    Before = pids(Sup),
    exit(proplists:get_value(b, Before), kill),
    timer:sleep(10),
    After = pids(Sup),
    Changed = [Id || {Id, P} <- Before, proplists:get_value(Id, After) =/= P],
    io:format("~p: restarted ~p~n", [Strategy, lists:sort(Changed)]),
    io:format("~p~n", [lists:sort(supervisor:count_children(Sup))]),
    ok = supervisor:terminate_child(Sup, a),
    {a, undefined, worker, [?MODULE]} = lists:keyfind(a, 1, supervisor:which_children(Sup)),
    {ok, _} = supervisor:restart_child(Sup, a),
    unlink(Sup),
    exit(Sup, shutdown),
    timer:sleep(5).

pids(Sup) -> [{Id, P} || {Id, P, _, _} <- supervisor:which_children(Sup)].

too_often() ->
    {ok, Sup} = supervisor:start_link(?MODULE, one_for_one),
    [begin
         case lists:keyfind(a, 1, catch_list(Sup)) of
             {a, P, _, _} when is_pid(P) -> exit(P, kill);
             _ -> ok
         end,
         timer:sleep(2)
     end || _ <- lists:seq(1, 5)],
    receive {'EXIT', Sup, Reason} -> Reason after 100 -> still_there end.

catch_list(Sup) -> try supervisor:which_children(Sup) catch exit:_ -> [] end.

init(Strategy) ->
    Child = fun(Id) -> #{id => Id, start => {?MODULE, start_child, [Id]}} end,
    {ok, {#{strategy => Strategy, intensity => 3, period => 5}, [Child(Id) || Id <- [a, b, c]]}}.

start_child(_) ->
    {ok, spawn_link(fun() -> receive stop -> ok end end)}.
