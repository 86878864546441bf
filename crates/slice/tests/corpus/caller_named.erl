%% Who enters the program fails, and its name is free.
%% inputs: run(int)
-module(caller_named).
-export([run/1]).

run(N) ->
    true = register(caller_named_main, self()),
    spawn(fun() -> asks() end),
    V = try 12 div N catch error:_ -> exit(zero) end,
    receive {ask, From} -> From ! {answer, V} end,
    [x] = [x || N < 3],
    timer:sleep(10),
    unregister(caller_named_main).

asks() ->
    timer:sleep(2),
    W = whereis(caller_named_main),
    A = case W of
        undefined -> nobody;
        P -> P ! {ask, self()}, receive {answer, X} -> X after 5 -> none end
    end,
    timer:sleep(2),
    B = try caller_named_main ! again, there catch error:badarg -> gone end,
    L = is_pid(W) andalso is_process_alive(W),
    {A, B, L}.
