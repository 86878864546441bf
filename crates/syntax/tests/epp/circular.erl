-module(circular).
-define(A, ?B).
-define(B, ?A).
-define(C, ?C).
-define(D(X), ?D(X)).
-define(E(X), ?E).
-define(E, 1).
-define(F(X), ?G(X)).
-define(G(X), ?H).
-define(H, ?F(1)).
-define(I, ?J ?A).
-define(J, 1).
-define(K(X), X).
a() -> ?A.
b() -> ?B.
c() -> ?C.
d() -> ?D(1).
e() -> ?E(1).
f() -> ?F(1).
g() -> ?G(1).
h() -> ?H.
i() -> ?I.
k() -> ?K(?K(1)).
-undef(A).
-define(A, 7).
l() -> ?A, ?B.
