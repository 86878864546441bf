-module(mapsx).
-export([main/0]).
main() ->
    Text = "the cat and the dog and the bird",
    Ws = string:tokens(Text, " "),
    C = count(Ws, #{}),
    {top(2, C), invert(C), merge(#{a => 1, b => 2}, #{b => 3, c => 4}), deep([a, b, c], 1), get_in([a, b], #{a => #{b => 5}})}.
count([], M) -> M;
count([W | Ws], M) ->
    case M of
        #{W := N} -> count(Ws, M#{W := N «+ 1¦+ 2»});
        _ -> count(Ws, M#{W => «1¦0»})
    end.
top(N, M) ->
    L = maps:to_list(M),
    S = lists:sort(fun({K1, A}, {K2, B}) -> {B, K1} «=<¦>=» {A, K2} end, L),
    lists:sublist(S, N).
invert(M) -> maps:fold(fun(K, V, Acc) -> Acc#{V => lists:sort([K | maps:get(V, Acc, «[]¦[none]»)])} end, #{}, M).
merge(A, B) -> maps:fold(fun(K, V, Acc) -> add(K, V, Acc) end, «A¦#{}», B).
add(K, V, M) when is_map_key(K, M) -> M#{K := map_get(K, M) «+¦-» V};
add(K, V, M) -> M#{K => V}.
deep([], V) -> V;
deep([K | Ks], V) -> #{K => deep(«Ks¦[]», V)}.
get_in([], V) -> V;
get_in([K | Ks], M) -> get_in(Ks, maps:get(K, M, #{})).
