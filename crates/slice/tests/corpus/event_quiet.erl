%% A handler of events that fails is taken away, and nobody watches.
%% inputs: events(list(int)), info(list(int)), starts(int)
-module(event_quiet).
-behaviour(gen_event).
-export([events/1, info/1, starts/1]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2]).

events(L) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, 0),
    [gen_event:notify(M, X) || X <- L],
    gen_event:call(M, ?MODULE, get).

info(L) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, 0),
    [M ! X || X <- L],
    Left = gen_event:which_handlers(M),
    Left.

starts(N) ->
    {ok, M} = gen_event:start(),
    Added = gen_event:add_handler(M, ?MODULE, {start, N}),
    Kind = case Added of ok -> ok; {'EXIT', {Why, _}} -> Why; Other -> {other, Other} end,
    Kind.

init({start, N}) when N > 3 -> error({large, N});
init({start, N}) when N < 0 -> {error, N};
init({start, N}) -> {ok, N};
init(N) -> {ok, N}.

handle_event(X, Sum) ->
    small(X),
    {ok, Sum + X}.

handle_call(get, Sum) -> {ok, Sum, Sum}.

handle_info(X, Sum) when X < 7 -> {ok, Sum + X}.

small(X) when X < 7 -> ok.
