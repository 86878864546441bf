-module(cases_dict).
-export([cases/0, scripts/0]).

-import(arb, [list/1, list/2, key/0, tuple/1, term/1, int/0, function/2, const/1, bool/0]).

cases() ->
    Pairs = list(tuple([key(), int()])),
    Dict = fun() -> dict:from_list(Pairs()) end,
    Lists = fun() -> dict:from_list((list(tuple([key(), list(int(), 2)])))()) end,
    [{append, [key(), int(), Lists]}, {append_list, [key(), list(int(), 3), Lists]}, {erase, [key(), Dict]},
     {append, [key(), int(), Dict]},
     {fetch, [key(), Dict]}, {fetch_keys, [Dict]}, {filter, [function(2, bool()), Dict]}, {find, [key(), Dict]},
     {fold, [const(fun(K, V, Acc) -> [K, V | Acc] end), const([]), Dict]}, {from_list, [Pairs]},
     {is_empty, [Dict]}, {is_key, [key(), Dict]}, {map, [function(2, term(1)), Dict]},
     {merge, [const(fun(K, A, B) -> {K, A, B} end), Dict, Dict]}, {new, []}, {size, [Dict]},
     {store, [key(), int(), Dict]}, {take, [key(), Dict]}, {to_list, [Dict]},
     {update, [key(), function(1, int()), Dict]}, {update, [key(), function(1, int()), int(), Dict]},
     {update_counter, [key(), int(), Dict]}].

scripts() ->
    [{"growing and shrinking", 12, fun(Lib) ->
         M = Lib(dict),
         Step = fun(N, D) ->
                    Key = rand:uniform(1500),
                    case rand:uniform(8) of
                        1 -> M:erase(Key, D);
                        2 when N rem 100 =:= 0 -> M:filter(fun(K, _) -> K rem 3 =/= 0 end, D);
                        3 when N rem 50 =:= 0 -> M:merge(fun(_, A, B) -> {A, B} end, D, M:from_list([{Key + I, I} || I <- lists:seq(1, 30)]));
                        4 -> M:update_counter({Key}, 1, D);
                        _ -> M:store(Key, N, D)
                    end
                end,
         D = lists:foldl(Step, M:new(), lists:seq(1, 2500)),
         Small = lists:foldl(fun M:erase/2, D, lists:seq(1, 1400)),
         {D, Small, M:to_list(D), M:fetch_keys(Small), M:map(fun(K, V) -> {K, V} end, D)}
     end}].
