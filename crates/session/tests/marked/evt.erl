-module(evt).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2]).
main() ->
    {ok, M} = gen_event:start_link(),
    ok = gen_event:add_handler(M, ?MODULE, [error]),
    ok = gen_event:add_handler(M, {?MODULE, all}, [error, info]),
    [gen_event:sync_notify(M, E) || E <- [{error, 1}, {info, 2}, {error, 3}]],
    A = gen_event:call(M, ?MODULE, get),
    B = gen_event:call(M, {?MODULE, all}, get),
    M ! flush,
    C = gen_event:call(M, {?MODULE, all}, get),
    gen_event:notify(M, die),
    D = gen_event:which_handlers(M),
    {A, B, C, D}.
init(Levels) -> {ok, {Levels, «[]¦[0]»}}.
handle_event(die, {[_], _}) -> remove_handler;
handle_event(die, S) -> {ok, S};
handle_event({L, X}, {Ls, Acc}) ->
    case lists:member(L, Ls) of
        true -> {ok, {Ls, [«X¦L» | Acc]}};
        false -> {ok, {«Ls¦[L | Ls]», Acc}}
    end.
handle_call(get, {_, Acc} = S) -> {ok, «lists:reverse(Acc)¦Acc», S}.
handle_info(flush, {Ls, _}) -> {ok, {Ls, «[]¦[flushed]»}}.
