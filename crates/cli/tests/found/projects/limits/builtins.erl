-module(builtins).
-export([power/0, grows/0, found/0]).
%% One multiplication after the other: soon one takes hours, and nobody looks at a clock meanwhile.
power() -> power(3).
power(X) -> power(X * X).
%% One builtin that asks for all memory.
grows() -> length(lists:seq(1, 1000000000)).
%% An error is found before the search comes to the builtin.
found() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    spawn(fun() -> Me ! b end),
    receive a -> exit(found); b -> power() end.
