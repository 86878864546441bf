%% The same of a state machine: a lock, with functions for its states.
-module(protocols).
-behaviour(gen_statem).
-compile([export_all, nowarn_export_all]).

-messages("call(lock, _, {unlocked, _}) -> true; call({unlock, K}, _, {locked, N}) -> K =:= N").
-messages("cast(ring, {locked, _}) -> true").

callback_mode() -> state_functions.
init(N) -> {ok, unlocked, N}.
unlocked({call, From}, _, N) -> {next_state, locked, N, [{reply, From, locked}]};
unlocked(_, _, _) -> keep_state_and_data.
locked({call, From}, _, N) -> {next_state, unlocked, N, [{reply, From, unlocked}]};
locked(_, _, _) -> keep_state_and_data.

run(Messages) ->
    {ok, P} = gen_statem:start(?MODULE, 7, []),
    [send(P, Message) || Message <- Messages],
    timer:sleep(1),
    is_process_alive(P).
send(P, {cast, Message}) -> gen_statem:cast(P, Message);
send(P, Message) -> catch gen_statem:call(P, Message).

%! run([lock, {unlock, 7}, lock]): true
%! run([lock, {cast, ring}]): true
%! run([{unlock, 7}]): messages caller
%! run([lock, {unlock, 8}]): messages caller
%! run([lock, lock]): messages caller
%! run([{cast, ring}]): messages caller
