-module(server_wrapped_sup).
-behaviour(supervisor).
-export([start/0, init/1]).

start() -> supervisor:start_link(?MODULE, []).

init([]) -> {ok, {{one_for_one, 1, 5}, []}}.
