%% Who enters the program fails; what another process sends is first then.
%% inputs: run(int)
-module(caller_overtaken).
-export([run/1]).

run(N) ->
    P = spawn(fun() -> first() end),
    spawn(fun() -> timer:sleep(6), P ! {from, other, N} end),
    check(N),
    timer:sleep(2),
    P ! {from, main, N}.

first() ->
    receive {from, Who, X} -> R = {Who, X}, R end.

check(N) when N > 2 -> error({large, N});
check(N) -> N.
