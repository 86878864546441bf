%% Which functions a stack trace shows: calls in tail position leave no trace.
-module(tail_frames).
-export([main/0]).

main() ->
    show(fun() -> a(1) end),
    show(fun() -> b({1, a}) end),
    show(fun() -> c({1, a}, 1) end),
    show(fun() -> d(x) end),
    show(fun() -> e(x) end),
    show(fun() -> f(x) end),
    show(fun() -> g(x) end),
    show(fun() -> h(1) end),
    ok.

show(F) ->
    try F() of V -> io:format("~p~n", [V])
    catch C:R:S ->
        io:format("~p ~p~n", [C, R]),
        [io:format("  ~w:~w/~w~n", [M, N, arity(A)]) || {M, N, A, _} <- lists:takewhile(fun({_, N, _, _}) -> N =/= show end, S)]
    end.

arity(A) when is_list(A) -> length(A);
arity(A) -> A.

a(X) -> b({X, X}).
b(X) -> lists:sum(X).
c(X, 0) -> X;
c(X, _) -> _ = X, lists:sum(X).
d(X) -> [Y || Y <- X].
e(X) -> << <<Y>> || <<Y>> <= X >>.
f(X) -> lists:filter(fun(_) -> true end, X).
g(X) -> lists:foldl(fun(E, A) -> X(E) + A end, 0, [1]).
h(X) -> case X of 1 -> Y = [0], lists:sum({Y}); _ -> ok end.
