%% What the library calls for each element is not called any more once it raises: so what raises decides
%% what was put last, whatever becomes of the exception.
-module(trap_called_again).
-export([f/1]).

f(L) ->
    put(seen, none),
    ‹R =› (catch lists:foreach(fun(X) -> put(seen, X), check(X) end, L)),
    Seen = get(seen),
    ‹{R,› «Seen»‹}›.

check(X) when X > 2 -> throw(‹large›);
check(_) -> ⟨ok⟩.
