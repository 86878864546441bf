%% A chain of processes of which one is ended by another.
%% inputs: run(int, int)
-module(broken_chain).
-export([run/2]).

run(N, M) ->
    Me = self(),
    A = spawn(fun() -> stage(Me, a) end),
    B = spawn(fun() -> stage(A, b) end),
    C = spawn(fun() -> stage(B, c) end),
    killer(N, A, B, C),
    [C ! {item, X} || X <- [N, M]],
    timer:sleep(3),
    Got = collect([]),
    Alive = [is_process_alive(P) || P <- [A, B, C]],
    {Got, Alive}.

killer(N, A, _, _) when N > 5 -> spawn(fun() -> exit(A, bad) end);
killer(N, _, B, _) when N < 0 -> exit(B, bad);
killer(_, _, _, C) -> erlang:send_after(1, C, stop).

stage(To, Tag) ->
    receive
        {item, X} -> To ! {item, {Tag, X}}, stage(To, Tag);
        stop -> To ! stop
    end.

collect(Acc) ->
    receive {item, X} -> collect([X | Acc]); stop -> {done, Acc} after 2 -> {open, Acc} end.
