%% Records and types.
%%% undefined records
f() -> #r{}.                                       %! 8 error undefined_record
g(X) -> X#r.a.                                     %! 10 error undefined_record
h(X) -> X#r{a = 1}.                                %! 10 error undefined_record
i() -> #r.a.                                       %! 8 error undefined_record
j(#r{}) -> ok.                                     %! 3 error undefined_record
k(X) -> is_record(X, r).                           %! 22 error undefined_record
l(X) -> erlang:is_record(X, r).                    %! 29 error undefined_record
m(X) -> #r{a = X}.                                 %! 3 warning unused_var, 9 error undefined_record
%%% undefined fields
-record(r, {alpha, beta = 1}).
f() -> #r{alhpa = 1}.                              %! 11 error undefined_field
g(X) -> X#r.gamma.                                 %! 13 error undefined_field
h(X) -> X#r{gamma = 1}.                            %! 13 error undefined_field
i() -> #r.gamma.                                   %! 11 error undefined_field
j(#r{alpha = X, gamma = Y}) -> {X, Y}.             %! 17 error undefined_field, 33 error unbound_var, 36 error unbound_var
k(#r{gamma = Y, alpha = X}) -> {X, Y}.             %! 6 error undefined_field, 36 error unbound_var
%%% fields twice
-record(r, {a, b}).
-record(s, {a, a = 1, b}).                         %! 16 error redefine_field
f() -> #r{a = 1, a = 2}.                           %! 18 error redefine_field
g(#r{a = X, a = Y}) -> {X, Y}.                     %! 13 error redefine_field, 25 error unbound_var, 28 error unbound_var
h(X) -> X#r{a = 1, a = 2}.                         %! 20 error redefine_field
i() -> #s{}.
%%% records twice
-record(r, {a}).
-record(r, {b}).                                   %! 2 error redefine_record
f() -> #r{a = 1}.
%%% raw unused records
-module(t).
-record(r, {a}).
-record(s, {a}).                                   %! 2 warning unused_record
-record(t, {a = #s{}}).                            %! 2 warning unused_record
-record(u, {a}).
-compile({nowarn_unused_record, [u, v]}).          %! 2 error undefined_record
-export([f/1]).
f(#r{}) -> ok.
%%% wildcard
-record(r, {a, b}).
f() -> #r{_ = 1}.
g() -> #r{a = 1, _ = 2}.
h() -> #r{a = 1, b = 2, _ = 3}.
i(#r{_ = X}) -> X.
j(#r{a = X, b = X, _ = Y}) -> {X, Y}.              %! 20 error bad_multi_field_init
k(X) -> X#r{_ = 1}.                                %! 3 warning unused_var, 13 error wildcard_in_update
l() -> #r{_ = 1, _ = 2}.                           %! 18 error bad_multi_field_init
m() -> #r{X = 1}.                                  %! 11 error field_name_is_variable
n(#r{X = 1}) -> ok.                                %! 6 error field_name_is_variable
%%% default values
-record(r, {a = X, b = (Y = 1), c = fun(X) -> X end, d = [X || X <- []]}). %! 17 error unbound_var, 25 error variable_in_record_def
-record(s, {a = f()}).
-record(t, {a = #s{}}).
-record(u, {a = #v{}}).                            %! 17 error undefined_record
-record(v, {a = undefined_function()}).            %! 17 error undefined_function
f() -> {#r{}, #s{}, #t{}, #u{}, #v{}}.
%%% raw default values use functions
-module(t).
-export([f/0]).
-record(r, {a = g(), b = h()}).
f() -> #r{a = 1}.
g() -> ok.                                         %! 1 warning unused_function
h() -> ok.
%%% invalid records
-record(r, {a}).                                   %! 2 warning unused_record
f() -> a#r.a, 1#r{a = 1}, "x"#r.a, []#r.a, fun() -> ok end#r.a. %! 15 error base, 16 error syntax_error
%%% typed records
-record(r, {a :: integer(), b = 1 :: foo(), c :: #r{}, d :: #s{}}). %! 38 error undefined_type, 61 error undefined_record
-record(s, {a :: X, b :: _Y}).                     %! 18 error singleton_typevar
f(#r{}, #s{}) -> ok.
%%% untyped records
-compile(warn_untyped_record).
-record(r, {a :: integer(), b}).                   %! 2 warning untyped_record
-record(s, {a :: integer()}).
-record(t, {}).
f(#r{}, #s{}, #t{}) -> ok.
%%% types
-type a() :: b().
-type b() :: integer().
-type c(X) :: X.
-type d(X) :: integer().                           %! 9 error singleton_typevar
-type e() :: X.                                    %! 14 error singleton_typevar
-type f() :: undefined_type().                     %! 14 error undefined_type
-type g() :: c(a()) | d(1) | e() | f().
-export_type([g/0, h/0, g/0]).                     %! 2 warning duplicated_export_type, 2 error undefined_type
%%% types twice
-type a() :: integer().
-type a() :: atom().                               %! 2 error redefine_type
-type integer() :: a.                              %! 2 error builtin_type
-type list(A) :: [A].                              %! 2 error builtin_type
-export_type([a/0]).
%%% raw unused types
-module(t).
-export([f/1]).
-export_type([a/0]).
-type a() :: b().
-type b() :: c.
-type d() :: e().                                  %! 2 warning unused_type
-type e() :: d().                                  %! 2 warning unused_type
-type g() :: a.
-record(r, {a :: h()}).
-type h() :: a.
-type i() :: a.                                    %! 2 warning unused_type
-opaque j() :: a.                                  %! 2 warning not_exported_opaque, 2 warning unused_type
-spec f(g()) -> #r{}.
f(X) -> X.
%%% opaque
-opaque a() :: term().                             %! 2 warning underspecified_opaque
-opaque b() :: any().                              %! 2 warning underspecified_opaque
-opaque c() :: a.                                  %! 2 warning not_exported_opaque, 2 warning unused_type
-export_type([a/0, b/0]).
%%% type language
-type a() :: {integer(), [a()], [a(), ...], #{a := b, c => d}, fun(), fun((...) -> a()), fun((a()) -> a())}.
-type b() :: <<>> | <<_:8>> | <<_:_*8>> | <<_:8, _:_*8>> | 1..2 | -1 | 1 + 2 | $a | 1 bsl 3.
-type c() :: 2..1 | 1..1 | a..b | <<_:(-1)>> | 1 div 0 | bool(). %! 14 error type_syntax, 21 error type_syntax, 28 error type_syntax, 35 error type_syntax, 50 error type_syntax, 58 warning renamed_type
-type d() :: #r{a :: integer()} | #r{b :: a()} | #r{a :: a(), a :: a()} | #undefined{}. %! 14 error undefined_record, 35 error undefined_record, 50 error undefined_record, 75 error undefined_record
-type e() :: X :: integer().
-type f() :: lists:foo() | t:a() | t:undefined() | http_uri:path(). %! 36 error undefined_type, 52 warning removed_type
-record(r, {a}).
-export_type([a/0, b/0, c/0, d/0, e/0, f/0]).
%%% type variables
-spec f(X) -> X.
f(X) -> X.
-spec g(X) -> ok.                                  %! 9 error singleton_typevar
g(_) -> ok.
-spec h(X) -> Y when X :: integer(), Y :: atom().
h(_) -> a.
-spec i(X) -> Y when X :: Y.
i(X) -> X.
-spec j(X) -> ok when X :: integer().
j(_) -> ok.
-spec k(_X) -> _.
k(X) -> X.
-spec l(X :: integer()) -> ok.
l(_) -> ok.
-spec m(A, fun((A) -> B), C) -> [B].               %! 27 error singleton_typevar
m(_, _, _) -> [].
%%% spec uses record
-record(r, {a}).
-spec f(#r{}) -> #s{}.                             %! 18 error undefined_record
f(X) -> X.
