%% A gen_statem with one function for all events, and a record as its data.
%% inputs: door(list(one(open; close; lock; unlock))), pushed(nat), replies(int), data(list(int))
-module(statem_events).
-behaviour(gen_statem).
-export([door/1, pushed/1, replies/1, data/1]).
-export([init/1, callback_mode/0, handle_event/4]).

-record(d, {code, tries = 0, log = [], total = 0}).

door(Ops) ->
    {ok, P} = gen_statem:start_link(?MODULE, 7, []),
    Rs = [gen_statem:call(P, Op) || Op <- Ops],
    S = gen_statem:call(P, state),
    L = gen_statem:call(P, log),
    ok = gen_statem:stop(P),
    {lists:usort(Rs), S, L}.

pushed(N) ->
    {ok, P} = gen_statem:start_link(?MODULE, N, []),
    gen_statem:cast(P, {push, N}),
    T = gen_statem:call(P, total),
    gen_statem:stop(P),
    T.

replies(N) ->
    {ok, P} = gen_statem:start_link(?MODULE, N, []),
    A = gen_statem:call(P, {code, N}),
    B = gen_statem:call(P, {code, N + 1}),
    P ! {info, 5},
    C = gen_statem:call(P, total),
    gen_statem:stop(P),
    {A, B, C}.

data(L) ->
    {ok, P} = gen_statem:start_link(?MODULE, 0, []),
    [gen_statem:cast(P, {add, X}) || X <- L],
    T = gen_statem:call(P, total),
    K = gen_statem:call(P, tries),
    gen_statem:stop(P),
    {T, K}.

callback_mode() -> handle_event_function.

init(Code) -> {ok, closed, #d{code = Code}}.

handle_event({call, From}, open, closed, D) -> {next_state, opened, note(open, D), [{reply, From, ok}]};
handle_event({call, From}, close, opened, D) -> {next_state, closed, note(close, D), [{reply, From, ok}]};
handle_event({call, From}, lock, closed, D) -> {next_state, locked, D, [{reply, From, locked}]};
handle_event({call, From}, unlock, locked, D) -> {next_state, closed, D, [{reply, From, ok}]};
handle_event({call, From}, state, S, _) -> {keep_state_and_data, [{reply, From, S}]};
handle_event({call, From}, log, _, #d{log = L}) -> {keep_state_and_data, [{reply, From, lists:reverse(L)}]};
handle_event({call, From}, total, _, #d{total = T}) -> {keep_state_and_data, [{reply, From, T}]};
handle_event({call, From}, tries, _, D) -> {keep_state_and_data, [{reply, From, D#d.tries}]};
handle_event({call, From}, {code, C}, _, D = #d{code = C}) -> {keep_state, D#d{tries = 0}, [{reply, From, right}]};
handle_event({call, From}, {code, _}, _, D) -> {keep_state, D#d{tries = D#d.tries + 1}, [{reply, From, wrong}]};
handle_event({call, From}, _, _, _) -> {keep_state_and_data, [{reply, From, no}]};
handle_event(cast, {push, N}, _, D) -> {keep_state, D, [{next_event, internal, {more, N}}]};
handle_event(internal, {more, N}, _, D) -> {keep_state, D#d{total = D#d.total + N * 2}};
handle_event(cast, {add, X}, _, D) -> {keep_state, D#d{total = D#d.total + X, tries = X}};
handle_event(info, {info, K}, _, D) -> {keep_state, D#d{total = K}}.

note(What, D) -> D#d{log = [What | D#d.log]}.
