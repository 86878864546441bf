-module(cases_gb_trees).
-export([cases/0, checks/0, scripts/0, skipped/0]).

-import(arb, [list/1, key/0, tuple/1, int/0, function/2]).

cases() ->
    T = fun tree/0,
    [{balance, [T]}, {delete, [key(), T]}, {delete_any, [key(), T]}, {empty, []}, {enter, [key(), int(), T]},
     {from_orddict, [fun() -> orddict:from_list((list(tuple([key(), int()])))()) end]}, {get, [key(), T]},
     {insert, [key(), int(), T]}, {is_defined, [key(), T]}, {is_empty, [T]}, {iterator, [T]},
     {iterator_from, [key(), T]}, {keys, [T]}, {largest, [T]}, {lookup, [key(), T]},
     {map, [function(2, int()), T]}, {next, [fun() -> gb_trees:iterator_from((key())(), tree()) end]},
     {size, [T]}, {smallest, [T]}, {take, [key(), T]}, {take_any, [key(), T]}, {take_largest, [T]},
     {take_smallest, [T]}, {to_list, [T]}, {update, [key(), int(), T]}, {values, [T]}].

%% Of OTP 27, see checks/0.
skipped() -> [{iterator, 2}, {iterator_from, 3}, {larger, 2}, {smaller, 2}].

tree() ->
    lists:foldl(fun(K, T) -> gb_trees:enter(K, x, T) end, gb_trees:empty(), (list(key()))()).

scripts() ->
    [{"operations in sequence", 60, fun(Lib) ->
         M = Lib(gb_trees),
         Range = arb:pick([5, 30, 300]),
         Step = fun(N, T) ->
                    Key = case Range of 5 -> N; _ -> rand:uniform(Range) end,
                    case rand:uniform(10) of
                        1 -> M:delete_any(Key, T);
                        2 -> case M:is_empty(T) of true -> T; false -> element(3, M:take_smallest(T)) end;
                        _ -> M:enter(Key, N, T)
                    end
                end,
         T = lists:foldl(Step, M:empty(), lists:seq(1, 400)),
         {T, M:to_list(T), M:keys(T), M:values(T)}
     end}].

checks() ->
    [{"functions of OTP 27", fun(Lib) ->
         M = Lib(gb_trees),
         T = M:from_orddict([{1, a}, {3, b}, {5, c}]),
         {1, a} =:= M:smaller(3, T) andalso {5, c} =:= M:larger(4, T) andalso none =:= M:larger(5, T) andalso
         [5, 3, 1] =:= walk(M, M:iterator(T, reversed)) andalso
         [3, 1] =:= walk(M, M:iterator_from(4, T, reversed)) andalso
         [5] =:= walk(M, M:iterator_from(4, T, ordered))
     end}].

walk(M, Iterator) ->
    case M:next(Iterator) of
        none -> [];
        {Key, _, Next} -> [Key | walk(M, Next)]
    end.
