%% Permutations, combinations, and choices of them.
%% inputs: perms(list(int)), choose(nat), first(list(int))
-module(permutations).
-export([perms/1, choose/1, first/1]).

perms(L0) ->
    L = lists:sublist(lists:usort(L0), 3),
    Ps = perm(L),
    Firsts = [hd(P) || P <- Ps, P =/= []],
    {length(Ps), Firsts}.

perm([]) -> [[]];
perm(L) -> [[H | T] || H <- L, T <- perm(L -- [H])].

choose(N) ->
    K = N rem 4,
    Cs = comb(K, [a, b, c, d]),
    Sizes = lists:usort([length(C) || C <- Cs]),
    {length(Cs), Sizes}.

comb(0, _) -> [[]];
comb(_, []) -> [];
comb(K, [H | T]) ->
    With = [[H | C] || C <- comb(K - 1, T)],
    Without = comb(K, T),
    With ++ Without.

first(L0) ->
    L = lists:sublist(L0, 3),
    Ps = perm(L),
    case lists:filter(fun(P) -> lists:sort(P) =:= P end, Ps) of
        [Sorted | _] -> {sorted, Sorted};
        [] -> impossible
    end.
