%% A criterion in a guard is reached when the pattern matches and the tests before it hold.
-module(trap_in_guard).
-export([f/3]).

f(X, Y, ‹_Z›) when X > 1, «Y» > ⟨2⟩ -> ‹first›;
‹f(X, Y, Z) -> {X, Y, Z}.›
