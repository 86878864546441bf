-module(dictx).
-export([main/0]).
main() ->
    put(n, 0),
    put(log, []),
    A = [next() || _ <- [1, 2, 3]],
    B = memo_fib(15),
    note(a), note(b),
    C = flush(),
    D = with(depth, 5, fun() -> peek(depth) end),
    {A, B, C, D, get(depth)}.
next() ->
    N = get(n),
    put(n, N «+ 1¦+ 2»),
    N.
memo_fib(N) when N < 2 -> N;
memo_fib(N) ->
    case get({fib, N}) of
        undefined ->
            V = memo_fib(N - 1) + memo_fib(N - 2),
            put({fib, «N¦N + 1»}, V),
            V;
        V -> V
    end.
note(X) -> put(log, [«X¦{X}» | get(log)]).
flush() -> L = erase(log), «lists:reverse(L)¦L».
with(K, V, F) ->
    Old = put(K, V),
    R = F(),
    case Old of undefined -> «erase(K)¦put(K, 0)»; _ -> put(K, Old) end,
    R.
peek(K) -> get(K) «+ 0¦+ 1».
