-module(scanner).
a() -> 37#1, ok.
b() -> 1.0e999.
c() -> "\x{110000}" ok.
d() -> "bad \xzz escape".
e() -> $\xq.
f() -> α.
g() -> 'αβ', "αβ", $α.
h() -> @ ok.
i() -> 16#zz.
j() -> 1.5e.
k() -> é, Été, × .
l() -> 1__0, 1_0, 0_1.5_0e1_0, 16#F_F, _1.
m() -> "\^a\101\x41\x{41}\n\s\d\z
 line".
n() -> {$
, $\
, $\^a}.
o() -> ?.
p() -> a ? b.
q() -> ??X.
r() -> ok.%comment
s() -> ok. % é comment
t() -> X#r.f, 1..2, a.b.
u() -> "a" "b"
 "c".
v() -> "unterminated.
