%% Funs that call themselves.
%% inputs: fact(nat), tree(int), countdown(nat)
-module(named_funs).
-export([fact/1, tree/1, countdown/1]).

fact(N0) ->
    N = N0 rem 8,
    F = fun Fact(0, Acc) -> Acc;
            Fact(K, Acc) -> Fact(K - 1, Acc * K)
        end,
    R = F(N, 1),
    {N, R}.

tree(Depth0) ->
    Depth = abs(Depth0) rem 4,
    Build = fun Build(0) -> leaf;
                Build(D) ->
                    Sub = Build(D - 1),
                    {node, D, Sub, Sub}
            end,
    T = Build(Depth),
    Size = fun Size(leaf) -> 1;
               Size({node, _, L, R}) -> Size(L) + Size(R) + 1
           end,
    Size(T).

countdown(N) ->
    Start = N rem 10,
    Loop = fun Go(0) -> [];
               Go(I) -> [I | Go(I - 1)]
           end,
    List = Loop(Start),
    length(List).
