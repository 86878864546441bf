%% What is thrown reaches the handler part by part, and the head of a handler looks at parts.
-module(trap_thrown_parts).
-export([f/1]).

f(N) ->
    try
        g(N)
    catch
        throw:{found, X, ‹Y›} -> {«X», ‹Y›}
    end.

g(N) when N > 3 -> throw({found, N, ‹{N}›});
g(⟨N⟩) -> ⟨N⟩.
