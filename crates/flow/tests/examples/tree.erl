%% A supervisor with children given as maps and as tuples.
-module(tree).
-behaviour(supervisor).
-export([main/0, init/1, start_worker/1, work/1, start_other/0]).

main() -> supervisor:start_link({local, top}, ?MODULE, []).

init([]) ->
    Worker = #{id => worker, start => {?MODULE, start_worker, [self()]}},
    Other = {other, {?MODULE, start_other, []}, permanent, 5000, worker, [?MODULE]},
    {ok, {#{strategy => one_for_one}, [Worker, Other]}}.

start_worker(Parent) -> {ok, spawn_link(?MODULE, work, [Parent])}.
work(Parent) -> Parent ! {ready, self()}.
start_other() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.
