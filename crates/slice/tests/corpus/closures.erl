%% Funs with captured variables, funs that make funs.
%% inputs: adder(int, int), counter(int), compose(int)
-module(closures).
-export([adder/2, counter/1, compose/1]).

adder(N, X) ->
    Unused = N * 100,
    Add = fun(Y) -> Y + N end,
    Log = fun(_) -> Unused end,
    R = Add(X),
    S = Log(X),
    {R, S}.

counter(Start) ->
    Make = fun(From) ->
        fun(Step) -> From + Step end
    end,
    Count = Make(Start),
    A = Count(1),
    B = Count(A),
    {A, B}.

compose(X) ->
    Inc = fun(V) -> V + 1 end,
    Dbl = fun(V) -> V * 2 end,
    Comp = fun(F, G) -> fun(V) -> F(G(V)) end end,
    H = Comp(Inc, Dbl),
    K = Comp(Dbl, Inc),
    H(X) - K(X).
