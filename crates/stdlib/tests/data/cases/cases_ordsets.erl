-module(cases_ordsets).
-export([cases/0, checks/0, skipped/0]).

-import(arb, [list/1, list/2, key/0, pred/0, const/1, usorted/1]).

cases() ->
    L = list(key()),
    Set = usorted(L),
    [{add_element, [key(), Set]}, {del_element, [key(), Set]}, {filter, [pred(), Set]},
     {fold, [const(fun(E, Acc) -> [E | Acc] end), const([]), Set]}, {from_list, [L]},
     {intersection, [list(Set, 4)]}, {intersection, [Set, Set]}, {is_disjoint, [Set, usorted(list(key(), 3))]},
     {is_element, [key(), Set]}, {is_empty, [Set]}, {is_set, [L]}, {is_set, [Set]},
     {is_subset, [usorted(list(key(), 3)), Set]}, {new, []}, {size, [Set]}, {subtract, [Set, Set]},
     {to_list, [Set]}, {union, [list(Set, 4)]}, {union, [Set, Set]}].

%% Of OTP 27.
skipped() -> [{filtermap, 2}, {is_equal, 2}, {map, 2}].

checks() ->
    [{"functions of OTP 27", fun(Lib) ->
         M = Lib(ordsets),
         [1, 2] =:= M:map(fun(X) -> X div 2 end, [2, 3, 4, 5]) andalso M:is_equal([1], [1]) andalso
         [a, 3] =:= lists:reverse(M:filtermap(fun(3) -> true; (4) -> {true, a}; (_) -> false end, [1, 3, 4]))
     end}].
