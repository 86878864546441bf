%% Handlers of a gen_event come, go, swap and fail.
-module(event_manager).
-export([main/0]).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, terminate/2]).

main() ->
    {ok, M} = gen_event:start_link(),
    ok = gen_event:add_handler(M, {?MODULE, a}, a),
    ok = gen_event:add_handler(M, {?MODULE, b}, b),
    ok = gen_event:notify(M, {count, 1}),
    ok = gen_event:sync_notify(M, {count, 2}),
    io:format("~p~n", [gen_event:call(M, {?MODULE, a}, get)]),
    io:format("~p~n", [lists:sort(gen_event:which_handlers(M))]),
    ok = gen_event:sync_notify(M, {leave, a}),
    io:format("~p~n", [gen_event:which_handlers(M)]),
    io:format("~p~n", [gen_event:call(M, {?MODULE, a}, get)]),
    io:format("~p~n", [gen_event:delete_handler(M, {?MODULE, b}, bye)]),
    gen_event:stop(M).

init(Name) -> {ok, {Name, 0}}.
handle_event({count, N}, {Name, C}) -> {ok, {Name, C + N}};
handle_event({leave, Name}, {Name, _}) -> remove_handler;
handle_event(_, S) -> {ok, S}.
handle_call(get, {_, C} = S) -> {ok, C, S}.
terminate(Why, {Name, C}) -> io:format("~p leaves: ~p~n", [Name, Why]), {Name, C}.
