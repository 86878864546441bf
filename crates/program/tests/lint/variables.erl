%% Variables: unbound, unsafe, unused, shadowed, exported.
%%% unbound
f() -> X.
g() -> {X, X}.
h() -> [A | B].
%%% misspelt
f(State) -> Stat.
%%% unused
f(X) -> ok.
g(_X) -> ok.
h(X, Y) -> Y.
i() -> X = 1, ok.
%%% underscore
f() -> _.
g(_) -> _ = 1, ok.
h(_A, _A) -> ok.
i(_A) -> _A = 1.
j() -> {_B, _B} = k().
k() -> {1, 1}.
l() -> _X = 1, _X.
%%% sequence
f() -> X = 1, Y = X, Y.
g() -> Y = X, X = 1, Y.
h() -> X = 1, X = 2.
%%% case exports
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, X.
g(A) -> case A of 1 -> X = 1; 2 -> ok end, X.
h(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, X = 3.
i(A) -> case A of 1 -> X = 1; 2 -> Y = 2 end, {X, Y}.
j(A) -> case A of {X} -> X; X -> X end.
k(A) -> case A of {X} -> ok; {X, _} -> ok end, X.
%%% case exports unused
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, ok.
g(A) -> case A of 1 -> X = 1; 2 -> ok end.
%%% nested cases
f(A) -> case A of 1 -> case A of 2 -> X = 1; 3 -> X = 2 end; 4 -> X = 5 end, X.
g(A) -> case A of 1 -> case A of 2 -> X = 1; 3 -> ok end; 4 -> X = 5 end, X.
h(A) -> case A of 1 -> case A of 2 -> X = 1; 3 -> ok end, X; 4 -> X = 5 end, X.
i(A) -> case (X = A) of 1 -> X; _ -> X end, X.
%%% unsafe reported once
f(A) -> case A of 1 -> X = 1; 2 -> ok end, X, X, X.
g(A) -> case A of 1 -> X = 1; 2 -> ok end, {X, X}.
h(A) -> case A of 1 -> X = 1; 2 -> ok end, X = 1.
i(A) -> case A of 1 -> X = 1; 2 -> ok end, case A of X -> ok end.
%%% if
f(A) -> if A -> X = 1; true -> X = 2 end, X.
g(A) -> if A -> X = 1; true -> ok end, X.
h(A) -> if B -> ok; true -> A end.
%%% receive
f() -> receive X -> X end.
g() -> receive {X} -> ok; X -> ok end, X.
h() -> receive {X} -> ok; _ -> ok end, X.
i() -> receive X -> ok after 10 -> X = 1 end, X.
j() -> receive X -> ok after 10 -> ok end, X.
k(T) -> receive after T -> X = 1 end, X.
l() -> receive {a, Y} -> Y after (Y = 10) -> Y end.
%%% try
f() -> try X = 1 of _ -> X catch _:_ -> ok end.
g() -> try X = 1 of _ -> ok catch _:_ -> X end.
h() -> try X = 1 after X end.
i() -> try X = 1 catch _:_ -> X = 2 end, X.
j() -> try ok after X = 1 end, X.
k() -> try ok catch throw:X -> X; X -> X; error:{X, Y} -> {X, Y} end.
l() -> try ok of X -> X catch _:_ -> ok end, X.
m() -> try X = 1, X of Y -> Y catch C:R -> {C, R} after ok end.
%%% stack trace
f() -> try ok catch C:R:S -> {C, R, S} end.
g() -> try ok catch _:_:S when S =:= [] -> S end.
h(S) -> try ok catch _:_:S -> S end.
i() -> try ok catch S:_:S -> S end.
j() -> try ok catch _:_:S -> ok end.
k() -> try ok catch _:_:_ -> ok end.
l() -> try S = 1, S catch _:_:S -> S end.
%%% catch
f() -> catch X = 1, X.
g() -> Y = (catch X = 1), {X, Y}.
h(X) -> catch X.
%%% andalso
f(A) -> A andalso (X = 1), X.
g(A) -> (X = A) orelse X, X.
h(A) -> (X = A) and X.
i(A) -> A orelse begin X = 1, X end.
%%% block
f() -> begin X = 1, X end, X.
g() -> {begin X = 1 end, X}.
h() -> f(X = 1, X = 1), X.
f(A, B) -> {A, B}.
%%% funs
f(X) -> fun(X) -> X end.
g(X) -> fun(Y) -> X end.
h() -> F = fun(X) -> X end, X, F.
i() -> fun() -> X = 1 end, X.
j(X) -> fun() -> X = 2 end.
k(X) -> fun(A) when A > X -> A end.
l() -> X = 1, fun(X) -> ok end.
m(X) -> fun(#{X := Y}) -> Y end.
n(X) -> fun(<<X:X>>) -> X end.
o(X) -> fun(X) -> X; (Y) -> {X, Y} end.
%%% named funs
f() -> fun F(0) -> 1; F(N) -> N * F(N - 1) end.
g() -> fun F(X) -> X end.
h(F) -> fun F(X) -> F(X) end.
i() -> fun _(X) -> X end.
j() -> fun F(F) -> F end.
k() -> fun F(X) -> X end, F.
%%% comprehensions
f(L) -> [X || X <- L].
g(L) -> [Y || X <- L].
h(L) -> [X || X <- L, X > 1].
i(L, X) -> [X || X <- L].
j(L) -> [X || X <- L], X.
k(L) -> [{X, Y} || X <- L, Y <- X].
l(L) -> [{X, Y} || Y <- X, X <- L].
m(L) -> [X || X <- (Y = L)], Y.
n(L) -> [ok || X <- L].
o(L) -> [X || X <- L, X <- [X]].
p(L) -> [X || {X, X} <- L].
q(L, X) -> [X || <<X:X>> <= L].
r(L) -> << <<X>> || X <- L >>.
s(L) -> << <<X>> || <<X>> <= L >>.
t(L) -> [ok || X <- L, X <- X].
u(L) -> [Z || X <- L, begin Z = X, true end].
v(L) -> [X || X <- L, begin Z = X, true end].
w(L) -> [_X || _X <- L].
%%% comprehension in case
f(A, L) -> case A of 1 -> [X || X <- L]; 2 -> ok end.
g(A, L) -> case A of 1 -> X = 1; 2 -> ok end, [X || X <- L].
h(A, L) -> case A of 1 -> X = 1; 2 -> ok end, [Y || Y <- L, Y =:= X].
%%% fun and unsafe
f(A) -> case A of 1 -> X = 1; 2 -> ok end, fun(X) -> X end.
g(A) -> case A of 1 -> X = 1; 2 -> ok end, fun() -> X end.
h(A) -> case A of 1 -> X = 1; 2 -> ok end, fun() -> X end, X.
%%% exported warnings
-compile(warn_export_vars).
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, X.
g(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, <<1:X>>.
%%% switched off
-compile([nowarn_unused_vars, nowarn_shadow_vars, nowarn_underscore_match]).
f(X) -> fun(X) -> _Y = 1, _Y = 2 end.
%%% guards
f(X) when X > Y -> X.
g(X) when X > Y, Y > X -> X.
h(X) when X > Y; Y > X -> X.
i(X) when is_integer(X), X > 1; X =:= a -> ok.
%%% match merges
f(X) -> {Y, Y} = X, Y.
g(X) -> [Y | Y] = X.
h() -> {A = 1, A = 2}.
i(X) -> X = Y = 1, Y.
j({X = Y, Y}) -> X.
%%% deep
f(A) -> case A of 1 -> B = 1, case B of 1 -> C = 1; _ -> C = 2 end; _ -> B = 2, C = 3 end, {B, C}.
g(A) -> case A of 1 -> if A > 1 -> B = 1; true -> B = 2 end; _ -> receive B -> ok end end, B.
