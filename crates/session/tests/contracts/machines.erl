%% Invariants of a state machine.
-module(machines).
-behaviour(gen_statem).
-compile([export_all, nowarn_export_all]).

-invariant("N -> is_integer(N) andalso N < 3").

callback_mode() -> state_functions.
init(N) -> {ok, off, N}.
off({call, From}, push, N) -> {next_state, on, N + 1, [{reply, From, on}]};
off(cast, break, _) -> {keep_state, broken};
off(_, _, _) -> keep_state_and_data.
on({call, From}, push, N) -> {next_state, off, N, [{reply, From, off}]};
on(_, _, _) -> keep_state_and_data.

run(Times) ->
    {ok, P} = gen_statem:start(?MODULE, 0, []),
    [catch gen_statem:call(P, push) || _ <- lists:seq(1, Times)],
    is_process_alive(P).
break() ->
    {ok, P} = gen_statem:start(?MODULE, 0, []),
    gen_statem:cast(P, break),
    catch gen_statem:call(P, push),
    is_process_alive(P).

%! run(4): true
%! run(5): invariant callee
%! break(): invariant callee
