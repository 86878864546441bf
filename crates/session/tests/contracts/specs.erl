%% Specs as contracts: all kinds of types, overloaded and bounded.
-module(specs).
-compile([export_all, nowarn_export_all]).
-export_type([shape/0]).

-type shape() :: {square, number()} | {circle, number()}.
-record(point, {x = 0 :: integer(), y = 0 :: integer()}).

-spec inc(integer()) -> integer().
inc(N) -> N + 1.
-spec inc_bad(integer()) -> pos_integer().
inc_bad(N) -> N + 1.
-spec area(shape()) -> number().
area({square, S}) -> S * S;
area({circle, R}) -> 3 * R * R;
area(_) -> 0.
-spec names([{atom(), string()}]) -> #{atom() => string()}.
names(L) -> maps:from_list(L).
-spec over(atom()) -> atom(); (integer()) -> integer().
over(X) -> X.
-spec over_bad(atom()) -> atom(); (integer()) -> integer().
over_bad(a) -> 1;
over_bad(X) -> X.
-spec bounded(X) -> X when X :: 1..10.
bounded(X) -> X.
-spec apart(#point{}) -> {integer(), integer()}.
apart(P) -> {element(2, P), element(3, P)}.
-spec apply_it(fun((integer()) -> integer()), integer()) -> integer().
apply_it(F, X) -> F(X).
-spec bin(<<_:16>>) -> byte().
bin(<<N, _>>) -> N.
-spec maybe(boolean()) -> {ok, nonempty_list(integer())} | error.
maybe(true) -> {ok, []};
maybe(false) -> error.
-spec optional(#{id := integer(), name => atom()}) -> integer().
optional(#{id := Id}) -> Id;
optional(_) -> 0.
-spec never(integer()) -> no_return().
never(N) -> throw(N).
-spec any_list(list()) -> non_neg_integer().
any_list(L) -> length(L).

%! inc(1): 2
%! inc(a): spec caller
%! inc_bad(1): 2
%! inc_bad(-5): spec callee
%! area({square, 2}): 4
%! area({line, 2}): spec caller
%! names([{a, "x"}]): #{a => "x"}
%! names([{a, "x"}, {"b", "y"}]): spec caller
%! over(a): a
%! over(1): 1
%! over("x"): spec caller
%! over_bad(b): b
%! over_bad(a): spec callee
%! bounded(3): 3
%! bounded(11): spec caller
%! apart({point, 1, 2}): {1,2}
%! apart({point, 1, x}): spec caller
%! apart({point, 1}): spec caller
%! apply_it(fun(X) -> X end, 2): 2
%! apply_it(fun() -> 1 end, 2): spec caller
%! bin(<<1, 2>>): 1
%! bin(<<1>>): spec caller
%! maybe(false): error
%! maybe(true): spec callee
%! optional(#{id => 1}): 1
%! optional(#{id => 1, name => x}): 1
%! optional(#{name => x}): spec caller
%! any_list([a]): 1
