%% A supervisor whose init result is its argument, and workers for it.
-module(test_sup).
-behaviour(supervisor).

-export([init/1, start/1, start/2, worker/1, worker/2, fail_second/1]).

init(Fun) when is_function(Fun) -> Fun();
init(Result) -> Result.

start(Init) -> supervisor:start_link(?MODULE, Init).
start(Name, Init) -> supervisor:start_link({local, Name}, ?MODULE, Init).

worker(Name) -> worker(Name, []).

worker(Name, State) ->
    case gen_server:start_link({local, Name}, test_server_callback, State, []) of
        {ok, Pid} -> {ok, Pid};
        Other -> Other
    end.

%% Starts the first time only.
fail_second(Name) ->
    case get({?MODULE, Name}) of
        undefined -> put({?MODULE, Name}, 1), worker(Name);
        N when N < 3 -> put({?MODULE, Name}, N + 1), {error, again};
        _ -> worker(Name)
    end.
