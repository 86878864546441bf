-module(cases_maps).
-export([cases/0, scripts/0]).

-import(arb, [list/1, list/2, key/0, tuple/1, term/1, int/0, int/2, function/2, const/1, bool/0, map/2,
              freq/1, elements/1, compose/2]).

cases() ->
    M = freq([{5, map(key(), int())}, {1, fun big/0}]),
    MI = freq([{4, M}, {2, compose(fun maps:iterator/1, map(key(), int()))},
               {1, compose(fun(X) -> maps:next(maps:iterator(X)) end, map(key(), int()))}]),
    F2 = function(2, elements([true, false])),
    Key = freq([{1, key()}, {1, int(1, 200)}]),
    Combine = const(fun(K, A, B) -> {K, A, B} end),
    [{filter, [F2, MI]}, {filter, [function(2, term(1)), MI], [{wrong, 0}]},
     {filtermap, [function(2, elements([true, false, {true, x}, {true, y}])), MI]},
     {filtermap, [function(2, term(1)), MI], [{wrong, 0}]},
     {fold, [const(fun(K, V, A) -> [K, V | A] end), const([]), MI]}, {foreach, [F2, MI]},
     {get, [Key, M, term(1)]}, {groups_from_list, [function(1, key()), list(key())]},
     {groups_from_list, [function(1, key()), function(1, key()), list(key())]},
     {intersect, [M, M]}, {intersect_with, [Combine, M, M]}, {iterator, [M]}, {map, [function(2, int()), MI]},
     {merge_with, [Combine, M, M]}, {new, []},
     {next, [freq([{1, const(none)}, {1, compose(fun maps:iterator/1, map(key(), int()))},
                   {1, tuple([key(), key(), const(none)])}])]},
     {size, [M]}, {to_list, [M]}, {update_with, [Key, function(1, int()), M]},
     {update_with, [Key, function(1, int()), int(), M]}, {with, [list(Key), M]}, {without, [list(Key), M]}].

big() -> maps:from_list([{X, X rem 7} || X <- lists:seq(rand:uniform(20), 40 + rand:uniform(150))]).

scripts() ->
    [{"iterator steps", 60, fun(Lib) ->
         M = Lib(maps),
         Walk = fun Walk(I) -> case M:next(I) of none -> []; {K, V, I1} -> [{K, V} | Walk(I1)] end end,
         Walk(M:iterator(big()))
     end}].
