%% The process dictionary and tables of all kinds, by key.
%% inputs: counters(list(atom)), keyed(list({atom, int})), two_tables(int, int), erase_all(int), updates(list(int)), ordered(list(int)), bag(list({atom, int})), named(int)
-module(dictionary_and_tables).
-export([counters/1, keyed/1, two_tables/2, erase_all/1, updates/1, ordered/1, bag/1, named/1]).

counters(L) ->
    lists:foreach(fun(K) -> N = case get({count, K}) of undefined -> 0; V -> V end, put({count, K}, N + 1) end, L),
    put(other, length(L)),
    A = get({count, a}),
    B = get({count, b}),
    Other = get(other),
    {A, B, Other}.

keyed(Pairs) ->
    T = ets:new(t, [set]),
    ets:insert(T, Pairs),
    ets:insert(T, {fixed, 1}),
    R = case ets:lookup(T, a) of [{a, V}] -> V; [] -> none end,
    [{fixed, F}] = ets:lookup(T, fixed),
    ets:delete(T, fixed),
    Size = ets:info(T, size),
    {R, F, Size}.

two_tables(A, B) ->
    X = ets:new(x, [public]),
    Y = ets:new(y, [public]),
    ets:insert(X, {k, A}),
    ets:insert(Y, {k, B}),
    spawn(fun() -> ets:insert(X, {k, A * 10}) end),
    receive after 10 -> ok end,
    Vx = ets:lookup_element(X, k, 2),
    Vy = ets:lookup_element(Y, k, 2),
    ets:delete(Y),
    {Vx, Vy}.

erase_all(N) ->
    put(a, N), put(b, N + 1),
    Old = erase(a),
    A = get(a),
    All = lists:sort(erase()),
    B = get(b),
    {Old, A, length(All), B}.

updates(L) ->
    T = ets:new(t, []),
    ets:insert(T, [{sum, 0}, {max, 0, none}]),
    [begin
         ets:update_counter(T, sum, X),
         [{max, M, _}] = ets:lookup(T, max),
         if X > M -> ets:insert(T, {max, X, seen}); true -> ok end
     end || X <- L],
    [{sum, Sum}] = ets:lookup(T, sum),
    Max = ets:lookup_element(T, max, 2),
    Seen = ets:lookup_element(T, max, 3),
    {Sum, Max, Seen}.

ordered(L) ->
    T = ets:new(o, [ordered_set]),
    [ets:insert(T, {X, X * X}) || X <- L],
    First = ets:first(T),
    Last = ets:last(T),
    Next = case First of '$end_of_table' -> none; _ -> ets:next(T, First) end,
    Sum = ets:foldl(fun({_, Y}, S) -> S + Y end, 0, T),
    Match = ets:match(T, {'$1', 4}),
    Sel = ets:select(T, [{{'$1', '$2'}, [{'>', '$1', 2}], ['$2']}]),
    {First, Last, Next, Sum, Match, Sel}.

bag(Pairs) ->
    T = ets:new(b, [bag, {keypos, 1}]),
    ets:insert(T, Pairs),
    ets:insert(T, {a, 100}),
    Vs = lists:sort([V || {_, V} <- ets:lookup(T, a)]),
    true = ets:member(T, a),
    ets:delete_object(T, {a, 100}),
    Rest = ets:lookup(T, a),
    Tab = lists:sort(ets:tab2list(T)),
    {Vs, length(Rest), Tab}.

named(N) ->
    ets:new(my_table, [named_table, public]),
    ets:insert(my_table, {n, N}),
    Pid = spawn(fun() -> receive {go, To} -> To ! {n, ets:lookup_element(my_table, n, 2) + 1} end end),
    Pid ! {go, self()},
    R = receive {n, V} -> V after 100 -> none end,
    Before = ets:take(my_table, n),
    ets:delete(my_table),
    {R, Before}.
