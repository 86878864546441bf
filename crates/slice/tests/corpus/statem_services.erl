%% A gen_statem with everything: time-outs, postponed events, entered states, failures.
%% inputs: postponing(list(one(a; b; c))), entering(list(one(up; down))), generic(int), events(list(int)), batch(int), stopping(int), timers(int), replies(int), data_map(list({one(x; y; z), int})), named(list(int)), repeat(int)
-module(statem_services).
-behaviour(gen_statem).
-export([postponing/1, entering/1, generic/1, events/1, batch/1, stopping/1, timers/1, replies/1, data_map/1, named/1, repeat/1]).
-export([init/1, callback_mode/0, handle_event/4, terminate/3]).

start(A) -> {ok, P} = gen_statem:start(?MODULE, A, []), P.

postponing(L) ->
    P = start({wait, #{seen => [], sum => 0}}),
    [gen_statem:cast(P, {letter, X}) || X <- L],
    gen_statem:cast(P, open),
    S = gen_statem:call(P, {get, seen}),
    S.

entering(L) ->
    P = start({low, #{level => 0, entered => 0}}),
    [gen_statem:cast(P, X) || X <- L],
    E = gen_statem:call(P, {get, entered}),
    V = gen_statem:call(P, {get, level}),
    {E, V}.

generic(N) ->
    P = start({wait, #{n => N, fired => none, other => N * 7}}),
    gen_statem:cast(P, {arm, a, 5, N}),
    gen_statem:cast(P, {arm, b, 3, N + 1}),
    if N > 4 -> gen_statem:cast(P, {disarm, b}); true -> ok end,
    timer:sleep(10),
    F = gen_statem:call(P, {get, fired}),
    O = gen_statem:call(P, {get, other}),
    {F, O}.

events(L) ->
    P = start({wait, #{sum => 0, count => 0}}),
    [gen_statem:cast(P, {next, X}) || X <- L],
    S = gen_statem:call(P, {get, sum}),
    C = gen_statem:call(P, {get, count}),
    {S, C}.

batch(N) ->
    P = start({wait, #{pending => [], n => N}}),
    Me = self(),
    [spawn(fun() -> Me ! {got, I, gen_statem:call(P, {enqueue, I})} end) || I <- [1, 2]],
    timer:sleep(3),
    gen_statem:cast(P, {flush, N}),
    A = receive {got, 1, X} -> X after 20 -> none end,
    B = receive {got, 2, Y} -> Y after 20 -> none end,
    {A, B}.

stopping(N) ->
    P = start({wait, #{owner => self(), n => N}}),
    R = try gen_statem:call(P, {stop, N}) catch exit:{W, _} -> {exit, W} end,
    T = receive {terminated, S, V} -> {S, V} after 10 -> none end,
    {R, T}.

timers(N) ->
    P = start({wait, #{n => N, ticks => 0}}),
    gen_statem:cast(P, {tick, 2}),
    timer:sleep(N rem 4 + 5),
    T = gen_statem:call(P, {get, ticks}),
    T.

replies(N) ->
    P = start({wait, #{n => N}}),
    A = gen_statem:call(P, {double, N}),
    B = gen_statem:call(P, {via_function, N + 1}),
    C = try gen_statem:call(P, {odd, N}) catch exit:_ -> died end,
    {A, B, C}.

data_map(L) ->
    P = start({wait, #{x => 0, y => 0, z => 0}}),
    [gen_statem:cast(P, {set, K, V}) || {K, V} <- L],
    X = gen_statem:call(P, {get, x}),
    Y = gen_statem:call(P, {get, y}),
    X - Y.

named(L) ->
    {ok, P} = gen_statem:start({local, the_machine_named}, ?MODULE, {wait, #{sum => 0, count => 0}}, []),
    [gen_statem:cast(the_machine_named, {strict, X}) || X <- L],
    R = try gen_statem:call(the_machine_named, {get, sum}) catch exit:_ -> gone end,
    catch gen_statem:stop(P),
    R.

repeat(N) ->
    P = start({low, #{level => N, entered => 0}}),
    gen_statem:cast(P, again),
    gen_statem:cast(P, again),
    E = gen_statem:call(P, {get, entered}),
    E.

callback_mode() -> [handle_event_function, state_enter].

init({State, Data}) -> {ok, State, Data}.

handle_event(enter, Old, New, #{entered := E, level := L} = D) when Old =/= New -> {keep_state, D#{entered := E + L + 1}};
handle_event(enter, _, low, #{entered := E} = D) -> {keep_state, D#{entered := E + 100}};
handle_event(enter, _, _, _) -> keep_state_and_data;
handle_event(cast, {letter, c}, wait, _) -> {keep_state_and_data, [postpone]};
handle_event(cast, {letter, X}, wait, #{seen := S} = D) -> {keep_state, D#{seen := [X | S]}};
handle_event(cast, {letter, X}, open, #{seen := S} = D) -> {keep_state, D#{seen := S ++ [{late, X}]}};
handle_event(cast, open, wait, D) -> {next_state, open, D};
handle_event(cast, up, low, #{level := L} = D) -> {next_state, high, D#{level := L + 1}};
handle_event(cast, down, high, #{level := L} = D) -> {next_state, low, D#{level := L - 1}};
handle_event(cast, Way, _, _) when Way =:= up; Way =:= down -> keep_state_and_data;
handle_event(cast, {arm, Name, T, V}, _, _) -> {keep_state_and_data, [{{timeout, Name}, T, V}]};
handle_event(cast, {disarm, Name}, _, _) -> {keep_state_and_data, [{{timeout, Name}, infinity, none}]};
handle_event({timeout, Name}, V, _, D) -> {keep_state, D#{fired := {Name, V}}};
handle_event(cast, {next, X}, _, #{count := C} = D) when X > 0 ->
    {keep_state, D#{count := C + 1}, [{next_event, internal, {add, X}}]};
handle_event(cast, {next, _}, _, _) -> keep_state_and_data;
handle_event(internal, {add, X}, _, #{sum := S} = D) -> {keep_state, D#{sum := S + X}};
handle_event({call, From}, {enqueue, I}, _, #{pending := Q} = D) -> {keep_state, D#{pending := [{From, I} | Q]}};
handle_event(cast, {flush, N}, _, #{pending := Q} = D) ->
    {keep_state, D#{pending := []}, [{reply, From, {I, N}} || {From, I} <- Q]};
handle_event({call, From}, {stop, N}, _, D) when N > 4 -> {stop_and_reply, {shutdown, big}, [{reply, From, stopped}], D#{n := 0}};
handle_event({call, _}, {stop, N}, _, _) when N < 0 -> {stop, {shutdown, negative}};
handle_event({call, From}, {stop, N}, _, D) -> {next_state, {ready, N}, D, {reply, From, N}};
handle_event(cast, {tick, T}, _, _) -> {keep_state_and_data, [{state_timeout, T, tock}]};
handle_event(state_timeout, tock, _, #{ticks := T} = D) when T < 4 -> {keep_state, D#{ticks := T + 1}, [{state_timeout, 2, tock}]};
handle_event(state_timeout, tock, _, _) -> keep_state_and_data;
handle_event({call, From}, {double, N}, _, D) -> {keep_state, D#{n := N}, [{reply, From, N * 2}]};
handle_event({call, From}, {via_function, N}, _, #{n := M}) -> gen_statem:reply(From, N + M), keep_state_and_data;
handle_event({call, From}, {odd, N}, _, #{n := M}) -> answer(From, N, M);
handle_event(cast, {set, K, V}, _, D) -> {keep_state, D#{K := V}};
handle_event(cast, {strict, X}, _, #{sum := S, count := C} = D) -> strict(X), {keep_state, D#{sum := S + X, count := C + 1}};
handle_event(cast, again, _, D) -> {repeat_state, D};
handle_event({call, From}, {get, K}, _, D) -> {keep_state_and_data, [{reply, From, maps:get(K, D)}]}.

strict(X) when X > 6 -> exit({shutdown, X});
strict(_) -> ok.

answer(From, N, M) when N > 3 -> {keep_state_and_data, {reply, From, {M, N}}};
answer(From, N, _) -> {keep_state_and_data, [{reply, From, 10 div N}]}.

terminate(_, State, #{owner := O, n := N}) -> O ! {terminated, State, N};
terminate(_, _, _) -> ok.
