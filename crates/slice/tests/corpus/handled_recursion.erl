%% Recursion that is left by an exception; every level may handle it.
%% inputs: main(int), tree(list(int)), search(list(int), int)
-module(handled_recursion).
-export([main/1, tree/1, search/2]).

main(X) ->
    put(levels, []),
    try down(X rem 6) catch throw:{bottom, _} -> ok end,
    Levels = get(levels),
    Levels.

down(0) -> throw({bottom, 0});
down(N) when N < 0 -> throw({bottom, N});
down(N) ->
    try
        down(N - 1),
        put(levels, [{returned, N} | get(levels)])
    catch throw:{bottom, D} when N =:= 2; D < 0 -> put(levels, [N | get(levels)])
    end.

tree(L) ->
    put(sum, 0),
    T = lists:foldl(fun insert/2, nil, L),
    try walk(T) catch throw:{limit, S} when S < 30 -> ok; throw:_ -> put(sum, limit) end,
    Sum = get(sum),
    Sum.

insert(X, nil) -> {nil, X, nil};
insert(X, {A, Y, B}) when X < Y -> {insert(X, A), Y, B};
insert(X, {A, Y, B}) -> {A, Y, insert(X, B)}.

walk(nil) -> ok;
walk({A, X, B}) ->
    walk(A),
    put(sum, get(sum) + X),
    get(sum) > 12 andalso throw({limit, get(sum)}),
    walk(B).

search(L, X) ->
    put(steps, 0),
    R = try find(L, X), none catch throw:{found, At} -> At end,
    Steps = get(steps),
    {R, Steps}.

find(L, X) -> find(L, X, 1).

find([X | _], X, N) -> throw({found, N});
find([_ | L], X, N) -> put(steps, N), find(L, X, N + 1);
find([], _, _) -> ok.
