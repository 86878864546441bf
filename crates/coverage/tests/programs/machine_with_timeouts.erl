%% A state machine with timeouts of all kinds, events that wait, and a crash.
-module(machine_with_timeouts).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, idle/3, busy/3, terminate/3, code_change/4]).
main() ->
    {ok, P} = gen_statem:start_link({local, st1_name}, ?MODULE, [self()], []),
    ok = gen_statem:call(st1_name, {work, 10}),
    {error, busy} = gen_statem:call(P, {work, 20}, 1000),
    gen_statem:cast(P, {note, fun(X) -> self() ! {noted, X}, X end}),
    N = receive {state, finished, N0} -> N0 after 5000 -> exit(no_state) end,
    R = gen_statem:send_request(P, who),
    {reply, Who} = gen_statem:wait_response(R, infinity),
    P ! {raw, self()},
    receive {raw_answer, idle} -> ok end,
    process_flag(trap_exit, true),
    gen_statem:cast(P, crash),
    receive {'EXIT', P, {oops, _}} -> ok; {'EXIT', P, Why} -> exit(Why) end,
    {N, Who}.
callback_mode() -> [state_functions, state_enter].
init([Client]) -> {ok, idle, #{client => Client, n => 0}}.
idle(enter, busy, #{client := C, n := N} = D) -> C ! {state, finished, N}, {keep_state, D};
idle(enter, _, _) -> keep_state_and_data;
idle({call, From}, {work, T}, D) -> {next_state, busy, D, [{reply, From, ok}, {state_timeout, T, done}]};
idle({call, From}, who, _) -> {keep_state_and_data, {reply, From, self()}};
idle(cast, crash, _) -> throw_it(oops);
idle(cast, {note, F}, D) -> F(D), keep_state_and_data;
idle(info, {raw, Pid}, _) -> Pid ! {raw_answer, idle}, keep_state_and_data;
idle(info, {noted, _}, _) -> keep_state_and_data;
idle({timeout, tick}, _, _) -> keep_state_and_data.
throw_it(X) -> error(X).
busy(enter, idle, D) -> {keep_state, D, {{timeout, tick}, 3, tock}};
busy({call, From}, {work, _}, _) -> gen_statem:reply(From, {error, busy}), keep_state_and_data;
busy({call, _}, _, _) -> {keep_state_and_data, postpone};
busy(cast, {note, _}, _) -> {keep_state_and_data, [postpone]};
busy({timeout, tick}, tock, #{n := N} = D) -> {keep_state, D#{n := N + 1}, {next_event, internal, {again, N}}};
busy(internal, {again, _}, _) -> keep_state_and_data;
busy(state_timeout, done, D) -> {next_state, idle, D}.
terminate(_, _, #{client := C}) -> C ! bye, ok.
code_change(_, S, D, _) -> {ok, S, D}.
