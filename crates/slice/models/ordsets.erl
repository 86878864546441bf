%% Sets: elements are compared as a whole; only what funs make of them is told apart.
-module(ordsets).

filter(F, S) -> need(S, F(part(S))), S.
fold(F, A, S) -> X = either(A, F(part(S), X)), need(S), X.
