-module(cases_orddict).
-export([cases/0]).

-import(arb, [list/1, list/2, key/0, tuple/1, term/1, int/0, function/2, const/1, bool/0]).

cases() ->
    Pairs = list(tuple([key(), int()])),
    Dict = fun() -> orddict:from_list(Pairs()) end,
    Lists = fun() -> orddict:from_list((list(tuple([key(), list(int(), 2)])))()) end,
    [{append, [key(), int(), Lists]}, {append_list, [key(), list(int(), 3), Lists]}, {erase, [key(), Dict]},
     {append, [key(), int(), Dict]},
     {fetch, [key(), Dict]}, {fetch_keys, [Dict]}, {filter, [function(2, bool()), Dict]}, {find, [key(), Dict]},
     {fold, [const(fun(K, V, Acc) -> [K, V | Acc] end), const([]), Dict]}, {from_list, [Pairs]},
     {is_empty, [Dict]}, {is_key, [key(), Dict]}, {map, [function(2, term(1)), Dict]},
     {merge, [const(fun(K, A, B) -> {K, A, B} end), Dict, Dict]}, {new, []}, {size, [Dict]},
     {store, [key(), int(), Dict]}, {take, [key(), Dict]}, {to_list, [Dict]},
     {update, [key(), function(1, int()), Dict]}, {update, [key(), function(1, int()), int(), Dict]},
     {update_counter, [key(), int(), Dict]}].
