%% The value of a try is used; its handlers say which it is, or nothing.
%% inputs: main(int), ignored(int), chain(int)
-module(handled_values).
-export([main/1, ignored/1, chain/1]).

main(X) ->
    A = try f(X) catch throw:{low, _} -> 0; error:badarith -> 1 end,
    B = try f(X - 3) catch _:_ -> 2 end,
    C = (catch f(X - 5)),
    S = if is_integer(C) -> C; true -> 5 end,
    {A, B, S}.

f(X) when X < 0 -> throw({low, X});
f(X) -> 12 div X.

ignored(X) ->
    put(n, 0),
    _ = try f(X), put(n, 1), 5
        catch throw:{low, -1} -> 6;
            throw:{low, Y} when Y < -1 -> Y;
            error:_ -> 7 end,
    N = get(n),
    N.

chain(X) ->
    A = try f(X) catch throw:{low, Y} -> Y; error:badarith -> 0 end,
    B = try f(A - 2) catch throw:{low, Z} when Z > -4 -> A; throw:_ -> -1; error:badarith -> 0 end,
    put(r, {A, B}),
    try f(B), put(r, B) catch throw:{low, W} when W =:= B -> ok; error:badarith -> ok end,
    R = get(r),
    R.
