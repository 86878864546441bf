-module(cases_sets).
-export([cases/0, checks/0, scripts/0, skipped/0]).

-import(arb, [list/1, list/2, key/0, const/1, pred/0, elements/1]).

cases() ->
    S = fun set/0,
    Options = elements([[], [{version, 1}], [{version, 2}], [{version, 3}], [x, {version, 2}]]),
    [{add_element, [key(), S]}, {del_element, [key(), S]}, {filter, [pred(), S]},
     {fold, [const(fun(E, A) -> [E | A] end), const([]), S]}, {from_list, [list(key())]},
     {from_list, [list(key()), Options]}, {intersection, [list(S, 3)]}, {intersection, [S, S]},
     {is_disjoint, [S, S]}, {is_element, [key(), S]}, {is_empty, [S]}, {is_set, [S]}, {is_subset, [S, S]},
     {new, []}, {new, [Options]}, {size, [S]}, {subtract, [S, S]}, {to_list, [S]}, {union, [list(S, 3)]},
     {union, [S, S]}].

%% Of OTP 27, see checks/0.
skipped() -> [{filtermap, 2}, {is_equal, 2}, {map, 2}].

set() -> sets:from_list((list(key(), arb:pick([2, 10, 30])))(), [{version, rand:uniform(2)}]).

scripts() ->
    [{"growing and shrinking", 12, fun(Lib) ->
         M = Lib(sets),
         Step = fun(N, S) ->
                    Elem = rand:uniform(1500),
                    case rand:uniform(8) of
                        1 -> M:del_element(Elem, S);
                        2 when N rem 100 =:= 0 -> M:filter(fun(E) -> erlang:phash2(E, 3) > 0 end, S);
                        3 when N rem 50 =:= 0 -> M:union(S, M:from_list(lists:seq(Elem, Elem + 40)));
                        4 -> M:add_element({Elem}, S);
                        _ -> M:add_element(Elem, S)
                    end
                end,
         S = lists:foldl(Step, M:new([{version, arb:pick([1, 1, 2])}]), lists:seq(1, 2500)),
         Small = lists:foldl(fun M:del_element/2, S, lists:seq(1, 1400)),
         {S, Small, M:to_list(S), M:to_list(Small), M:subtract(S, Small)}
     end}].

checks() ->
    [{"functions of OTP 27", fun(Lib) ->
         M = Lib(sets),
         S = M:from_list([1, 2, 3]),
         M:is_equal(S, M:from_list([3, 2, 1], [{version, 2}])) andalso not M:is_equal(S, M:from_list([1])) andalso
         #{a => []} =:= M:map(fun(_) -> a end, M:from_list([1, 2], [{version, 2}])) andalso
         [2] =:= M:to_list(M:filtermap(fun(X) -> X =:= 2 end, S))
     end}].
