%% Starts the server again when it crashes.
-module(scn_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).
start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).
init([]) -> {ok, {#{strategy => one_for_one, intensity => 5, period => 10}, [#{id => server, start => {scn_server, start_link, []}}]}}.
