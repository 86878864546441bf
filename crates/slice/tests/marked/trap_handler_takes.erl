%% What follows a try inside of another one happens if its handler takes what was thrown: that is in the reason.
-module(trap_handler_takes).
-export([f/1]).

f(Where) ->
    try
        ‹A =› try
            fail_if(Where, inner),
            ‹1›
        catch
            throw:inner -> ‹2›
        end,
        {«Where», ‹A›}
    catch
        ‹throw›:‹X› -> ‹{caught, X}›
    end.

fail_if(X, X) -> throw(X);
fail_if(_, _) -> ‹ok›.
