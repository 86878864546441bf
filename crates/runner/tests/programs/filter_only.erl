%% Comprehensions without a generator: everything is evaluated in the function around them.
-module(filter_only).
-export([main/0]).
-compile(nowarn_unused_vars).
id(X) -> X.
main() ->
    I = id(2),
    V0 = id(0),
    [io:format("~p~n", [L]) || L <- [
        [begin R = id(a), V = id(b), {V, R} end || I > 1],
        [begin R = id(a), V = id(b), W = id(c), {W, V, R} end || I > 1],
        [begin R = id(a), V = id(b), [V, R] end || I > 1],
        [begin R = id(a), [begin S = id(R), T = id(V0), {T, S, R} end || id(true)] end || I > 1],
        [begin {A, B} = id({1, 2}), F = fun(C) -> D = id(C), {A, B, D} end, F(3) end || I > 1, id(true)],
        [case id({x, y}) of {P, Q} -> Z = id(P), {Z, Q} end || id(true)],
        [begin Y = id(X), {Y, X} end || begin X = id(7), I > 1 end],
        [{A, B} || begin A = id(1), true end, begin B = id(A), true end],
        [begin R = id(a), V = id(b), {V, R} end || I > 2],
        [begin R = id(a), {R, [begin N = id(M), {N, R} end || M <- [1, 2]]} end || I > 1]]],
    [io:format("~p~n", [B]) || B <- [
        << <<V, R>> || R <- [1], V <- [2] >>,
        << (begin R = id(1), V = id(2), <<V, R>> end) || I > 1 >>,
        << <<(begin R = id(1), V = id(2), V * 16 + R end), V0>> || id(true) >>,
        << <<(begin R = id(1), S = id(8), R end):S2>> || begin S2 = id(16), true end >>,
        << <<1>> || I > 2 >>]],
    A1 = [begin R1 = id(a), V1 = id(b), {V1, R1} end || I > 1],
    V1 = id(c),
    {A1, V1, begin [begin R2 = id(a), put(k, R2) end || I > 1], get(k) end}.
