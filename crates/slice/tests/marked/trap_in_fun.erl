%% A criterion inside a fun: the calls of the fun matter, and what it captured.
-module(trap_in_fun).
-export([f/3]).

f(A, B, ‹C›) ->
    F = fun(X) -> «X» + ‹C› end,
    G = fun(H, Y) -> H(Y) end,
    ‹Z = C + 1›,
    ⟨R =⟩ G(F, A) + F(B),
    ‹{R, Z}›.
