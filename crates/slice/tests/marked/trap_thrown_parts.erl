%% What is thrown reaches the handler part by part; the head of a handler is printed as it is.
-module(trap_thrown_parts).
-export([f/1]).

f(N) ->
    try
        g(N)
    catch
        throw:{found, X, ⟨Y⟩} -> {«X», ‹Y›}
    end.

g(N) when N > 3 -> throw({found, N, ‹{N}›});
g(⟨N⟩) -> ⟨N⟩.
