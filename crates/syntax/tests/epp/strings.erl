-module(strings).
-define(S(X), ??X).
-define(T(X), {??X, X, ??Y}).
-define(NO, ??X).
-define(TWO(X), ??X ??X).
a() -> ?S(foo).
b() -> ?S(Foo + 1.0e10 / 'A b' - "str\n" ++ [$a, $\n, $ , {x, 16#ff}]).
c() -> ?T(a:b(C)).
d() -> ?NO.
e() -> ?S(?S(a)).
f() -> ?TWO(case x of 'end' -> fun() -> ok end end).
g() -> ?S('été' "αβ" 'αβ').
h() -> ?S("a\"b\\c").
i() -> ?S(#r{a = b, c}), ?S(<<1:8/binary>>), ?S(X =:= Y), ?S(1.5).
