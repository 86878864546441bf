%% Processes that are ended by signals before they come to what they would do.
%% inputs: run(int)
-module(killed_in_time).
-export([run/1]).

run(N) ->
    Me = self(),
    P = spawn(fun() -> timer:sleep(5), Me ! {late, N} end),
    Q = spawn(fun() -> receive {go, X} -> Me ! {went, X} after 8 -> Me ! {idle, N} end end),
    if N > 3 -> exit(P, kill); true -> ok end,
    Q ! {go, N},
    if N < 0 -> exit(Q, kill); N =:= 1 -> exit(Q, normal); true -> ok end,
    A = receive {late, L} -> L after 10 -> none end,
    B = receive {went, W} -> W; {idle, I} -> {idle, I} after 10 -> none end,
    {A, B}.
