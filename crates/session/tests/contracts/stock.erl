%% Contracts about the objects of tables.
-module(stock).
-compile([export_all, nowarn_export_all]).
-table("stock({_, N}) -> N >= 0; stock({_, _, _}) -> {false, \"three elements\"}").
-table({accounts, balanced/1}).

balanced(Objects) ->
    case lists:sum([N || {_, N} <- Objects]) of
        0 -> true;
        Sum -> {false, "the sum is " ++ integer_to_list(Sum)}
    end.

new(Options) -> ets:new(stock, [public | Options]).

insert(What) -> T = new([]), ets:insert(T, What).
list(What) -> new([named_table]), ets:insert(stock, What), ets:info(stock, size).
count(By) -> T = new([]), ets:insert(T, {a, 2}), ets:update_counter(T, a, By).
element() -> T = new([]), ets:insert(T, {a, 2}), ets:update_element(T, a, {2, -1}).
default() -> T = new([]), ets:update_counter(T, b, {2, -3}, {b, 1}).
caught() -> T = new([]), catch ets:insert(T, {a, -1}), ok.
replaced() ->
    T = new([]),
    ets:insert(T, [{a, 1}, {b, 2}]),
    ets:select_replace(T, [{{'$1', '$2'}, [], [{{'$1', {'-', '$2', 1}}}]}]).
twice() ->
    T = new([]),
    ets:insert(T, {a, 1}),
    ets:insert(T, {b, 2}),
    ets:delete(T, a),
    ets:delete_all_objects(T),
    ets:insert_new(T, {b, 3}),
    R = ets:tab2list(T),
    ets:delete(T),
    R.
by_other() ->
    new([named_table]),
    {_, Ref} = spawn_monitor(fun() -> ets:insert(stock, {a, -1}) end),
    receive {'DOWN', Ref, _, _, Why} -> element(1, element(1, Why)) end.
applied() -> T = new([]), apply(ets, insert, [T, {x, -5}]).
last(T) -> ets:insert(T, {a, 1}).
in_fun(N) -> T = new([]), lists:foreach(fun(X) -> ets:insert(T, {X, N}) end, [a, b]), ets:info(T, size).

accounts() -> T = ets:new(accounts, []), ets:insert(T, [{a, 10}, {b, -10}]), T.
transfer(N) ->
    T = accounts(),
    ets:insert(T, [{a, 10 - N}, {b, N - 10}]),
    lists:sort(ets:tab2list(T)).
withdraw() -> T = accounts(), ets:update_counter(T, a, -5).
close() -> T = accounts(), ets:delete(T, a).

%! insert({a, 1}): true
%! insert({a, -1}): table callee
%! insert({a, 1, 2}): table callee
%! insert({b}): table contract
%! list([{a, 1}, {b, 0}]): 2
%! list([{a, 1}, {b, -1}]): table callee
%! count(-2): 0
%! count(-3): table callee
%! element(): table callee
%! default(): table callee
%! caught(): table callee
%! twice(): [{b,3}]
%! by_other(): table callee
%! applied(): table callee
%! last(ets:new(stock, [])): true
%! in_fun(1): 2
%! in_fun(-1): table callee
%! transfer(3): [{a,7},{b,-7}]
%! withdraw(): table callee
%! close(): table callee
