-module('POPL_x').
-export([test/0]).
%% The name of the module needs quotes; a shell takes them away.
test() ->
    Me = self(),
    spawn(fun() -> Me ! {first, helper:one()} end),
    spawn(fun() -> Me ! {second, 2} end),
    receive {first, _} -> ok; {second, _} -> exit(wrong_order) end.
