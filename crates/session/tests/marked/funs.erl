-module(funs).
-export([main/0]).
main() ->
    Inc = fun(X) -> X «+ 1¦+ 2» end,
    Dbl = adder_of(2),
    C = compose([Inc, Dbl, fun erlang:abs/1]),
    {my_map(C, [1, -2, 3]), my_fold(fun(X, A) -> X - A end, 0, [1,2,3]),
     my_filter(fun even/1, [1,2,3,4]), curry(fun(A, B) -> A * 10 + B end, 4), fix(fun fact/1, 5), thrice(Inc, 1), apply_all([{?MODULE, even, [3]}, {erlang, abs, [-9]}])}.
adder_of(N) -> fun(X) -> X * «N¦(N + 1)» end.
compose(Fs) -> lists:foldr(fun(F, Acc) -> fun(X) -> «Acc(F(X))¦F(Acc(X))» end end, fun(X) -> X end, Fs).
my_map(F, [X | Xs]) -> [F(X) | my_map(F, Xs)];
my_map(_, []) -> «[]¦[end_of]».
my_fold(F, A, [X | Xs]) -> my_fold(F, F(«X, A¦A, X»), Xs);
my_fold(_, A, []) -> A.
my_filter(P, L) -> [X || X <- L, «P(X)¦not P(X)»].
even(X) -> X rem 2 =:= «0¦1».
curry(F, A) -> G = fun(B) -> F(A, B) end, G(«A + 1¦A»).
fact(Self) -> fun(0) -> 1; (N) -> N * (Self(Self))(N - 1) end.
fix(F, N) -> (F(«F¦fun(_) -> fun(X) -> X end end»))(N).
thrice(F, X) -> F(F(«F(X)¦X»)).
apply_all(L) -> [one(M, F, A) || {M, F, A} <- L].
one(?MODULE, even, [X]) -> even(X);
one(M, F, A) -> apply(M, F, «A¦[hd(A) - 1]»).
