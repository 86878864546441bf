%% More of the rules: macros, headers, odd places.
%%% macros
-define(M(X), {X, Y}).
-define(TWICE(X), begin Z = X, Z end).
f() -> ?M(1).                                      %! 11 error unbound_var
g() -> ?TWICE(1), ?TWICE(2).
h(X) -> ?M(X).                                     %! 12 error unbound_var
%%% list comprehension scopes
f(X) -> [X || X <- [X]], X.                        %! 15 warning shadowed_var
g() -> [Y || {Y, Z} <- h(Z)].                      %! 18 warning unused_var, 26 error unbound_var
h(A) -> [B || B <- [C || C <- A]].
i(A) -> [B || B <- A, C <- B, C =:= D].            %! 37 error unbound_var
j(A) -> [fun(B) -> B end || B <- A].               %! 14 warning shadowed_var, 29 warning unused_var
k(A) -> [X || X <- A, Y = X, Y].
%%% fun scopes
f(X) -> F = fun(Y) -> X = Y end, F(X).
g() -> F = fun F() -> F end, F.
h() -> fun(X, X) -> X end.
i() -> fun({X, Y}) when X > Y -> ok; (_) -> X end. %! 45 error unbound_var
j(A) -> case A of 1 -> F = fun(B) -> B end; 2 -> F = fun(B) -> {B} end end, F.
%%% shadow in case
f(X) -> case X of Y -> fun(Y) -> Y end end.        %! 19 warning unused_var, 28 warning shadowed_var
g(X) -> case X of 1 -> Y = 1; 2 -> Y = 2 end, fun(Y) -> Y end. %! 24 warning unused_var, 36 warning unused_var, 51 warning shadowed_var
%%% receive nested
f() -> receive {a, X} -> receive {b, X} -> X end end.
g() -> receive X -> receive Y -> {X, Y} end end, Y.
h(T) -> receive after T -> ok end.
%%% try nested
f() -> try try X = 1, X catch _:_ -> X end catch _:_ -> ok end. %! 38 error unsafe_var
g() -> try f() of {ok, X} -> X; Y -> Y catch throw:X -> X end.
h(X) -> try X of X -> X catch error:X -> X after X end.
i() -> X = try f() catch _:_ -> error end, X.
%%% try unused
f() -> try X = 1 catch _:Y -> ok after Z = 1 end.  %! 12 warning unused_var, 26 warning unused_var, 40 warning unused_var
g() -> try g() of X -> ok catch C:R:S -> ok end.   %! 19 warning unused_var, 33 warning unused_var, 35 warning unused_var, 37 warning unused_var
%%% if with guards
f(X) -> if X > 1, X < 5 -> a; X == 2; X == 3 -> b; true -> c end.
g(X) -> if f(X) -> a; true -> b end.               %! 12 error illegal_guard_local_call
%%% case on nothing bound
f() -> case X of 1 -> ok end.                      %! 13 error unbound_var
g() -> case g() of X -> X end, X.
h(A) -> case A of X when X > Y -> X end.           %! 30 error unbound_var
%%% andalso chains
f(A) -> A > 1 andalso (B = A) > 2 andalso B < 5.
g(A) -> (B = A) > 2 andalso B < 5, B.
h(A) -> (A orelse (B = 1)) andalso B.              %! 36 error unsafe_var
%%% operators
f(A) -> A + B * C.                                 %! 13 error unbound_var, 17 error unbound_var
g(A) -> A ! B.                                     %! 13 error unbound_var
h() -> -X.                                         %! 9 error unbound_var
%%% records deep
-record(a, {b, c}).
-record(b, {d = #a{}}).
f(X) -> X#b.d#a.b.
g(X) -> (X#b.d)#a{c = Y}.                          %! 23 error unbound_var
h(#b{d = #a{b = X}} = Y) -> {X, Y}.
i(X) -> X#b{d = #a{e = 1}}.                        %! 20 error undefined_field
j(X) -> #b{d = X#a.z}.                             %! 20 error undefined_field
%%% record in types
-record(a, {b :: integer(), c = 1 :: t()}).
-type t() :: #a{} | #a{b :: atom()}.
-spec f(t()) -> #a{c :: integer()}.
f(X) -> X.
%%% specs with constraints
-spec f(A, B) -> C when A :: integer(), B :: [A], C :: {A, B}.
f(A, B) -> {A, B}.
-spec g(A) -> B when A :: X.                       %! 15 error singleton_typevar, 27 error singleton_typevar
g(A) -> A.
-spec h(fun((X) -> Y), [X]) -> [Y].
h(F, L) -> lists:map(F, L).
%%% spec of other arity
-spec f(a) -> b.                                   %! 2 error spec_fun_undefined
f() -> ok.
%%% types with parameters
-type t(A, B) :: {A, B}.
-type u() :: t(a).                                 %! 14 error undefined_type
-type v(A) :: t(A, A).
-type w(_A) :: a.
-export_type([t/2, u/0, v/1, w/1]).
%%% recursive types
-type a() :: {b(), a()} | nil.                     %! 2 warning unused_type
-type b() :: a().                                  %! 2 warning unused_type
%%% raw type cycle unused
-module(t).
-type a() :: b().                                  %! 2 warning unused_type
-type b() :: a().                                  %! 2 warning unused_type
%%% raw attribute order
-export([f/0]).                                    %! 2 error undefined_module
-module(t).
f() -> ok.
%%% raw file attribute
-module(t).
-file("other.erl", 10).
-record(r, {a}).
-type u() :: a.
f() -> ok.
%%% module_info
f() -> module_info(), module_info(module), t:module_info().
%%% apply and remote funs
f(M, F) -> fun M:F/1, fun lists:map/2, fun m:F/A.  %! 48 error unbound_var
g() -> apply(f, X).                                %! 17 error unbound_var
%%% self call of hidden function
length(X) -> length(X).                            %! 14 error call_to_redefined_old_bif
abs(_) -> ok.
f() -> abs(1).                                     %! 8 error call_to_redefined_old_bif
%%% hidden in guards
-compile({no_auto_import, [length/1]}).
-import(erlang, [length/1]).
f(X) when length(X) > 1 -> length(X).
%%% hidden in filters
is_atom(_) -> false.
f(L) -> [X || X <- L, is_atom(X)].
-compile({no_auto_import, [is_atom/1]}).
%%% filters
f(L) -> [X || X <- L, f(X), X > 1, atom(X)].       %! 36 warning obsolete_guard
g(L) -> [X || X <- L, is_record(X, r)].            %! 36 error undefined_record
h(L) -> [X || X <- L, record(X, r)].               %! 23 warning obsolete_guard, 33 error undefined_record
%%% large arity
f(A1, A2, A3) -> g(A1, A2, A3, A4).                %! 18 error undefined_function, 32 error unbound_var
%%% keywords
-compile(warn_keywords).
f() -> maybe, else, 'maybe'.                       %! 8 warning future_feature, 15 warning future_feature
maybe() -> ok.                                     %! 1 warning future_feature
g(else) -> ok.                                     %! 3 warning future_feature
%%% strings and binaries
f("abc" ++ [X | Y]) -> {X, Y}.
g(<<"abc", X/binary>>) -> X.
h(<<X:3/unit:8, Y:2/binary-unit:4, _/bits>>) -> {X, Y}.
i(<<X:16/float, Y:32/float, Z:64/float, W:17/float>>) -> {X, Y, Z, W}. %! 41 warning bad_bitsize
j(<<L:8, B:L/binary, L:8>>) -> B.
k(X) -> <<L:8, L:8>> = X, L.
l(X) -> <<(X)/binary, (f(X))/binary>>.
m(X) -> <<X:X/binary>>, <<(Y = X):8, Y>>.          %! 38 error unbound_var
%%% map patterns bind
f(#{a := {X, _}, b := [X | _]}) -> X.
g(M) -> #{a := A} = M, #{A := B} = M, B.
h(M, K) -> case M of #{K := V, V := W} -> {V, W}; _ -> K end. %! 32 error unbound_var
i() -> #{a => X, X => 1}.                          %! 15 error unbound_var, 18 error unbound_var
j(M) -> M#{X => 1}.                                %! 12 error unbound_var
k(X) -> #{(Y = X) => Y}.                           %! 22 error unbound_var
%%% exported variable in fun
f(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, fun() -> X end, X = 5. %! 47 warning ignored, 63 warning exported_var
g(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, [X || _ <- A], X = 5. %! 62 warning exported_var
h(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, case A of 3 -> X; 4 -> ok end, X = 5. %! 78 warning exported_var
i(A) -> case A of 1 -> X = 1; 2 -> X = 2 end, case A of X -> 1; _ -> 2 end, X = 5. %! 57 warning exported_var
%%% warnings as data
-compile([{nowarn_unused_function, [{f, 0}]}, nowarn_unused_record, nowarn_unused_type]).
-record(r, {a}).
-type t() :: a.
f() -> ok.
%%% old catch
f() -> X = catch g(), X.
g() -> catch (Y = 1), catch Y.                     %! 29 error unsafe_var
%%% block in pattern position
f(begin 1 end) -> ok.                              %! 3 error syntax_error
g(X) -> (Y = X) = 1, Y.
h({X = 1, X}) -> X.
i() -> [A, B] = [B, A].                            %! 18 error unbound_var, 21 error unbound_var
%%% underscore patterns
f(_) -> _ = f(1), {_, _} = f(2), ok.
g(X) -> case X of _ -> ok end.
h([_ | _], {_}) -> ok.
i(#{_ := 1}) -> ok.                                %! 5 error unbound_var
j(<<_:_>>) -> ok.                                  %! 7 error unbound_var
%%% nowarn missing
-compile(nowarn_unused_vars).
f(X) -> ok.
%%% import used in record default
-import(lists, [reverse/1]).
-compile(warn_unused_import).
-record(r, {a = reverse([])}).
f() -> #r{}.
