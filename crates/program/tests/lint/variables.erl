%% Variables: unbound, unsafe, unused, shadowed, exported.
%%% unbound
f() -> X.                                          %! 8 error unbound_var
g() -> {X, X}.                                     %! 9 error unbound_var, 12 error unbound_var
h() -> [A | B].                                    %! 9 error unbound_var, 13 error unbound_var
%%% misspelt
f(State) -> Stat.                                  %! 3 warning unused_var, 13 error unbound_var
%%% unused
f(X) -> ok.                                        %! 3 warning unused_var
g(_X) -> ok.
h(X, Y) -> Y.                                      %! 3 warning unused_var
i() -> X = 1, ok.                                  %! 8 warning unused_var
%%% underscore
f() -> _.                                          %! 8 error unbound_var
g(_) -> _ = 1, ok.
h(_A, _A) -> ok.                                   %! 3 warning match_underscore_var_pat, 7 warning match_underscore_var_pat
i(_A) -> _A = 1.                                   %! 10 warning match_underscore_var
j() -> {_B, _B} = k().                             %! 9 warning match_underscore_var_pat, 13 warning match_underscore_var_pat
k() -> {1, 1}.
l() -> _X = 1, _X.
%%% sequence
f() -> X = 1, Y = X, Y.
g() -> Y = X, X = 1, Y.                            %! 12 error unbound_var
h() -> X = 1, X = 2.
%%% case exports
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, X.
g(A) -> case A of 1 -> X = 1; 2 -> ok end, X.      %! 44 error unsafe_var
h(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, X = 3. %! 47 warning exported_var
i(A) -> case A of 1 -> X = 1; 2 -> Y = 2 end, {X, Y}. %! 48 error unsafe_var, 51 error unsafe_var
j(A) -> case A of {X} -> X; X -> X end.
k(A) -> case A of {X} -> ok; {X, _} -> ok end, X.
%%% case exports unused
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, ok.  %! 24 warning unused_var, 36 warning unused_var
g(A) -> case A of 1 -> X = 1; 2 -> ok end.         %! 24 warning unused_var
%%% nested cases
f(A) -> case A of 1 -> case A of 2 -> X = 1; 3 -> X = 2 end; 4 -> X = 5 end, X.
g(A) -> case A of 1 -> case A of 2 -> X = 1; 3 -> ok end; 4 -> X = 5 end, X. %! 75 error unsafe_var
h(A) -> case A of 1 -> case A of 2 -> X = 1; 3 -> ok end, X; 4 -> X = 5 end, X. %! 59 error unsafe_var, 78 error unsafe_var
i(A) -> case (X = A) of 1 -> X; _ -> X end, X.
%%% unsafe reported once
f(A) -> case A of 1 -> X = 1; 2 -> ok end, X, X, X. %! 44 error unsafe_var
g(A) -> case A of 1 -> X = 1; 2 -> ok end, {X, X}. %! 45 error unsafe_var, 48 error unsafe_var
h(A) -> case A of 1 -> X = 1; 2 -> ok end, X = 1.  %! 44 error unsafe_var
i(A) -> case A of 1 -> X = 1; 2 -> ok end, case A of X -> ok end. %! 54 error unsafe_var
%%% if
f(A) -> if A -> X = 1; true -> X = 2 end, X.
g(A) -> if A -> X = 1; true -> ok end, X.          %! 40 error unsafe_var
h(A) -> if B -> ok; true -> A end.                 %! 12 error unbound_var
%%% receive
f() -> receive X -> X end.
g() -> receive {X} -> ok; X -> ok end, X.
h() -> receive {X} -> ok; _ -> ok end, X.          %! 40 error unsafe_var
i() -> receive X -> ok after 10 -> X = 1 end, X.
j() -> receive X -> ok after 10 -> ok end, X.      %! 44 error unsafe_var
k(T) -> receive after T -> X = 1 end, X.
l() -> receive {a, Y} -> Y after (Y = 10) -> Y end. %! 46 error unbound_var
%%% try
f() -> try X = 1 of _ -> X catch _:_ -> ok end.
g() -> try X = 1 of _ -> ok catch _:_ -> X end.    %! 42 error unsafe_var
h() -> try X = 1 after X end.                      %! 24 error unsafe_var
i() -> try X = 1 catch _:_ -> X = 2 end, X.        %! 31 error unsafe_var, 42 error unsafe_var
j() -> try ok after X = 1 end, X.                  %! 32 error unsafe_var
k() -> try ok catch throw:X -> X; X -> X; error:{X, Y} -> {X, Y} end.
l() -> try ok of X -> X catch _:_ -> ok end, X.    %! 46 error unsafe_var
m() -> try X = 1, X of Y -> Y catch C:R -> {C, R} after ok end.
%%% stack trace
f() -> try ok catch C:R:S -> {C, R, S} end.
g() -> try ok catch _:_:S when S =:= [] -> S end.  %! 32 error stacktrace_guard
h(S) -> try ok catch _:_:S -> S end.               %! 26 error stacktrace_bound
i() -> try ok catch S:_:S -> S end.                %! 25 error stacktrace_bound
j() -> try ok catch _:_:S -> ok end.               %! 25 warning unused_var
k() -> try ok catch _:_:_ -> ok end.
l() -> try S = 1, S catch _:_:S -> S end.          %! 31 error stacktrace_bound, 31 error unsafe_var
%%% catch
f() -> catch X = 1, X.                             %! 21 error unsafe_var
g() -> Y = (catch X = 1), {X, Y}.                  %! 28 error unsafe_var
h(X) -> catch X.
%%% andalso
f(A) -> A andalso (X = 1), X.                      %! 28 error unsafe_var
g(A) -> (X = A) orelse X, X.
h(A) -> (X = A) and X.                             %! 21 error unbound_var
i(A) -> A orelse begin X = 1, X end.
%%% block
f() -> begin X = 1, X end, X.
g() -> {begin X = 1 end, X}.                       %! 26 error unbound_var
h() -> f(X = 1, X = 1), X.
f(A, B) -> {A, B}.
%%% funs
f(X) -> fun(X) -> X end.                           %! 3 warning unused_var, 13 warning shadowed_var
g(X) -> fun(Y) -> X end.                           %! 13 warning unused_var
h() -> F = fun(X) -> X end, X, F.                  %! 29 error unbound_var
i() -> fun() -> X = 1 end, X.                      %! 17 warning unused_var, 28 error unbound_var
j(X) -> fun() -> X = 2 end.
k(X) -> fun(A) when A > X -> A end.
l() -> X = 1, fun(X) -> ok end.                    %! 8 warning unused_var, 19 warning shadowed_var, 19 warning unused_var
m(X) -> fun(#{X := Y}) -> Y end.
n(X) -> fun(<<X:X>>) -> X end.                     %! 15 warning shadowed_var
o(X) -> fun(X) -> X; (Y) -> {X, Y} end.            %! 13 warning shadowed_var
%%% named funs
f() -> fun F(0) -> 1; F(N) -> N * F(N - 1) end.
g() -> fun F(X) -> X end.                          %! 8 warning unused_var
h(F) -> fun F(X) -> F(X) end.                      %! 9 warning shadowed_var
i() -> fun _(X) -> X end.
j() -> fun F(F) -> F end.                          %! 8 warning unused_var, 14 warning shadowed_var
k() -> fun F(X) -> X end, F.                       %! 8 warning unused_var, 27 error unbound_var
%%% comprehensions
f(L) -> [X || X <- L].
g(L) -> [Y || X <- L].                             %! 10 error unbound_var, 15 warning unused_var
h(L) -> [X || X <- L, X > 1].
i(L, X) -> [X || X <- L].                          %! 6 warning unused_var, 18 warning shadowed_var
j(L) -> [X || X <- L], X.                          %! 24 error unbound_var
k(L) -> [{X, Y} || X <- L, Y <- X].
l(L) -> [{X, Y} || Y <- X, X <- L].                %! 25 error unbound_var
m(L) -> [X || X <- (Y = L)], Y.                    %! 21 warning unused_var, 30 error unbound_var
n(L) -> [ok || X <- L].                            %! 16 warning unused_var
o(L) -> [X || X <- L, X <- [X]].                   %! 23 warning shadowed_var
p(L) -> [X || {X, X} <- L].
q(L, X) -> [X || <<X:X>> <= L].                    %! 20 warning shadowed_var
r(L) -> << <<X>> || X <- L >>.
s(L) -> << <<X>> || <<X>> <= L >>.
t(L) -> [ok || X <- L, X <- X].                    %! 24 warning shadowed_var, 24 warning unused_var
u(L) -> [Z || X <- L, begin Z = X, true end].
v(L) -> [X || X <- L, begin Z = X, true end].      %! 29 warning unused_var
w(L) -> [_X || _X <- L].
%%% comprehension in case
f(A, L) -> case A of 1 -> [X || X <- L]; 2 -> ok end.
g(A, L) -> case A of 1 -> X = 1; 2 -> ok end, [X || X <- L]. %! 27 warning unused_var
h(A, L) -> case A of 1 -> X = 1; 2 -> ok end, [Y || Y <- L, Y =:= X]. %! 67 error unsafe_var
%%% fun and unsafe
f(A) -> case A of 1 -> X = 1; 2 -> ok end, fun(X) -> X end. %! 24 warning unused_var
g(A) -> case A of 1 -> X = 1; 2 -> ok end, fun() -> X end. %! 53 error unsafe_var
h(A) -> case A of 1 -> X = 1; 2 -> ok end, fun() -> X end, X. %! 53 error unsafe_var
%%% exported warnings
-compile(warn_export_vars).
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, X.   %! 47 warning exported_var
g(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, <<1:X>>. %! 51 warning exported_var
%%% switched off
-compile([nowarn_unused_vars, nowarn_shadow_vars, nowarn_underscore_match]).
f(X) -> fun(X) -> _Y = 1, _Y = 2 end.
%%% guards
f(X) when X > Y -> X.                              %! 15 error unbound_var
g(X) when X > Y, Y > X -> X.                       %! 15 error unbound_var
h(X) when X > Y; Y > X -> X.                       %! 15 error unbound_var
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
