%% Errors that nobody raises: each comes from the expression that fails, to the handler around it.
-module(failing_places).
-export([main/0]).

main() ->
    One = id(1),
    say(catch (try id(a) of b -> c catch throw:_ -> d end)),
    say(catch throw(try id(a) of b -> c after ok end)),
    say(catch begin One = id(2) end),
    say(catch case id(3) of One -> ok end),
    say(catch case id(3) of X when X > 4 -> X end),
    say(catch if One > 4 -> ok end),
    say(catch [Y || Y <- id(no_list)]),
    say(catch << <<B>> || <<B>> <= case id(no) of Bits -> Bits end >>),
    say(catch [Y || Y <- [1, 2], case id(Y) of Maybe -> Maybe end]),
    say(catch (id(4) orelse false)),
    say(catch (id(4) andalso false)),
    say(catch receive after id(never) -> ok end),
    F = fun(N) when N > 1 -> N end,
    say(catch apply_to(F, 0)),
    G = fun Loop(0) -> id(a) + 1; Loop(N) -> Loop(N - 1) end,
    say(catch apply_to(G, 2)),
    say(catch only_a(id(b))),
    say(catch (id(x))#{k => v}),
    say(catch <<(id(a)):8>>),
    say(catch maps:get(k, #{})),
    say(catch (id(no_fun))()),
    say(catch (id(nowhere)):nothing(1)),
    say(catch lists:map(F, [0])).

apply_to(F, X) -> {done, F(X)}.
only_a(a) -> a.
id(X) -> X.
say(X) -> io:format("~P~n", [X, 6]).
