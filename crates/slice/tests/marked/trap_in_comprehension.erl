%% A criterion inside a comprehension: filters before it decide whether it is reached.
-module(trap_in_comprehension).
-export([f/2]).

f(L, ‹M›) ->
    ‹Unused = length(M)›,
    ⟨R =⟩ [{«X», ‹Y›} || {X, Y} <- L, X > 1, Y < 5],
    ‹{R, Unused}›.
