%% An exception through several calls; the functions between have handlers of their own for others.
%% inputs: main(int), mutual(int)
-module(handled_far).
-export([main/1, mutual/1]).

main(X) ->
    put(trail, []),
    try
        one(X),
        mark(main)
    catch throw:{far, N} when N < 9 -> ok; _:_ -> mark(other)
    end,
    Trail = get(trail),
    Trail.

one(X) ->
    try two(X) catch error:_ -> mark(one) end,
    mark(after_one).

two(X) ->
    try three(X), mark(two) catch throw:{near, _} -> ok end,
    mark(after_two).

three(X) ->
    try four(X), mark(three) catch exit:_ -> ok end,
    mark(after_three).

four(X) when X > 6 -> throw({far, X});
four(X) when X > 4 -> throw({near, X});
four(X) when X > 2 -> exit({out, X});
four(X) when X < 0 -> error({wrong, X});
four(_) -> mark(four).

mark(W) -> put(trail, [W | get(trail)]).

mutual(N) ->
    put(trail, []),
    try even(N) catch throw:{negative, _} -> ok end,
    Trail = get(trail),
    Trail.

even(0) -> ok;
even(N) when N < 0 -> throw({negative, N});
even(N) -> mark(even), odd(N - 2).

odd(N) when N > 90 -> ok;
odd(N) -> try even(N - 1) catch throw:{negative, -2} -> mark(odd) end.
