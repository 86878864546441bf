%% Library functions that call what they are given, directly and inside of structures.
-module(library_callers).
-export([main/0, cmp/2, each/1, add/2, upd/1]).

main() ->
    Dict = dict:from_list([{a, 1}, {b, 2}]),
    _ = dict:map(fun(_, V) -> upd(V) end, Dict),
    _ = dict:fold(fun(_, V, A) -> add(V, A) end, 0, Dict),
    _ = dict:update(a, fun ?MODULE:upd/1, Dict),
    _ = orddict:update_counter(a, 1, orddict:new()),
    _ = sets:fold(fun add/2, 0, sets:from_list([1, 2])),
    _ = gb_sets:fold(fun add/2, 0, gb_sets:from_list([1])),
    _ = gb_trees:map(fun(_, V) -> upd(V) end, gb_trees:from_orddict([{a, 1}])),
    _ = array:map(fun(_, V) -> upd(V) end, array:from_list([1])),
    _ = array:foldl(fun(_, V, A) -> add(V, A) end, 0, array:from_list([1])),
    _ = queue:filter(fun(X) -> X > 1 end, queue:from_list([1, 2])),
    _ = lists:sort(fun ?MODULE:cmp/2, [2, 1]),
    _ = lists:keymap(fun upd/1, 2, [{a, 1}]),
    _ = lists:mapfoldl(fun(X, A) -> {upd(X), add(X, A)} end, 0, [1]),
    _ = lists:foldr(fun add/2, 0, [1]),
    _ = lists:search(fun(X) -> each(X) end, [1]),
    _ = lists:zipwith(fun add/2, [1], [2]),
    _ = maps:map(fun(_, V) -> upd(V) end, #{a => 1}),
    _ = maps:fold(fun(_, V, A) -> add(V, A) end, 0, #{a => 1}),
    _ = maps:update_with(a, fun upd/1, #{a => 1}),
    _ = maps:filter(fun(_, V) -> each(V) end, #{a => 1}),
    _ = maps:merge_with(fun(_, A, B) -> add(A, B) end, #{a => 1}, #{a => 2}),
    _ = string:tokens("a b", " "),
    _ = proplists:get_value(f, [{f, fun upd/1}]),
    (proplists:get_value(f, [{f, fun upd/1}]))(1),
    Ops = #{add => fun add/2, nested => {fun upd/1, [fun each/1]}},
    #{nested := {_, [E]}} = Ops,
    _ = E(1),
    (maps:get(add, Ops))(1, 2),
    _ = (hd(lists:reverse([fun upd/1, fun each/1])))(3),
    {value, {_, F}} = lists:keysearch(k, 1, [{k, fun upd/1}]),
    _ = F(1),
    _ = [G(1) || {G, _} <- lists:zip([fun upd/1], [x])],
    _ = (element(2, {x, fun each/1}))(2),
    _ = (element(2, setelement(2, {x, y}, fun upd/1)))(2),
    _ = (lists:nth(1, [fun each/1]))(1),
    T = list_to_tuple([fun upd/1]),
    _ = (element(1, T))(1),
    _ = erpc:call(node(), ?MODULE, add, [1, 2]),
    _ = erpc:call(node(), fun() -> each(1) end),
    _ = rpc:call(node(), ?MODULE, upd, [1]),
    Key = rpc:async_call(node(), ?MODULE, upd, [2]),
    _ = rpc:yield(Key),
    _ = filelib:fold_files("/nowhere", "x", false, fun(_, A) -> A end, 0),
    try each(throw) catch throw:{thrown, H} -> H(1) end,
    [X || X <- [1, 2, 3], each(X)],
    _ = binary_to_term(term_to_binary({1, 2})),
    ok.

cmp(A, B) -> A =< B.
each(throw) -> throw({thrown, fun upd/1});
each(X) -> X > 0.
add(A, B) -> A + B.
upd(X) -> X + 1.
