%% A gen_server: client calls lead to the clauses that handle them, replies back to the calls.
-module(counter).
-behaviour(gen_server).
-export([main/0, start_link/0, add/1, value/0, reset/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    {ok, Pid} = start_link(),
    add(2),
    reset(),
    Pid ! tick,
    V = value(),
    F = maps:get(after_all, #{after_all => fun(X) -> X end}),
    F(V).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [0], []).
add(N) -> gen_server:call(?MODULE, {add, N}).
value() -> gen_server:call(counter, value, 5000).
reset() -> gen_server:cast(?MODULE, reset).

init([N]) -> {ok, N}.
handle_call({add, N}, _From, S) -> {reply, ok, S + N};
handle_call(value, From, S) -> gen_server:reply(From, {current, S}), {noreply, S}.
handle_cast(reset, _) -> {noreply, 0}.
handle_info(tick, S) -> {noreply, S};
handle_info(timeout, S) -> {stop, normal, S}.
terminate(_, _) -> ok.
