%% A lock as a gen_statem that fails while who started it traps exits and never receives.
%% inputs: run(list(one(press; {code, 1}; {code, 2}; wait; query; die)), nat)
-module(keypad_lock).
-behaviour(gen_statem).
-export([run/2, init/1, callback_mode/0, terminate/3]).
-export([locked/3, open/3]).

run(Evs, Code) ->
    process_flag(trap_exit, true),
    {ok, P} = gen_statem:start_link(?MODULE, Code, []),
    R = [do(P, E) || E <- Evs],
    Alive = is_process_alive(P),
    catch gen_statem:stop(P),
    Why = receive {'EXIT', P, W} -> shape(W) after 10 -> none end,
    {R, Alive, Why}.

shape({R, _}) -> R;
shape(R) -> R.

do(_, wait) -> timer:sleep(6), waited;
do(P, query) -> try gen_statem:call(P, query) catch exit:_ -> dead end;
do(P, {code, C}) -> gen_statem:cast(P, {code, C}), ok;
do(P, E) -> gen_statem:cast(P, E), ok.

init(Code) -> {ok, locked, #{code => Code, tries => 0, opened => 0}}.
callback_mode() -> [state_functions, state_enter].

locked(enter, open, D) -> {keep_state, D#{tries := 0}};
locked(enter, _, _) -> keep_state_and_data;
locked(cast, {code, C}, #{code := C, opened := N} = D) -> {next_state, open, D#{opened := N + 1}};
locked(cast, {code, _}, #{tries := T}) when T >= 2 -> {stop, too_many};
locked(cast, {code, _}, #{tries := T} = D) -> {keep_state, D#{tries := T + 1}};
locked(cast, press, _) -> {keep_state_and_data, [postpone]};
locked(Type, Ev, D) -> common(Type, Ev, D, locked).

open(enter, _, _) -> {keep_state_and_data, [{state_timeout, 5, close}]};
open(state_timeout, close, D) -> {next_state, locked, D};
open(cast, press, D) -> {next_state, locked, D#{pressed => maps:get(pressed, D, 0) + 1}};
open(cast, {code, _}, _) -> keep_state_and_data;
open(Type, Ev, D) -> common(Type, Ev, D, open).

common({call, From}, query, D, S) -> {keep_state_and_data, [{reply, From, {S, maps:remove(code, D)}}]};
common(cast, die, #{opened := O}, _) -> exit({died, O}).

terminate(_, _, _) -> ok.
