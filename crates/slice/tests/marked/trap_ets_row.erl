%% Rows of a table: by key, and part by part. Another table has nothing to do with it.
-module(trap_ets_row).
-export([f/2]).

f(A, ‹B›) ->
    T = ets:new(t, []),
    ‹U = ets:new(u, [])›,
    ets:insert(T, {k, A, ‹B›}),
    ‹ets:insert(T, {other, B, A})›,
    ‹ets:insert(U, {k, B, B})›,
    [{⟨_⟩, X, ‹Y›}] = ets:lookup(T, k),
    {«X», ‹Y›}.
