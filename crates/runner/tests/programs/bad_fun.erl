%% Calls of what is no function, or not of that many arguments.
-module(bad_fun).
-export([main/0]).

main() ->
    show(fun() -> a(x) end),
    show(fun() -> b(x) end),
    show(fun() -> c(x) end),
    show(fun() -> b(fun() -> 1 end) end),
    show(fun() -> d(fun(X) -> X end) end),
    show(fun() -> e(x, y) end).

a(X) -> X(1).
b(X) -> {X(1)}.
c(X) -> X(1) * 2.
d(X) -> [X(1, 2)].
e(X, Y) -> [X:Y(1)].

show(F) ->
    try F() of V -> io:format("~p~n", [V])
    catch C:R:S ->
        io:format("~p ~p~n", [C, case R of {badarity, {_, A}} -> A; _ -> R end]),
        [io:format("  ~w:~w/~w~n", [M, N, arity(A)]) || {M, N, A, _} <- lists:takewhile(fun({_, N, _, _}) -> N =/= show end, S)]
    end.

arity(A) when is_list(A) -> length(A);
arity(A) -> A.
