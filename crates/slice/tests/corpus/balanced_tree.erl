%% A balanced tree of records.
%% inputs: run(list({int, atom}), list(int))
-module(balanced_tree).
-export([run/2]).
-record(node, {k, v, l = nil, r = nil, h = 1}).

run(Ins, Del) ->
    T = lists:foldl(fun({K, V}, A) -> insert(K, V, A) end, nil, Ins),
    T2 = lists:foldl(fun delete/2, T, Del),
    L = to_list(T2),
    Depth = height(T2),
    Min = case L of [{K1, _} | _] -> K1; [] -> none end,
    Found = [find(K, T2) || K <- Del],
    F = fold(fun(K, _, A) -> A + K end, 0, T2),
    {L, Depth, Min, Found, F}.

height(nil) -> 0;
height(#node{h = H}) -> H.

mk(K, V, L, R) -> #node{k = K, v = V, l = L, r = R, h = 1 + max(height(L), height(R))}.

insert(K, V, nil) -> #node{k = K, v = V};
insert(K, V, #node{k = K} = N) -> N#node{v = V};
insert(K, V, #node{k = K1, v = V1, l = L, r = R}) when K < K1 -> balance(mk(K1, V1, insert(K, V, L), R));
insert(K, V, #node{k = K1, v = V1, l = L, r = R}) -> balance(mk(K1, V1, L, insert(K, V, R))).

balance(#node{l = L, r = R, k = K, v = V} = N) ->
    case height(L) - height(R) of
        2 ->
            #node{k = LK, v = LV, l = LL, r = LR} = L,
            case height(LL) >= height(LR) of
                true -> mk(LK, LV, LL, mk(K, V, LR, R));
                false -> mk(LR#node.k, LR#node.v, mk(LK, LV, LL, LR#node.l), mk(K, V, LR#node.r, R))
            end;
        -2 ->
            #node{k = RK, v = RV, l = RL, r = RR} = R,
            case height(RR) >= height(RL) of
                true -> mk(RK, RV, mk(K, V, L, RL), RR);
                false -> mk(RL#node.k, RL#node.v, mk(K, V, L, RL#node.l), mk(RK, RV, RL#node.r, RR))
            end;
        _ -> N
    end.

delete(_, nil) -> nil;
delete(K, #node{k = K1, v = V, l = L, r = R}) when K < K1 -> balance(mk(K1, V, delete(K, L), R));
delete(K, #node{k = K1, v = V, l = L, r = R}) when K > K1 -> balance(mk(K1, V, L, delete(K, R)));
delete(_, #node{l = nil, r = R}) -> R;
delete(_, #node{l = L, r = nil}) -> L;
delete(_, #node{l = L, r = R}) ->
    {K, V} = hd(to_list(R)),
    balance(mk(K, V, L, delete(K, R))).

to_list(T) -> lists:reverse(fold(fun(K, V, A) -> [{K, V} | A] end, [], T)).

fold(_, A, nil) -> A;
fold(F, A, #node{k = K, v = V, l = L, r = R}) -> fold(F, F(K, V, fold(F, A, L)), R).

find(_, nil) -> none;
find(K, #node{k = K, v = V}) -> {ok, V};
find(K, #node{k = K1, l = L, r = R}) -> if K < K1 -> find(K, L); true -> find(K, R) end.
