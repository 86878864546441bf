%% The traps of other slicers in other spellings.
%% inputs: append(list(int), list(int)), append2(list(int), int), put_get(int), put_get2(atom, int), strings(string), floats(float, float), remote(list(int)), in_lc(list(int)), in_fun(int), in_guard(int, int), in_recv(int), append3(string, int), deep(list(int)), put3(int)
-module(traps_other).
-export([append/2, append2/2, put_get/1, put_get2/2, strings/1, floats/2, remote/1, in_lc/1, in_fun/1, in_guard/2, in_recv/1, append3/2, deep/1, put3/1]).

append(X, Y) ->
    Z = lists:append([X, [0], Y]),
    case Z of
        [_, _, C | _] -> C;
        [_, B] -> B;
        [A] -> A
    end.

append2(L, N) ->
    [H | T] = L ++ [N] ++ [N + 1],
    {Front, [Last]} = lists:split(length(L) + 1, [H | T]),
    Second = lists:nth(2, [H | T]),
    {length(Front), Last, Second}.

append3(S, N) ->
    "x" ++ [D, E | _] = "x" ++ integer_to_list(N + 100) ++ S,
    R = [D | "abc"] ++ [E],
    [_ | Tail] = R,
    {D, E, Tail}.

put_get(N) ->
    put(a, N),
    put(b, N * 2),
    F = fun(K) -> get(K) end,
    A = F(a),
    erlang:put(a, A + 1),
    B = erlang:get(a),
    All = proplists:get_value(b, get()),
    {A, B, All}.

put_get2(K, V) ->
    put(K, V),
    put(a, V + 1),
    X = get(a),
    Y = get(K),
    Old = put(K, none),
    {X, Y, Old}.

put3(N) ->
    Self = self(),
    spawn(fun() -> put(k, N), Self ! {got, get(k)} end),
    put(k, mine),
    R = receive {got, V} -> V end,
    Keys = get_keys(k_missing),
    {R, get(k), Keys}.

strings(S) ->
    T = string:concat(S, "!"),
    U = lists:flatten(io_lib:format("~s-~w", [T, length(S)])),
    V = string:to_upper(U),
    {T, V, hd(T)}.

floats(A, B) ->
    C = A / 2.0,
    D = round(B * 1.0e1),
    E = math:pow(C, 2),
    case C of
        0.0 -> zero;
        X when X > 1.0e2 -> {big, X};
        _ -> {D, E}
    end.

remote(L) ->
    M = lists,
    A = M:reverse(L),
    B = erlang:length(A),
    F = fun lists:max/1,
    C = F([B | L]),
    D = apply(lists, sum, [A]),
    E = erlang:apply(erlang, '+', [C, D]),
    {B, E}.

in_lc(L) ->
    [begin Y = X * 2, Z = Y + length(L), {Y, Z} end || X <- L, W <- [X - 1], W > 0].

in_fun(N) ->
    F = fun(A) -> B = A + N, C = fun(D) -> E = B * D, E end, C(A) end,
    lists:map(F, [1, 2, N]).

in_guard(A, B) ->
    case {A, B} of
        {X, Y} when X > Y, X - Y < 5; X =:= 0 -> near;
        {X, _} when is_integer(X) -> far
    end.

in_recv(N) ->
    self() ! {data, N, [N]},
    self() ! {other, N + 1},
    receive
        {other, K} when K > 3 -> {k, K};
        {data, M, [P]} when M =:= P -> {m, M + P}
    end.

deep(L) ->
    T = {L, {[L | L], #{k => {x, L}}}},
    {_, {[First | _], #{k := {_, Second}}}} = T,
    {A, B} = {First ++ Second, Second},
    case A of [Q | _] -> {Q, length(B)}; [] -> none end.
