%% Funs that library functions call.
-module(library_funs).
-export([main/0, f/1, g/2, tick/1]).
f(X) -> {f, X}.
g(X, A) -> [X | A].
main() ->
    F1 = fun f/1, F2 = fun ?MODULE:g/2,
    A = [lists:map(F1, [1]), lists:foldl(F2, [], [1]), lists:foldr(fun(X, Acc) -> g(X, Acc) end, [], [1, 2]),
         lists:filter(fun(X) -> X > 1 end, [1, 2]), lists:partition(fun is_atom/1, [a, 1]),
         lists:zipwith(fun(X, Y) -> {X, Y} end, [1], [2]), lists:mapfoldl(fun(X, S) -> {f(X), S + 1} end, 0, [a]),
         lists:sort(fun(X, Y) -> X > Y end, [1, 2, 3]), lists:any(fun(X) -> X =:= 1 end, [1]), lists:all(fun(X) -> X =:= 1 end, [1]),
         lists:takewhile(fun(X) -> X < 2 end, [1, 2]), lists:dropwhile(fun(X) -> X < 2 end, [1, 2]), lists:flatmap(fun(X) -> [X] end, [1]),
         lists:filtermap(fun(X) -> {true, f(X)} end, [1]), lists:usort(fun(X, Y) -> X =< Y end, [2, 1]), lists:search(fun(X) -> X > 1 end, [1, 2]),
         lists:keymap(fun(X) -> f(X) end, 1, [{1}]), lists:splitwith(fun(X) -> X < 2 end, [1, 2]), lists:merge(fun(X, Y) -> X =< Y end, [1], [2]),
         lists:uniq(fun(X) -> X rem 2 end, [1, 2, 3]), lists:foreach(fun(X) -> f(X) end, [1])],
    B = [maps:map(fun(K, V) -> {K, V} end, #{a => 1}), maps:fold(fun(K, V, Acc) -> [{K, V} | Acc] end, [], #{a => 1}),
         maps:filter(fun(_, V) -> V > 0 end, #{a => 1}), maps:update_with(a, fun(V) -> V + 1 end, #{a => 1}), maps:update_with(b, fun(V) -> V end, 0, #{a => 1}),
         maps:filtermap(fun(_, V) -> {true, V} end, #{a => 1}), maps:foreach(fun(K, V) -> g(K, V) end, #{a => []}), maps:merge_with(fun(_, X, Y) -> X + Y end, #{a => 1}, #{a => 2}),
         maps:intersect_with(fun(_, X, _) -> X end, #{a => 1}, #{a => 2}), maps:groups_from_list(fun(X) -> X rem 2 end, [1, 2]), maps:groups_from_list(fun(X) -> X rem 2 end, fun(X) -> X * 2 end, [1, 2])],
    C = [dict:fold(fun(K, V, Ac) -> [{K, V} | Ac] end, [], dict:store(a, 1, dict:new())), dict:update(a, fun(V) -> V + 1 end, dict:from_list([{a, 1}])), dict:map(fun(_, V) -> V end, dict:from_list([{a, 1}])),
         orddict:fold(fun(K, V, Ac) -> [{K, V} | Ac] end, [], [{a, 1}]), orddict:map(fun(_, V) -> f(V) end, [{a, 1}]), orddict:update(a, fun(V) -> V + 1 end, [{a, 1}]),
         sets:fold(fun(X, Ac) -> [X | Ac] end, [], sets:from_list([1])), sets:filter(fun(X) -> X > 0 end, sets:from_list([1])), ordsets:fold(fun(X, Ac) -> [X | Ac] end, [], [1]), ordsets:filter(fun(X) -> X > 0 end, [1]),
         gb_sets:fold(fun(X, Ac) -> [X | Ac] end, [], gb_sets:from_list([1])), gb_trees:map(fun(_, V) -> f(V) end, gb_trees:from_orddict([{a, 1}])), gb_sets:filter(fun(X) -> X > 0 end, gb_sets:from_list([1])),
         array:map(fun(_, V) -> f(V) end, array:from_list([1])), array:foldl(fun(_, V, Ac) -> [V | Ac] end, [], array:from_list([1])), array:sparse_foldr(fun(_, V, Ac) -> [V | Ac] end, [], array:from_list([1])),
         queue:filter(fun(X) -> X > 0 end, queue:from_list([1])), queue:fold(fun(X, Ac) -> [X | Ac] end, [], queue:from_list([1])), queue:any(fun(X) -> X > 0 end, queue:from_list([1])), queue:delete_with(fun(X) -> X > 0 end, queue:from_list([1]))],
    T = ets:new(t, [public]), ets:insert(T, [{1, a}, {2, b}]),
    D = [ets:foldl(fun(X, Ac) -> [X | Ac] end, [], T), ets:foldr(fun(X, Ac) -> [f(X) | Ac] end, [], T), timer:tc(fun() -> f(1) end), timer:tc(fun(X) -> f(X) end, [1]), timer:tc(?MODULE, f, [1]),
         proplists:get_value(a, [{a, 1}])],
    {A, B, C, D}.
tick(P) -> P ! tick.
