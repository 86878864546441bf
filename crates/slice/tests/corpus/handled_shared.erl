%% One failing function, called under handlers that look at different parts of its reason.
%% inputs: main(int, int), others(int)
-module(handled_shared).
-export([main/2, others/1]).

main(X, Y) ->
    put(a, 0),
    put(b, 0),
    put(c, 0),
    try fail(X, Y), put(a, 1) catch throw:{P, _, _} when P > 3 -> ok; throw:_ -> put(a, 2) end,
    try fail(X, Y), put(b, 1) catch throw:{_, Q, _} when Q > 3 -> ok; throw:_ -> put(b, 2) end,
    try fail(X, Y), put(c, 1)
        catch throw:{_, _, [Sum]} when Sum > 3 -> ok;
            throw:{_, _, Rest} -> put(c, Rest) end,
    A = get(a),
    B = get(b),
    C = get(c),
    {A, B, C}.

fail(X, Y) when X + Y > 3 -> throw({X, Y, [X + Y]});
fail(X, _) when X < 0 -> throw({X, 0, []});
fail(_, _) -> ok.

others(X) ->
    put(a, 0),
    F = fun(Y) -> fail(Y, X) end,
    try F(1), put(a, 1) catch throw:{1, 3, _} -> put(a, 3); throw:{1, _, [_]} -> ok end,
    try lists:foreach(F, [1, 2, 3]), put(a, get(a) + 10)
        catch throw:{N, _, _} when N < 3 -> ok;
            throw:{3, N, _} -> put(a, N) end,
    A = get(a),
    A.
