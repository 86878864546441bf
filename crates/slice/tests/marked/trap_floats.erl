%% Floats are literals as others are.
-module(trap_floats).
-export([f/1]).

f(X) ->
    Y = X * 2.5,
    ‹Z = X * 1.5e3›,
    W = case Y of
        5.0 -> exact;
        _ -> other
    end,
    {«W», ‹Z›}.
