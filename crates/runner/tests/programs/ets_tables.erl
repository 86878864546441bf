%% Tables of every kind.
-module(ets_tables).
-export([main/0]).
main() ->
    [begin
         T = ets:new(t, [Type]),
         ets:insert(T, [{b, 1}, {a, 2}, {b, 3}, {a, 2}, {1, x}, {1.0, y}]),
         io:format("~p: ~p ~p~n", [Type, ets:info(T, size), lists:sort(ets:tab2list(T))]),
         io:format("  ~p ~p ~p~n", [ets:lookup(T, b), ets:member(T, zz), ets:lookup(T, 1)]),
         ets:delete(T, b),
         io:format("  ~p~n", [lists:sort(ets:select(T, [{{'$1', '$2'}, [{is_atom, '$1'}], [{{'$2', '$1'}}]}]))]),
         ets:delete(T)
     end || Type <- [set, ordered_set, bag, duplicate_bag]],
    C = ets:new(counters, [named_table, public, {keypos, 2}]),
    ets:insert(counters, {counter, hits, 0}),
    [ets:update_counter(C, hits, {3, 1}) || _ <- lists:seq(1, 5)],
    spawn_link(fun() -> ets:update_counter(counters, hits, {3, 10}) end),
    timer:sleep(5),
    [ets:lookup_element(counters, hits, 3), catch_badarg(fun() -> ets:lookup_element(counters, none, 3) end),
     ets:foldl(fun({_, _, N}, A) -> N + A end, 0, C)].

catch_badarg(F) -> try F() catch error:badarg -> badarg end.
