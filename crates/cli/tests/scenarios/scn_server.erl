%% A server that counts, crashes when told to, and answers later.
-module(scn_server).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
init([]) -> {ok, 0}.
handle_call(crash, _, _) -> error(crash);
handle_call(inc, _, N) -> {reply, N, N + 1};
handle_call(slow, From, N) -> self() ! {later, From}, {noreply, N}.
handle_cast(inc, N) -> {noreply, N + 1};
handle_cast(stop, N) -> {stop, normal, N}.
handle_info({later, From}, N) -> gen_server:reply(From, N), {noreply, N};
handle_info(_, N) -> {noreply, N}.
terminate(_, _) -> ok.
