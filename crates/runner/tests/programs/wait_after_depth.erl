%% A process that was deep in calls waits for a message in a function with few variables, called by one with many: what
%% lies above the frames is released while it waits, and the caller's frame reaches above that of what it called.
-module(wait_after_depth).
-export([main/0]).

main() ->
    io:format("~p~n", [depth(20000)]),
    io:format("~p~n", [many(1)]).

depth(0) -> 0;
depth(N) -> 1 + depth(N - 1).

many(A) ->
    Self = self(),
    spawn(fun() -> receive after 10 -> Self ! {value, 7} end end),
    B = wait(),
    C = A + B, D = B + C, E = C + D, F = D + E, G = E + F, H = F + G, I = G + H, J = H + I,
    K = [A, B, C, D, E, F, G, H, I, J],
    L = {{sum(K), sum([J | K])}, {sum([I, J | K]), sum([H, I, J | K])}},
    {A, B, C, D, E, F, G, H, I, J, K, L, {[{A, B}, {C, D}], [{E, F}, {G, [H, {I, [J | K]}]}]}}.

wait() -> receive {value, Value} -> Value end.

sum(List) -> lists:foldl(fun(X, Sum) -> X + Sum end, 0, List).
