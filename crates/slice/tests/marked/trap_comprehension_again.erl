%% A comprehension ends where its body raises: later elements are not put.
-module(trap_comprehension_again).
-export([f/1]).

f(L) ->
    put(seen, none),
    ‹R =› (catch [begin put(seen, X), check(X) end || X <- L]),
    Seen = get(seen),
    ‹{R,› «Seen»‹}›.

check(X) when X > 2 -> throw(‹large›);
check(_) -> ⟨ok⟩.
