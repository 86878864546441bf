%% The same through functions that have no arguments or results in common.
-module(trap_put_by_callee).
-export([f/1]).

f(A) ->
    store(A),
    V = fetch(),
    «V».

store(X) ->
    put(key, {X, ⟨unused⟩}),
    ‹ok›.

fetch() ->
    {X, _} = get(key),
    X.
