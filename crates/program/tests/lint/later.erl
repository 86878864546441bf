%% Constructs of releases after 24. OTP 25 can judge the first of them only.
%%% raw maybe
-feature(maybe_expr, enable).
-module(t).
-export([f/1, g/1, h/1, i/1, j/1]).
f(X) -> maybe {ok, Y} ?= X, Y else {error, R} -> R; _ -> ok end.
g(X) -> maybe {ok, Y} ?= X, Y end, Y.              %! 36 error unsafe_var
h(X) -> maybe {ok, Y} ?= X, Y else Y -> Y end.     %! 36 error unsafe_var
i(X) -> maybe {ok, _} ?= X, Z else _ -> ok end.    %! 29 error unbound_var
j(X) -> maybe {ok, Y} ?= X else _ -> ok end.       %! 20 warning unused_var
%%% map comprehensions later
f(M) -> #{K => V || K := V <- M}.
g(M) -> [K || K := V <- M].                        %! 20 warning unused_var
h(L) -> #{X => Y || X <- L}.                       %! 16 error unbound_var
i(L) -> #{X := 1 || X <- L}.                       %! 18 error syntax_error
%%% strict generators later
f(L) -> [X || X <:- L].
g(B) -> [X || <<X>> <:= B].
h(M) -> [{K, V} || K := V <:- M].
%%% zip generators later
f(A, B) -> [{X, Y} || X <- A && Y <- B].
g(A, B) -> [{X, Y} || X <- A && Y <- X].           %! 6 warning unused_var, 38 error unbound_var
h(A, B) -> [X || X <- A && Y <- B].                %! 28 warning unused_var
%%% several expressions in a comprehension later
f(L) -> [X, -X || X <- L].
g(L) -> [X, Y || X <- L].                          %! 13 error unbound_var
%%% sigils later
f() -> ~b"abc".
g(~"abc") -> ok.
h(X) when X =:= ~s"abc" -> ok.
%%% raw doc later
-module(t).
-moduledoc "about".
-export([f/0]).
-doc "does".
f() -> ok.
-doc "does too".
g() -> ok.                                         %! 1 warning unused_function
%%% nominal later
-nominal a() :: integer().
-nominal b() :: undefined_type().                  %! 17 error undefined_type
-export_type([a/0, b/0]).
%%% native records later
-record #r{a = 1, b}.
f() -> #r{a = 2}.
g() -> #r{c = 2}.                                  %! 11 error undefined_field
h(X) -> X#m:r.a.
i() -> #m:r{a = Y}.                                %! 17 error unbound_var
j(X) -> X#_.a.
