-module(cases_array).
-export([cases/0, scripts/0]).

-import(arb, [list/1, list/2, key/0, int/2, function/2, const/1, elements/1, freq/1, tuple/1, bool/0]).

cases() ->
    A = fun array/0,
    Index = freq([{3, int(-1, 14)}, {1, int(0, 400)}]),
    Value = elements([undefined, 0, a, b, c]),
    Option = freq([{1, const(fixed)}, {1, tuple([const(fixed), bool()])}, {1, tuple([const(default), Value])},
                   {1, tuple([const(size), int(-1, 30)])}, {1, int(-1, 120)}]),
    Options = freq([{1, Option}, {2, list(Option, 3)}]),
    Fold = const(fun(I, V, Acc) -> [{I, V} | Acc] end),
    [{default, [A]}, {fix, [A]}, {foldl, [Fold, const([]), A]}, {foldr, [Fold, const([]), A]},
     {from_list, [list(Value, 130)]}, {from_list, [list(Value, 30), Value]},
     {from_orddict, [fun pairs/0]}, {from_orddict, [fun pairs/0, Value]},
     {from_orddict, [list(tuple([int(0, 9), Value]), 4)]},
     {get, [Index, A]}, {is_array, [A]}, {is_fix, [A]}, {map, [function(2, key()), A]}, {new, []},
     {new, [Options]}, {new, [int(-1, 50), Options]}, {relax, [A]}, {reset, [Index, A]}, {resize, [A]},
     {resize, [Index, A]}, {set, [Index, Value, A]}, {size, [A]}, {sparse_foldl, [Fold, const([]), A]},
     {sparse_foldr, [Fold, const([]), A]}, {sparse_map, [function(2, key()), A]}, {sparse_size, [A]},
     {sparse_to_list, [A]}, {sparse_to_orddict, [A]}, {to_list, [A]}, {to_orddict, [A]}].

pairs() ->
    Indexes = lists:usort([rand:uniform(arb:pick([5, 40, 500, 3000])) - 1 || _ <- lists:seq(1, rand:uniform(8))]),
    [{I, arb:pick([undefined, a, b])} || I <- Indexes].

array() ->
    Start = arb:pick([array:new(), array:new(12), array:new([{default, 0}]), array:from_list(lists:seq(1, rand:uniform(25))),
                      array:from_orddict(pairs()), array:new(150, {fixed, false})]),
    Array = lists:foldl(fun(_, A) -> step(array, A) end, Start, lists:seq(1, rand:uniform(6))),
    case rand:uniform(5) of
        1 -> array:resize(array:size(Array) div 2, Array);
        2 -> array:fix(Array);
        _ -> Array
    end.

%% An array is not made smaller before it is relaxed: that leaves OTP's with a wrong `max`.
step(M, A) ->
    case rand:uniform(9) of
        1 -> M:resize(max(M:size(A), rand:uniform(arb:pick([10, 40, 300]))), A);
        2 -> M:relax(A);
        3 -> M:reset(0, M:relax(A));
        4 -> M:sparse_map(fun(_, V) -> {V} end, A);
        _ -> M:set(rand:uniform(arb:pick([10, 40, 300])), rand:uniform(4), M:relax(A))
    end.

scripts() ->
    [{"operations in sequence", 200, fun(Lib) ->
         M = Lib(array),
         {_, As} = lists:mapfoldl(fun(_, A) -> A1 = step(M, A), {A1, A1} end, M:new(), lists:seq(1, 20)),
         {As, M:to_list(lists:last(As)), M:sparse_to_orddict(lists:last(As))}
     end}].
