%% A supervisor starts its children again.
-module(supervised).
-behaviour(supervisor).
-export([init/1, start_child/0, child/0, run/1]).
-processes({child/0, {restarts, 2}}).

init([]) ->
    {ok, {{one_for_one, 10, 10}, [#{id => child, start => {?MODULE, start_child, []}}]}}.
start_child() -> {ok, proc_lib:spawn_link(?MODULE, child, [])}.
child() -> receive crash -> exit(crash) end.

run(Crashes) ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    [begin
         timer:sleep(1),
         [{_, Pid, _, _}] = supervisor:which_children(Sup),
         Pid ! crash
     end || _ <- lists:seq(1, Crashes)],
    timer:sleep(1),
    ok.

%! run(2): ok
%! run(3): processes callee
