%% The second element of an appended list may come from either list.
-module(trap_append).
-export([f/3]).

f(⟨A⟩, B, ⟨C⟩) ->
    X = [⟨A⟩],
    Y = [B, ⟨C⟩],
    ‹Unused = [A, B]›,
    [_, «Z» | _] = X ++ Y,
    ‹{Z, Unused}›.
