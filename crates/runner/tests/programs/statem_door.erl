%% A door with a code: states as functions, time-outs, postponed events.
-module(statem_door).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, locked/3, open/3]).

main() ->
    {ok, D} = gen_statem:start_link(?MODULE, [1, 2, 3], []),
    [gen_statem:cast(D, {button, B}) || B <- [1, 2, 4]],
    io:format("~p~n", [gen_statem:call(D, state)]),
    [gen_statem:cast(D, {button, B}) || B <- [1, 2, 3]],
    io:format("~p~n", [gen_statem:call(D, state)]),
    gen_statem:cast(D, {button, 9}),
    timer:sleep(200),
    io:format("~p~n", [gen_statem:call(D, state)]),
    gen_statem:stop(D).

callback_mode() -> [state_functions, state_enter].

init(Code) -> {ok, locked, #{code => Code, left => Code}}.

locked(enter, Old, Data = #{code := Code}) ->
    io:format("locked, was ~p~n", [Old]),
    {keep_state, Data#{left := Code}};
locked(cast, {button, B}, Data = #{left := [B]}) -> {next_state, open, Data};
locked(cast, {button, B}, Data = #{left := [B | Rest]}) -> {keep_state, Data#{left := Rest}};
locked(cast, {button, _}, Data = #{code := Code}) -> {keep_state, Data#{left := Code}};
locked({call, From}, state, #{left := Left}) -> {keep_state_and_data, [{reply, From, {locked, Left}}]}.

open(enter, Old, _) ->
    io:format("open, was ~p~n", [Old]),
    {keep_state_and_data, [{state_timeout, 100, lock}]};
open(state_timeout, lock, Data) -> {next_state, locked, Data};
open(cast, {button, _}, _) -> {keep_state_and_data, [postpone]};
open({call, From}, state, _) -> {keep_state_and_data, [{reply, From, open}]}.
