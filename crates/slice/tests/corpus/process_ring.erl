%% A token goes round a ring of processes.
%% inputs: ring(nat, nat), chain(int)
-module(process_ring).
-export([ring/2, chain/1]).

ring(N0, Rounds0) ->
    N = 1 + N0 rem 4,
    Rounds = Rounds0 rem 3,
    Last = self(),
    First = make(N, Last),
    Token = go(First, Rounds, 0),
    First ! stop,
    receive stop -> ok end,
    {N, Token}.

make(0, Next) -> Next;
make(N, Next) ->
    Pid = spawn(fun() -> node(N, Next) end),
    make(N - 1, Pid).

node(Id, Next) ->
    receive
        {token, T} ->
            Next ! {token, T + Id},
            node(Id, Next);
        stop ->
            Next ! stop
    end.

go(_, 0, T) -> T;
go(First, R, T) ->
    First ! {token, T},
    receive
        {token, T2} -> go(First, R - 1, T2)
    end.

chain(X) ->
    Me = self(),
    C = spawn(fun() -> receive V -> Me ! {out, V - 1} end end),
    B = spawn(fun() -> receive V -> C ! V * 2 end end),
    A = spawn(fun() -> receive V -> B ! V + 3 end end),
    A ! X,
    receive {out, Y} -> {X, Y} end.
