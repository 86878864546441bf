-module(chan).
-export([main/0]).
main() ->
    Q = spawn(fun() -> queue([], []) end),
    Ps = [spawn(fun() -> producer(Q, I, 3) end) || I <- [1, 2]],
    Me = self(),
    C = spawn(fun() -> consumer(Q, 6, [], Me) end),
    R = receive {C, L} -> lists:sort(L) end,
    M = [erlang:monitor(process, P) || P <- Ps],
    [receive {'DOWN', X, process, _, _} -> ok end || X <- M],
    Q ! {len, self()},
    N = receive {len, K} -> K after 500 -> none end,
    {R, N, length(Ps)}.
queue([], []) ->
    receive
        {put, X} -> queue([«X¦X, X»], []);
        {get, P} -> queue([], [P]);
        {len, P} -> P ! {len, 0}, queue([], [])
    end;
queue([], [W | Ws]) ->
    receive
        {put, X} -> W ! {item, X}, queue([], Ws);
        {get, P} -> queue([], Ws ++ [P]);
        {len, P} -> P ! {len, -1}, queue([], [W | Ws])
    end;
queue([H | T], []) ->
    receive
        {put, X} -> queue([H | T] ++ [«X¦H»], []);
        {get, P} -> P ! {item, «H¦{H}»}, queue(T, []);
        {len, P} -> P ! {len, length([H | T])}, queue([H | T], [])
    end.
producer(_, _, 0) -> done;
producer(Q, I, N) ->
    Q ! {put, I * 10 «+ N¦- N»},
    producer(Q, I, N - 1).
consumer(_, 0, Acc, To) -> To ! {self(), Acc};
consumer(Q, N, Acc, To) ->
    Q ! {get, self()},
    receive {item, X} -> consumer(Q, N - 1, «[X | Acc]¦Acc ++ [N]», To) end.
