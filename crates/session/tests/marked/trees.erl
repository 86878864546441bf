-module(trees).
-export([main/0]).
main() ->
    T = lists:foldl(fun(K, T) -> insert(K, K * K, T) end, nil, [5,2,8,1,9,3]),
    D = delete(5, T),
    {to_list(T), depth(T), lookup(3, T), lookup(4, T), to_list(D), fold(fun(_, V, S) -> S + V end, 0, D), is_bst(D)}.
insert(K, V, nil) -> {nil, K, V, nil};
insert(K, V, {L, K1, V1, R}) when K < K1 -> {insert(K, V, L), K1, V1, R};
insert(K, V, {L, K1, V1, R}) when K > K1 -> {L, K1, V1, insert(K, «V¦V1», R)};
insert(K, V, {L, K, _, R}) -> {L, K, V, R}.
lookup(_, nil) -> none;
lookup(K, {_, K, V, _}) -> {ok, V};
lookup(K, {L, K1, _, R}) -> if K < K1 -> lookup(K, «L¦R»); true -> lookup(K, R) end.
delete(_, nil) -> nil;
delete(K, {L, K, _, nil}) -> L;
delete(K, {nil, K, _, R}) -> R;
delete(K, {L, K, _, R}) -> {K1, V1} = smallest(R), {L, K1, V1, delete(«K1¦K», R)};
delete(K, {L, K1, V, R}) when K < K1 -> {delete(K, L), K1, V, R};
delete(K, {L, K1, V, R}) -> {L, K1, V, delete(K, R)}.
smallest({nil, K, V, _}) -> {K, V};
smallest({L, _, _, _}) -> smallest(L).
to_list(nil) -> [];
to_list({L, K, V, R}) -> to_list(L) ++ [{K, V} | to_list(«R¦L»)].
depth(nil) -> 0;
depth({L, _, _, R}) -> 1 + «max¦min»(depth(L), depth(R)).
fold(_, A, nil) -> A;
fold(F, A, {L, K, V, R}) -> fold(F, F(K, V, fold(F, «A¦0», L)), R).
is_bst(T) -> Ks = [K || {K, _} <- to_list(T)], Ks =:= lists:usort(Ks).
