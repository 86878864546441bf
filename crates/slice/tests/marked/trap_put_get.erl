%% What was put is what is got: by key.
-module(trap_put_get).
-export([f/2]).

f(A, ‹B›) ->
    put(x, A),
    ‹put(y, B)›,
    X = get(x),
    ‹Y = get(y)›,
    {«X», ‹Y›}.
