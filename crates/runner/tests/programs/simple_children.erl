%% A supervisor of many children of one kind.
-module(simple_children).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/1]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    Pids = [begin {ok, P} = supervisor:start_child(Sup, [N]), P end || N <- [1, 2, 3]],
    [P ! {self(), value} || P <- Pids],
    Values = lists:sort([receive {value, V} -> V end || _ <- Pids]),
    ok = supervisor:terminate_child(Sup, hd(Pids)),
    {error, failed} = supervisor:start_child(Sup, [bad]),
    {Values, lists:sort(supervisor:count_children(Sup))}.

init([]) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => child, start => {?MODULE, start_child, []}, restart => temporary}]}}.

start_child(bad) -> {error, failed};
start_child(N) -> {ok, spawn_link(fun() -> loop(N) end)}.

loop(N) -> receive {From, value} -> From ! {value, N}, loop(N) end.
