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
f() -> #r{b = 2}.
g() -> #r{c = 2, b = 1}.                           %! 11 error undefined_field
h(X) -> X#m:r.a.
i() -> #m:r{a = Y}.                                %! 17 error unbound_var
j(X) -> X#_.a.
k() -> #r{}.                                       %! 8 error uninitialized_field
l(#r{c = C} = R) -> {C, R#r.d, R#r{e = 1}}.        %! 6 warning undefined_field, 29 warning undefined_field, 36 warning undefined_field
%%% native records in guards later
-record #r{a = 1}.
-import_record(m, [s]).
f(X) when X =:= #r{} -> X;                         %! 17 error illegal_guard_expr
f(X) when X =:= #m:r{} -> X;                       %! 17 error illegal_guard_expr
f(X) when X#r.a =:= 1, X#s.a =:= 1, X#_.a =:= 1 -> X;
f(X) when is_record(X), is_record(X, r), is_record(X, s), is_record(X, m, t), is_integer(X, 1, 2) -> X.
g(X) -> [Y || Y <- X, is_record(Y)].
%%% native records and what only tuples can do later
-record #r{a = 1}.
-record(t, {a}).
f() -> #r.a.                                       %! 8 error native_record
g() -> record_info(fields, r).                     %! 8 error native_record
h() -> #r{_ = 1}.                                  %! 11 error native_record
i() -> #m:r{_ = 1}.                                %! 13 error native_record
j() -> {#t.a, record_info(size, t), #t{_ = 1}}.
%%% native records with names of other words later
-record #div{class}.
-record(#State{n = 0}).
-record #'42'{}.
f(#State{n = N}) -> {#div{class = N}, #'42'{}, #m:State{n = 1}}.
%%% raw exported native records later
-module(t).
-export_record([r, s, t]).                         %! 20 error undefined_record, 23 error tuple_record_export
-record #r{a = 1}.
-record(t, {a}).                                   %! 2 warning unused_record
-record #u{}.                                      %! 2 warning unused_record
%%% default values of native records later
-record #r{a = 1 + 2 * 3, b = {x, [1, not true]}, c = #{k => "s"}, d = <<"b">>}.
-record #s{a = self()}.                            %! 16 error illegal_native_default
-record #t{a = #r{}}.                              %! 16 error illegal_native_default
f() -> {#r{}, #s{}, #t{}}.
