-module(gsm_door).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, locked/3, open/3]).
main() ->
    {ok, D} = gen_statem:start_link(?MODULE, [1, 2, 3], []),
    A = press(D, [1, 2, 4]),
    B = press(D, [1, 2, 3]),
    C = gen_statem:call(D, state),
    timer:sleep(200),
    E = gen_statem:call(D, state),
    F = gen_statem:call(D, tries),
    gen_statem:stop(D),
    {A, B, C, E, F}.
press(D, Ks) -> [gen_statem:call(D, {key, K}) || K <- «Ks¦lists:reverse(Ks)»].
callback_mode() -> state_functions.
init(Code) -> {ok, locked, #{code => Code, left => «Code¦tl(Code)», tries => 0}}.
locked({call, From}, {key, K}, #{left := [K]} = D) ->
    {next_state, open, D#{left := maps:get(code, D)}, [{reply, From, opened}, {state_timeout, «100¦1000», close}]};
locked({call, From}, {key, K}, #{left := [K | R]} = D) ->
    {keep_state, D#{left := «R¦[K | R]»}, [{reply, From, more}]};
locked({call, From}, {key, _}, #{code := C, tries := T} = D) ->
    {keep_state, D#{left := C, tries := T + «1¦2»}, [{reply, From, wrong}]};
locked({call, From}, What, D) -> common(From, What, locked, D).
open(state_timeout, close, D) -> {next_state, «locked¦open», D};
open({call, From}, {key, _}, D) -> {keep_state, D, [{reply, From, already}]};
open({call, From}, What, D) -> common(From, What, open, D).
common(From, state, S, _) -> {keep_state_and_data, [{reply, From, «S¦locked»}]};
common(From, tries, _, #{tries := T}) -> {keep_state_and_data, [{reply, From, «T¦T + 1»}]}.
