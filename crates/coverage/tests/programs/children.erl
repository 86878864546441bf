%% A supervisor: children that are restarted, added, found by asking, and ended.
-module(children).
-export([main/0, init/1, start_worker/2, worker/2, start_sup/0]).
-behaviour(supervisor).

main() ->
    {ok, S} = start_sup(),
    [{_, W, _, _}] = supervisor:which_children(S),
    W ! {self(), ping},
    receive {pong, first, W} -> ok end,
    {ok, W2} = supervisor:start_child(S, #{id => second, start => {?MODULE, start_worker, [self(), second]}}),
    W2 ! {self(), ping},
    receive {pong, second, W2} -> ok end,
    W2 ! crash,
    receive {started, second, W3} when W3 =/= W2 -> W3 ! {self(), ping} end,
    receive {pong, second, _} -> ok end,
    ok = supervisor:terminate_child(S, second),
    {ok, W4} = supervisor:restart_child(S, second),
    receive {started, second, W4} -> ok end,
    {ok, T} = supervisor:start_link(?MODULE, simple),
    {ok, C} = supervisor:start_child(T, [self(), many]),
    C ! {self(), ping},
    receive {pong, many, C} -> ok end,
    [C2 ! {self(), ping} || {undefined, C2, worker, _} <- supervisor:which_children(T)],
    receive {pong, many, C} -> ok end,
    unlink(S),
    exit(S, shutdown).

start_sup() -> supervisor:start_link({local, sup}, ?MODULE, {one, self()}).

init({one, Client}) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 10},
          [#{id => first, start => {?MODULE, start_worker, [Client, first]}, shutdown => brutal_kill}]}};
init(simple) ->
    {ok, {{simple_one_for_one, 1, 5},
          [{worker, {?MODULE, start_worker, []}, temporary, 100, worker, [?MODULE]}]}}.

start_worker(Client, Name) ->
    P = spawn_link(?MODULE, worker, [Client, Name]),
    Client ! {started, Name, P},
    {ok, P}.

worker(Client, Name) ->
    receive
        {From, ping} -> From ! {pong, Name, self()}, worker(Client, Name);
        crash -> exit(crashed)
    end.
