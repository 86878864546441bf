%% A token goes around a ring of processes.
-module(ring_token).
-export([main/0]).
main() ->
    N = 50,
    First = self(),
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> pass(Next) end) end, First, lists:seq(2, N)),
    Last ! {token, 0},
    receive {token, Count} -> io:format("came back after ~p~n", [Count]) end.

pass(Next) ->
    receive {token, Count} -> Next ! {token, Count + 1} end.
