%% Failures in andalso, orelse, operands, arguments: what is left of and right of them.
%% inputs: main(int), operands(int), booleans(any)
-module(handled_orelse).
-export([main/1, operands/1, booleans/1]).

main(X) ->
    put(n, 0),
    try add(1) > 0 andalso fail(X) andalso add(2) > 0 catch throw:{f, _} -> ok end,
    try (fail(X) orelse add(4) > 0) andalso add(8)
        catch throw:{f, Y} when Y > 6 -> ok;
            throw:_ -> add(16) end,
    N = get(n),
    N.

add(N) -> put(n, get(n) + N), get(n).

fail(X) when X > 4 -> throw({f, X});
fail(X) -> X > 2.

operands(X) ->
    put(n, 0),
    try
        {add(1), fail(X), add(2)},
        [add(4) | fail(X - 2)]
    catch throw:{f, _} -> ok
    end,
    try add(8) + (10 div X) + add(16) catch error:badarith -> ok end,
    try #{add(32) => 10 div (X - 1), b => add(64)} catch error:badarith -> ok end,
    N = get(n),
    N.

booleans(T) ->
    put(n, 0),
    try T andalso add(1), add(2) catch error:{badarg, _} -> ok; error:badarg -> ok end,
    try not T, add(4) catch error:badarg -> ok end,
    try T or false, add(8) catch error:badarg -> ok end,
    N = get(n),
    N.
