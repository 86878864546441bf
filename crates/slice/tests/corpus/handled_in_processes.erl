%% Processes that handle their own failures; only their messages and tables tell.
%% inputs: main(int), two(int, int), relay(int)
-module(handled_in_processes).
-export([main/1, two/2, relay/1]).

main(X) ->
    Me = self(),
    spawn(fun() ->
        try
            X > 3 andalso throw({no, X}),
            Me ! {value, X}
        catch throw:{no, _} -> ok
        end,
        Me ! done
    end),
    receive done -> ok end,
    Value = receive {value, V} -> V after 0 -> none end,
    Value.

two(X, Y) ->
    Me = self(),
    [spawn(fun() -> run(Me, Z) end) || Z <- [X, Y]],
    receive {end_, _} -> ok end,
    receive {end_, _} -> ok end,
    Sum = sum(0),
    Sum.

run(To, Z) ->
    try
        To ! {n, 12 div Z},
        Z > 5 andalso exit({over, Z}),
        To ! {n, 100}
    catch
        error:badarith -> ok;
        exit:{over, N} when N < 8 -> ok;
        exit:_ -> To ! {n, 1000}
    end,
    To ! {end_, Z}.

sum(N) -> receive {n, X} -> sum(N + X) after 0 -> N end.

relay(X) ->
    Me = self(),
    A = spawn(fun() -> receive {go, N} -> try pass(Me, N)
        catch throw:{stop, _} -> Me ! finished end end end),
    A ! {go, X},
    Got = receive {passed, N} -> N after 30 -> none end,
    Finished = receive finished -> yes after 0 -> no end,
    {Got, Finished}.

pass(To, N) when N > 2 -> To ! {passed, N}, throw({stop, N});
pass(_, N) when N < 0 -> throw({stop, N});
pass(_, _) -> ok.
