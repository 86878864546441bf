%% A bridge with one lane: cars of one direction at a time. Who waits on the other side closes the
%% entry for this one, so nobody waits for ever.
-module(bridge_fair).
-behaviour(gen_server_cpre).
-include_lib("edbc.hrl").
-compile([export_all, nowarn_export_all]).
-record(state, {on = #{n => 0, s => 0}, waiting = #{n => 0, s => 0}, passed = 0}).

?INVARIANT(fun invariant/1).
invariant(#state{on = #{n := N, s := S}}) when N > 0, S > 0 -> {false, "Cars of both directions are on the bridge"};
invariant(#state{passed = P, waiting = #{n := N, s := S}}) when P > 1, N + S > 0 ->
    {false, "Too many have passed while others wait"};
invariant(#state{}) -> true.

init([]) -> {ok, #state{}}.
other(n) -> s;
other(s) -> n.
%% Who arrives says so first, and asks to enter then.
cpre({enter, D}, _, #state{on = On, passed = P, waiting = W} = S) ->
    O = other(D),
    {maps:get(O, On) =:= 0 andalso (maps:get(O, W) =:= 0 orelse P < 1), S};
cpre(_, _, S) -> {true, S}.
handle_call({arrive, D}, _, #state{waiting = W} = S) ->
    {reply, ok, S#state{waiting = maps:update_with(D, fun(N) -> N + 1 end, W)}};
handle_call({enter, D}, _, #state{waiting = W, on = On, passed = P} = S) ->
    W1 = maps:update_with(D, fun(N) -> N - 1 end, W),
    P1 = case maps:get(other(D), W) of 0 -> 0; _ -> P + 1 end,
    {reply, pass, S#state{waiting = W1, on = maps:update_with(D, fun(N) -> N + 1 end, On), passed = P1}};
handle_call({leave, D}, _, #state{on = On} = S) ->
    On1 = maps:update_with(D, fun(N) -> N - 1 end, On),
    P = case maps:get(D, On1) of 0 -> 0; _ -> S#state.passed end,
    {reply, ok, S#state{on = On1, passed = P}}.
handle_cast(_, S) -> {noreply, S}.

main(Cars) ->
    {ok, B} = gen_server_cpre:start(?MODULE, [], []),
    [spawn(fun() -> car(B, D) end) || D <- Cars],
    ok.
car(B, D) ->
    gen_server_cpre:call(B, {arrive, D}, infinity),
    pass = gen_server_cpre:call(B, {enter, D}, infinity),
    gen_server_cpre:call(B, {leave, D}, infinity).
%= 20
two() -> main([n, s]).
%= 2624
three() -> main([n, n, s]).
