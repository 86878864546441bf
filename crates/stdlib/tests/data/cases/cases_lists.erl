-module(cases_lists).
-export([cases/0, checks/0, scripts/0, skipped/0]).

-import(arb, [list/1, list/2, term/0, term/1, int/0, int/2, nat/0, atom/0, key/0, number/0, tuple/1,
              pred/0, function/2, combine/0, less/0, less_equal/0, strict/0, sorted/1, usorted/1,
              freq/1, const/1, elements/1, bool/0]).

cases() ->
    L = list(key()),
    Pair = tuple([key(), int()]),
    Pairs = list(Pair),
    Deep = list(freq([{3, key()}, {2, list(key(), 3)}, {1, list(list(key(), 2), 3)}, {1, const([])}])),
    N = nat(),
    Index = elements([1, 1, 1, 2, 2, 3]),
    Long = list(int(0, 30), 60),
    [{append, [list(L, 4)]}, {append, [L, L]}, {concat, [list(freq([{1, atom()}, {1, number()}, {1, const("ab")}]))]},
     {delete, [key(), L]}, {droplast, [L]}, {duplicate, [N, term()]}, {enumerate, [L]}, {enumerate, [int(), L]},
     {flatlength, [Deep]}, {flatten, [Deep]}, {flatten, [Deep, L]}, {join, [key(), L]}, {last, [L]},
     {max, [L]}, {min, [L]}, {nth, [N, L]}, {nthtail, [N, L]}, {prefix, [list(bool(), 3), list(bool(), 4)]},
     {reverse, [L]}, {seq, [int(), int()]}, {seq, [int(), int(), int(-3, 3)]}, {split, [N, L]},
     {sublist, [L, int(-2, 8)]}, {sublist, [L, int(-1, 8), int(-1, 8)]}, {subtract, [L, L]},
     {suffix, [list(bool(), 3), list(bool(), 4)]}, {sum, [list(number())]}, {uniq, [L]},
     {unzip, [Pairs]}, {unzip3, [list(tuple([key(), key(), key()]))]},
     {zip, [list(key(), 3), list(key(), 3)]}, {zip3, [list(key(), 2), list(key(), 2), list(key(), 2)]},
     {keydelete, [key(), Index, Pairs]}, {keymap, [function(1, term(1)), Index, Pairs]},
     {keymerge, [Index, by_key(1, Pairs), by_key(1, Pairs)]},
     {keymerge, [const(2), by_key(2, Pairs), by_key(2, Pairs)]},
     {keyreplace, [key(), Index, Pairs, Pair]},
     {keysort, [Index, Pairs]}, {keysort, [const(1), list(tuple([int(0, 5), int()]), 60)]},
     {keystore, [key(), Index, Pairs, Pair]}, {keytake, [key(), Index, Pairs]},
     {ukeymerge, [const(1), by_key(1, Pairs), by_key(1, Pairs)]},
     {ukeysort, [Index, Pairs]}, {ukeysort, [const(1), list(tuple([int(0, 9), int()]), 60)]},
     {rkeymerge, [const(1), down(by_key(1, Pairs)), down(by_key(1, Pairs))]},
     {rukeymerge, [const(1), down(by_key(1, Pairs)), down(by_key(1, Pairs))]},
     {merge, [list(sorted(L), 5)]}, {merge, [sorted(L), sorted(L)]}, {merge3, [sorted(L), sorted(L), sorted(L)], [{wrong, 0}]},
     {umerge, [list(usorted(L), 5)]}, {umerge, [sorted(L), sorted(L)], [{wrong, 0}]},
     {umerge3, [usorted(L), usorted(L), usorted(L)], [{wrong, 0}]},
     {rmerge, [down(sorted(L)), down(sorted(L))]},
     {rmerge3, [down(sorted(L)), down(sorted(L)), down(sorted(L))], [{wrong, 0}]},
     {rumerge, [down(sorted(L)), down(sorted(L))], [{wrong, 0}]},
     {rumerge3, [down(usorted(L)), down(usorted(L)), down(usorted(L))], [{wrong, 0}]},
     {sort, [L]}, {sort, [Long]}, {usort, [L]}, {usort, [Long]},
     {sort, [less(), L]}, {sort, [less(), list(Pair, 60)]}, {sort, [fun unreliable/0, L]},
     {usort, [less_equal(), L]}, {usort, [less_equal(), list(Pair, 60)]}, {usort, [strict(), L]},
     {usort, [const(fun(_, _) -> maybe_not end), L]},
     {merge, [const(fun first/2), by_key(1, Pairs), by_key(1, Pairs)]},
     {umerge, [const(fun first/2), by_key(1, Pairs), by_key(1, Pairs)]},
     {rmerge, [const(fun first/2), down(by_key(1, Pairs)), down(by_key(1, Pairs))]},
     {rumerge, [const(fun first/2), down(by_key(1, Pairs)), down(by_key(1, Pairs))]},
     {all, [pred(), L]}, {any, [pred(), L]}, {dropwhile, [pred(), L]}, {filter, [pred(), L]},
     {all, [function(1, atom()), L]}, {any, [function(1, atom()), L]}, {filter, [function(1, atom()), L]},
     {filtermap, [function(1, elements([true, false, {true, x}])), L]},
     {filtermap, [function(1, term(1)), L]}, {zf, [function(1, elements([true, false, {true, y}])), L]},
     {flatmap, [function(1, list(key(), 3)), L]}, {flatmap, [function(1, term(1)), L]},
     {foldl, [combine(), term(1), L]}, {foldr, [combine(), term(1), L]},
     {foreach, [function(1, term(1)), L]}, {map, [function(1, term(1)), L]},
     {mapfoldl, [function(2, tuple([key(), key()])), key(), L]},
     {mapfoldr, [function(2, tuple([key(), key()])), key(), L]},
     {mapfoldl, [function(2, term(1)), key(), L]}, {mapfoldr, [function(2, term(1)), key(), L]},
     {partition, [pred(), L]}, {search, [pred(), L]}, {splitwith, [pred(), L]}, {takewhile, [pred(), L]},
     {uniq, [function(1, key()), L]}, {zipwith, [combine(), list(key(), 3), list(key(), 3)]},
     {zipwith3, [function(3, key()), list(key(), 2), list(key(), 2), list(key(), 2)]}].

%% Of OTP 26, see checks/0.
skipped() -> [{enumerate, 3}, {zip, 3}, {zip3, 4}, {zipwith, 4}, {zipwith3, 5}].

by_key(N, Gen) -> fun() -> lists:keysort(N, Gen()) end.
down(Gen) -> fun() -> lists:reverse(Gen()) end.
first({A, _}, {B, _}) -> A =< B.

%% Orders that answer nonsense.
unreliable() -> arb:pick([fun(_, _) -> maybe_not end, fun(A, B) -> A + B > 0 end]).

scripts() ->
    [{"long lists", 20, fun(Lib) ->
         M = Lib(lists),
         Elems = [{rand:uniform(3000), rand:uniform(5)} || _ <- lists:seq(1, 5000)],
         {M:sort(Elems), M:usort(Elems), M:keysort(2, Elems), M:ukeysort(1, Elems),
          M:sort(fun({A, _}, {B, _}) -> A =< B end, Elems),
          M:sort(fun({A, _}, {B, _}) -> A > B end, Elems),
          M:usort(fun({A, _}, {B, _}) -> A =< B end, Elems)}
     end}].

checks() ->
    [{"variants of OTP 26", fun(Lib) ->
         M = Lib(lists),
         [{0, a}, {2, b}, {4, c}] =:= M:enumerate(0, 2, [a, b, c]) andalso
         [{a, 1}] =:= M:zip([a], [1, 2], trim) andalso
         [{a, 1}, {x, 2}] =:= M:zip([a], [1, 2], {pad, {x, y}}) andalso
         [{a, 1, c}, {x, 2, c}, {x, y, c}] =:= M:zip3([a], [1, 2], [c, c, c], {pad, {x, y, z}}) andalso
         [3, 2] =:= M:zipwith(fun(A, B) -> A + B end, [1], [2, 2], {pad, {0, 0}}) andalso
         [] =:= M:zipwith3(fun(_, _, _) -> x end, [], [1], [2], trim)
     end}].
