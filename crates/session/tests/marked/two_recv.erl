-module(two_recv).
-export([main/0]).
%% faults behind a receive, in the same function
main() ->
    P = spawn(fun() -> peer(0) end),
    A = session(P, [3, 4]),
    B = average(P, 3),
    P ! {bye, self()},
    Z = receive {bye, N} -> N end,
    X = Z «* 2¦* 3»,
    {A, B, X}.
session(P, Xs) ->
    P ! {hello, self()},
    K = receive {welcome, K0} -> K0 end,
    Sent = [send(P, X * «K¦(K + 1)») || X <- Xs],
    Rs = [receive {ok, R} -> R end || _ <- Sent],
    Sum = lists:sum(Rs),
    {session, «Sum¦Sum - 1», length(Sent)}.
send(P, X) -> P ! {work, self(), X}, X.
average(P, N) ->
    Vs = [ask(P, I) || I <- lists:seq(1, N)],
    lists:sum(Vs) / «N¦(N + 1)».
ask(P, I) ->
    P ! {work, self(), I},
    V = receive {ok, R} -> R end,
    case V of
        X when X > 2 -> «X¦-X»;
        X -> X
    end.
peer(N) ->
    receive
        {hello, F} -> F ! {welcome, «2¦3»}, peer(N);
        {work, F, X} ->
            Y = X * X,
            Z = Y «+ N¦- N»,
            F ! {ok, Z},
            peer(N + 1);
        {bye, F} -> F ! {bye, N}
    end.
