%% A gen_event manager with one handler.
-module(alarm).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2]).

main() ->
    {ok, P} = gen_event:start_link(),
    gen_event:add_handler(P, ?MODULE, []),
    gen_event:notify(P, {alarm, fire}),
    gen_event:call(P, ?MODULE, count).

init([]) -> {ok, 0}.
handle_event({alarm, _}, N) -> {ok, N + 1}.
handle_call(count, N) -> {ok, N, N}.
