%% Structures of the library: queues, sets, trees, dictionaries, maps in maps.
%% inputs: tagged(list(one({ok, 1}; {error, 2}; {ok, 7}; skip))), queues(list(int)), sets_of(list(int)), tree(list({int, atom})), props(int), nested_maps(int, int), zipper(list(int)), json(any), tuples(int, int, int), dicts(list({atom, int})), merge(int, int), strings_maps(string)
-module(data_mix).
-export([tagged/1, queues/1, sets_of/1, tree/1, props/1, nested_maps/2, zipper/1, json/1, tuples/3, dicts/1, merge/2, strings_maps/1]).

tagged(L) ->
    {Oks, Errs} = lists:foldl(fun
        ({ok, V}, {O, E}) -> {[V | O], E};
        ({error, R}, {O, E}) -> {O, [R | E]};
        (_, Acc) -> Acc
    end, {[], []}, L),
    First = lists:keyfind(error, 1, [T || T <- L, is_tuple(T)]),
    N = case First of {error, X} -> X; false -> 0 end,
    {lists:sum(Oks), length(Errs), N}.

queues(L) ->
    Q = lists:foldl(fun queue:in/2, queue:new(), L),
    {A, Q1} = case queue:out(Q) of {{value, V}, R} -> {V, R}; {empty, R} -> {none, R} end,
    B = queue:len(Q1),
    C = queue:to_list(queue:in_r(A, Q1)),
    {A, B, C}.

sets_of(L) ->
    S = sets:from_list(L),
    O = ordsets:from_list([X rem 3 || X <- L]),
    U = ordsets:union(O, [7]),
    D = sets:is_element(3, S),
    {sets:size(S), U, D}.

tree(Pairs) ->
    T = lists:foldl(fun({K, V}, Acc) -> gb_trees:enter(K, V, Acc) end, gb_trees:empty(), Pairs),
    Keys = gb_trees:keys(T),
    R = case gb_trees:lookup(3, T) of {value, V} -> V; none -> nothing end,
    M = case gb_trees:is_empty(T) of true -> none; false -> element(1, gb_trees:smallest(T)) end,
    {Keys, R, M}.

props(N) ->
    P = [{size, N}, verbose, {size, 9}, {name, "x"}],
    A = proplists:get_value(size, P),
    B = proplists:get_bool(verbose, P),
    C = proplists:get_all_values(size, P),
    D = proplists:delete(size, P),
    {A, B, lists:sum(C), length(D)}.

nested_maps(A, B) ->
    M = #{x => #{y => A, z => B}, w => [A, B]},
    M1 = maps:update_with(x, fun(I) -> I#{y := B} end, M),
    #{x := #{y := Y, z := Z}} = M1,
    W = maps:get(v, M1, maps:get(w, M1)),
    F = maps:fold(fun(_, V, Acc) when is_map(V) -> Acc + maps:size(V); (_, _, Acc) -> Acc end, 0, M1),
    V = maps:without([w], M1),
    {Y - Z, hd(W), F, maps:keys(V)}.

zipper(L) ->
    {Left, Right} = lists:split(length(L) div 2, L),
    Z = {lists:reverse(Left), Right},
    {L1, R1} = case Z of {Ls, [X | Rs]} -> {[X | Ls], Rs}; Same -> Same end,
    {length(L1), R1}.

json(V) -> lists:flatten(enc(V)).

enc(N) when is_integer(N) -> integer_to_list(N);
enc(A) when is_atom(A) -> ["\"", atom_to_list(A), "\""];
enc(L) when is_list(L) -> ["[", lists:join(",", [enc(X) || X <- L]), "]"];
enc(M) when is_map(M) -> ["{", [[enc(K), ":", enc(V)] || {K, V} <- maps:to_list(M)], "}"];
enc(B) when is_binary(B) -> ["<", integer_to_list(byte_size(B)), ">"];
enc({A, B}) -> ["(", enc(A), " ", enc(B), ")"];
enc({}) -> "()".

tuples(A, B, C) ->
    T = {A, {B, C}, [C]},
    {_, P, [Q]} = T,
    {R, _} = P,
    S = setelement(1, T, Q + 1),
    {X, _, _} = S,
    {R, X, element(1, element(2, S))}.

dicts(Pairs) ->
    D = lists:foldl(fun({K, V}, Acc) -> dict:append(K, V, Acc) end, dict:new(), Pairs),
    A = case dict:find(a, D) of {ok, Vs} -> lists:sum(Vs); error -> none end,
    O = orddict:from_list([{K, V} || {K, V} <- Pairs, is_integer(V)]),
    B = orddict:fold(fun(_, V, S) -> S + V end, 0, O),
    {A, B, dict:size(D)}.

merge(A, B) ->
    M = maps:merge(#{a => A, c => 1}, #{a => B, b => A}),
    #{a := X, b := Y} = M,
    L = [V || {_, V} <- lists:sort(maps:to_list(maps:filter(fun(_, V) -> V > 1 end, M)))],
    {X, Y, L}.

strings_maps(S) ->
    C = lists:foldl(fun(Ch, M) -> maps:update_with(Ch, fun(N) -> N + 1 end, 1, M) end, #{}, S),
    Most = maps:fold(fun(K, N, {_, Best}) when N > Best -> {K, N}; (_, _, Acc) -> Acc end, {none, 0}, C),
    {Ch, _} = Most,
    Word = string:tokens(S, " "),
    {Ch, length(Word)}.
