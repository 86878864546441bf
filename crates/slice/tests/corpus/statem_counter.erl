%% A gen_statem with state functions, enter calls, time-outs and postponed events.
%% inputs: run(list(int)), timeouts(nat), postponed(int)
-module(statem_counter).
-behaviour(gen_statem).
-export([run/1, timeouts/1, postponed/1]).
-export([init/1, callback_mode/0, idle/3, busy/3, terminate/3]).

run(L) ->
    {ok, Pid} = gen_statem:start(?MODULE, {0, 100}, []),
    [gen_statem:cast(Pid, {add, X}) || X <- L],
    A = gen_statem:call(Pid, get),
    B = gen_statem:call(Pid, toggle),
    C = gen_statem:call(Pid, get),
    gen_statem:stop(Pid),
    {A, B, C}.

timeouts(N) ->
    {ok, Pid} = gen_statem:start(?MODULE, {N, 5}, []),
    ok = gen_statem:call(Pid, arm),
    receive after 20 -> ok end,
    R = gen_statem:call(Pid, get),
    gen_statem:stop(Pid),
    R.

postponed(N) ->
    {ok, Pid} = gen_statem:start(?MODULE, {N, 100}, []),
    gen_statem:cast(Pid, {later, N}),
    busy = gen_statem:call(Pid, toggle),
    R = gen_statem:call(Pid, get),
    gen_statem:stop(Pid),
    R.

callback_mode() -> [state_functions, state_enter].

init({N, T}) -> {ok, idle, #{count => N, time => T, entered => 0}}.

idle(enter, _Old, D = #{entered := E}) -> {keep_state, D#{entered := E + 1}};
idle(cast, {add, X}, D = #{count := C}) -> {keep_state, D#{count := C + X}};
idle(cast, {later, _}, _) -> {keep_state_and_data, [postpone]};
idle({call, From}, get, #{count := C}) -> {keep_state_and_data, [{reply, From, {idle, C}}]};
idle({call, From}, arm, #{time := T}) ->
    {keep_state_and_data, [{reply, From, ok}, {state_timeout, T, fire}]};
idle(state_timeout, fire, D = #{count := C}) -> {next_state, busy, D#{count := C * 2}};
idle({call, From}, toggle, D) -> {next_state, busy, D, [{reply, From, busy}]}.

busy(enter, idle, D = #{entered := E}) -> {keep_state, D#{entered := E + 10}};
busy(cast, {later, X}, D = #{count := C}) -> {keep_state, D#{count := C - X}};
busy(cast, {add, _}, _) -> keep_state_and_data;
busy({call, From}, get, #{count := C, entered := E}) ->
    {keep_state_and_data, {reply, From, {busy, C, E}}};
busy({call, From}, toggle, D) -> {next_state, idle, D, {reply, From, idle}}.

terminate(_, _, _) -> ok.
