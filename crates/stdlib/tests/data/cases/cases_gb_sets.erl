-module(cases_gb_sets).
-export([cases/0, checks/0, scripts/0, skipped/0]).

-import(arb, [list/1, list/2, key/0, const/1, pred/0, usorted/1, freq/1]).

cases() ->
    S = freq([{5, fun set/0}, {1, fun large/0}]),
    [{add, [key(), S]}, {add_element, [key(), S]}, {balance, [S]}, {del_element, [key(), S]},
     {delete, [key(), S]}, {delete_any, [key(), S]}, {difference, [S, S]}, {empty, []},
     {filter, [pred(), S]}, {fold, [const(fun(E, A) -> [E | A] end), const([]), S]},
     {from_list, [list(key())]}, {from_ordset, [usorted(list(key()))]}, {insert, [key(), S]},
     {intersection, [list(S, 3)]}, {intersection, [S, S]}, {is_disjoint, [S, fun() -> gb_sets:from_list((list(key(), 3))()) end]},
     {is_element, [key(), S]}, {is_empty, [S]}, {is_member, [key(), S]}, {is_set, [S]},
     {is_subset, [fun() -> gb_sets:from_list((list(key(), 3))()) end, S]}, {iterator, [S]},
     {iterator_from, [key(), S]}, {largest, [S]}, {new, []},
     {next, [fun() -> gb_sets:iterator_from((key())(), set()) end]}, {singleton, [key()]}, {size, [S]},
     {smallest, [S]}, {subtract, [S, S]}, {take_largest, [S]}, {take_smallest, [S]}, {to_list, [S]},
     {union, [list(S, 3)]}, {union, [S, S]}].

%% Of OTP 27, see checks/0.
skipped() ->
    [{filtermap, 2}, {is_equal, 2}, {iterator, 2}, {iterator_from, 3}, {larger, 2}, {map, 2}, {smaller, 2}].

set() -> lists:foldl(fun gb_sets:add/2, gb_sets:new(), (list(key()))()).
large() -> gb_sets:from_list([rand:uniform(60) || _ <- lists:seq(1, rand:uniform(80))]).

scripts() ->
    [{"operations in sequence", 60, fun(Lib) ->
         M = Lib(gb_sets),
         Range = arb:pick([5, 30, 300]),
         Step = fun(N, S) ->
                    Elem = case Range of 5 -> N; _ -> rand:uniform(Range) end,
                    case rand:uniform(12) of
                        1 -> M:delete_any(Elem, S);
                        2 -> case M:is_empty(S) of true -> S; false -> element(2, M:take_largest(S)) end;
                        3 -> M:union(S, M:from_list([rand:uniform(Range) || _ <- lists:seq(1, rand:uniform(20))]));
                        4 -> M:difference(S, M:from_list([rand:uniform(Range) || _ <- lists:seq(1, rand:uniform(20))]));
                        _ -> M:add(Elem, S)
                    end
                end,
         S = lists:foldl(Step, M:empty(), lists:seq(1, 300)),
         {S, M:to_list(S)}
     end}].

checks() ->
    [{"functions of OTP 27", fun(Lib) ->
         M = Lib(gb_sets),
         S = M:from_list([1, 3, 5]),
         {found, 1} =:= M:smaller(3, S) andalso {found, 5} =:= M:larger(4, S) andalso
         none =:= M:larger(5, S) andalso M:is_equal(S, M:from_list([5, 3, 1])) andalso
         [0, 1, 2] =:= M:to_list(M:map(fun(X) -> X div 2 end, S)) andalso
         3 =:= element(1, M:next(element(2, M:next(M:iterator(S, reversed)))))
     end}].
