%% A door with a code as a gen_statem.
%% inputs: try_codes(list(int)), open_close(int)
-module(gen_statem_door).
-behaviour(gen_statem).
-export([try_codes/1, open_close/1]).
-export([init/1, callback_mode/0, locked/3, open/3]).

try_codes(Codes) ->
    {ok, Pid} = gen_statem:start(?MODULE, 3, []),
    Answers = [gen_statem:call(Pid, {code, C}) || C <- Codes],
    {State, Tries} = gen_statem:call(Pid, status),
    gen_statem:stop(Pid),
    {Answers, State, Tries}.

open_close(Code) ->
    {ok, Pid} = gen_statem:start(?MODULE, Code, []),
    A = gen_statem:call(Pid, {code, Code}),
    gen_statem:cast(Pid, close),
    {S, N} = gen_statem:call(Pid, status),
    gen_statem:stop(Pid),
    {A, S, N}.

callback_mode() -> state_functions.

init(Code) -> {ok, locked, #{code => Code, tries => 0}}.

locked({call, From}, {code, C}, #{code := C} = D) ->
    {next_state, open, D, [{reply, From, opened}]};
locked({call, From}, {code, _}, #{tries := T} = D) ->
    More = T + 1,
    {keep_state, D#{tries := More}, [{reply, From, {wrong, More}}]};
locked({call, From}, status, #{tries := T}) ->
    {keep_state_and_data, [{reply, From, {locked, T}}]};
locked(cast, close, _) ->
    keep_state_and_data.

open({call, From}, {code, _}, _) ->
    {keep_state_and_data, [{reply, From, already}]};
open({call, From}, status, #{tries := T}) ->
    {keep_state_and_data, [{reply, From, {open, T}}]};
open(cast, close, D) ->
    {next_state, locked, D#{tries := 0}}.
