%% A server that counts, and crashes when it is asked to divide by zero. Its supervisor starts it again.
-module(counter).
-behaviour(gen_server).
-export([start_link/0, add/1, share/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, counter}, ?MODULE, [], []).

add(N) -> gen_server:call(counter, {add, N}).
share(Among) -> gen_server:call(counter, {share, Among}).

init([]) -> {ok, 0}.

handle_call({add, N}, _From, Count) -> {reply, Count + N, Count + N};
handle_call({share, Among}, _From, Count) -> {reply, Count div Among, Count}.

handle_cast(_, Count) -> {noreply, Count}.
