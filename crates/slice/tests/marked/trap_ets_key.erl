%% Tables. (That keys are told apart is not asked for yet.)
-module(trap_ets_key).
-export([f/2]).

f(A, ⟨B⟩) ->
    T = ets:new(t, []),
    ets:insert(T, {a, A}),
    ⟨ets:insert(T, {b, B})⟩,
    [{_, X}] = ets:lookup(T, a),
    «X».
