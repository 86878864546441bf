%% Exceptions of all classes, caught by all constructs.
-module(failures).
-export([main/0]).

main() ->
    A = (catch thrower(1)),
    B = try thrower(A) of V -> V catch throw:{no, X} -> X; throw:other -> o end,
    C = try failer(B) catch error:oops -> caught; exit:R -> R after done(B) end,
    D = try inner() catch _:_ -> all end,
    E = try erlang:raise(exit, gone, []) catch exit:gone -> ok end,
    F = try C + 1 catch error:badarith -> 0 end,
    {A, B, C, D, E, F}.

thrower(1) -> throw({no, 1});
thrower(_) -> throw(other).

failer(1) -> error(oops);
failer(2) -> exit(stopped);
failer(_) -> throw(through).

inner() ->
    try failer(3) catch error:E -> {inner, E} end.

done(_) -> ok.
