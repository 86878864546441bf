-module(functions).
-define(F(), zero).
-define(F(X), {one, X}).
-define(F(X, Y), {two, X, Y}).
-define(F, none).
-define(ID(X), X).
-define(G(X), ?F(X, X)).
-define(LATE(X), ?DEFINED_LATER(X)).
-define(CONT(X), ?F).
-define(BODY(X), X * 2 +
        X
        end_of(X) ).
a() -> ?F().
b() -> ?F(1).
c() -> ?F(1, {2, 3}).
d() -> ?F.
e() -> ?F(1,2,3).
g() -> ?G(a + b).
h() -> ?ID(fun(X) -> X, Y end).
i() -> ?ID(fun Loop(X) -> X, Y end).
j() -> ?ID(fun foo/1).
k() -> ?ID(case X of a, b -> c end).
l() -> ?ID(begin a, b end), ?ID(if a, b -> c; true -> d end).
m() -> ?ID(receive a -> b, c after 1, 2 -> d end).
n() -> ?ID(try a, b catch c -> d, e end).
o() -> ?ID(<<1, 2>>), ?ID([1, 2]), ?ID({1, 2}).
p() -> ?ID().
q() -> ?ID(,).
r() -> ?ID(a,).
s() -> ?F(a,,b).
t() -> ?ID(a.
u() -> ?F(a, b.
v() -> ?LATE(1).
-define(DEFINED_LATER(X), {later, X}).
w() -> ?LATE(1).
x() -> ?CONT(1)(2), ?CONT(1)(2, 3).
y() -> ?BODY(1).
z() ->
    ?F(?F(1),
       ?F(
          2)).
ab() -> ?ID( ( ).
ac() -> ?ID(a)(b).
ad() -> ?F (1).
ae() -> ? F(1).
af() -> ?F(]) .
ag() -> ?F(a], b) .
