%% A gen_event with two handlers, swapped and deleted.
%% inputs: notify(list(int)), swap(int), calls(int, int), removed(int)
-module(event_handlers).
-behaviour(gen_event).
-export([notify/1, swap/1, calls/2, removed/1]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

notify(L) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, {sum, 0}),
    ok = gen_event:add_handler(M, {?MODULE, second}, {max, 0}),
    [gen_event:notify(M, {value, X}) || X <- L],
    A = gen_event:call(M, ?MODULE, get),
    B = gen_event:call(M, {?MODULE, second}, get),
    gen_event:stop(M),
    {A, B}.

swap(N) ->
    {ok, M} = gen_event:start(),
    gen_event:add_handler(M, ?MODULE, {sum, N}),
    gen_event:sync_notify(M, {value, 5}),
    ok = gen_event:swap_handler(M, {?MODULE, args}, {{?MODULE, new}, {max, 1}}),
    gen_event:sync_notify(M, {value, N}),
    R = gen_event:call(M, {?MODULE, new}, get),
    W = gen_event:which_handlers(M),
    gen_event:stop(M),
    {R, length(W)}.

calls(A, B) ->
    {ok, M} = gen_event:start(),
    gen_event:add_handler(M, ?MODULE, {sum, A}),
    X = gen_event:call(M, ?MODULE, {set, B}),
    Y = gen_event:call(M, ?MODULE, get),
    M ! {info, 3},
    Z = gen_event:call(M, ?MODULE, get),
    gen_event:stop(M),
    {X, Y, Z}.

removed(N) ->
    {ok, M} = gen_event:start(),
    gen_event:add_handler(M, ?MODULE, {sum, N}),
    R = gen_event:delete_handler(M, ?MODULE, bye),
    S = gen_event:call(M, ?MODULE, get),
    gen_event:stop(M),
    {R, S}.

init({{max, N}, {terminated, V}}) -> {ok, {max, max(N, V)}};
init({Kind, N}) -> {ok, {Kind, N}}.

handle_event({value, X}, {sum, S}) -> {ok, {sum, S + X}};
handle_event({value, X}, {max, M}) -> {ok, {max, max(M, X)}};
handle_event(_, State) -> {ok, State}.

handle_call(get, {_, N} = State) -> {ok, N, State};
handle_call({set, N}, {Kind, Old}) -> {ok, {was, Old}, {Kind, N}}.

handle_info({info, K}, {Kind, N}) -> {ok, {Kind, N * K}};
handle_info(_, State) -> {ok, State}.

terminate(args, {_, N}) -> {terminated, N};
terminate(bye, {_, N}) -> {ended, N};
terminate(_, _) -> ok.
