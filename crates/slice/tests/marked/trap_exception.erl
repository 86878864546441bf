%% The handler is reached when the call fails: so the call and what makes it fail are needed, the
%% result of the call is not.
-module(trap_exception).
-export([f/1]).

f(N) ->
    B = 10,
    try
        ⟨R =⟩ check(N),
        ⟨R + 1⟩
    catch
        throw:_ -> «B»
    end.

check(N) when N > 3 -> throw(‹too_big›);
check(N) -> ⟨N * 2⟩.
