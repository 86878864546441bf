%% Replies through an alias, and none after it is gone.
-module(alias_reply).
-export([main/0]).
main() ->
    A = alias(),
    Server = spawn(fun() -> server() end),
    Server ! {A, one},
    receive {A, one} -> io:format("got one~n") end,
    true = unalias(A),
    false = unalias(A),
    Server ! {A, two},
    R = receive Any -> Any after 20 -> nothing end,
    M = monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {M, three},
    receive {M, three} -> io:format("got three~n") end,
    Server ! {M, four},
    R2 = receive Any2 -> Any2 after 20 -> nothing end,
    {R, R2}.

server() ->
    receive {From, What} -> From ! {From, What}, server() end.
