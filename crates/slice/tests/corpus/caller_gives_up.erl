%% Who enters the program fails; another process waits for it no longer than some time.
%% inputs: run(int)
-module(caller_gives_up).
-export([run/1]).

run(N) ->
    P = spawn(fun worker/0),
    P ! {first, N},
    check(N),
    P ! {second, N + 1}.

worker() ->
    A = receive {first, X} -> X end,
    B = receive {second, Y} -> Y after 10 -> none end,
    C = {A, B},
    C.

check(N) when N > 2 -> error({large, N});
check(N) -> 10 div N.
