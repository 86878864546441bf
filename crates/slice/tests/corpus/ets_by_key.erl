%% Tables: insert and lookup by key, counters, deletion.
%% inputs: store(int, int), words(list(atom)), scan(list({atom, int}))
-module(ets_by_key).
-export([store/2, words/1, scan/1]).

store(A, B) ->
    T = ets:new(store, [set]),
    ets:insert(T, {a, A}),
    ets:insert(T, {b, B}),
    [{a, X}] = ets:lookup(T, a),
    Y = ets:lookup_element(T, b, 2),
    ets:delete(T, a),
    Left = ets:lookup(T, a),
    ets:delete(T),
    {X - Y, Left}.

words(Ws) ->
    T = ets:new(words, [ordered_set]),
    [ets:update_counter(T, W, {2, 1}, {W, 0}) || W <- Ws],
    All = ets:tab2list(T),
    First = ets:first(T),
    ets:delete(T),
    {First, All}.

scan(KVs) ->
    Tab = ets:new(tab, [bag]),
    true = ets:insert(Tab, KVs),
    As = ets:match(Tab, {a, '$1'}),
    Size = ets:info(Tab, size),
    Sum = ets:foldl(fun({_, V}, S) -> V + S end, 0, Tab),
    true = ets:delete(Tab),
    {lists:sort(As), Size, Sum}.
