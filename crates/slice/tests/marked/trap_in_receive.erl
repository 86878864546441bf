%% A received value depends on what was sent, and on nothing that was sent to others.
-module(trap_in_receive).
-export([f/2]).

f(A, ‹B›) ->
    Self = self(),
    ‹Other = spawn(fun() -> receive {data, _} -> ok end end)›,
    ⟨Pid =⟩ spawn(fun() -> Self ! {data, A} end),
    ‹Other ! {data, B}›,
    receive
        {data, X} -> {«X», ‹Pid›}
    end.
