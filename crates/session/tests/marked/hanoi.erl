-module(hanoi).
-export([main/0]).
main() -> {length(hanoi(3, a, b, c)), hd(hanoi(3, a, b, c)), ack(2, 2), fib(10), gcd(48, 18), pow(2, 10), bin(10), coll(6), knap([{2,3},{3,4},{4,5}], 5)}.
hanoi(0, _, _, _) -> [];
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) ++ [{A, C}] ++ hanoi(N - 1, B, A, C).
ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, «1¦0»);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).
fib(N) when N < 2 -> «N¦1»;
fib(N) -> fib(N - 1) + fib(N - 2).
gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A «rem¦div» B).
pow(_, 0) -> 1;
pow(X, N) when N rem 2 =:= 0 -> pow(X * X, N div 2);
pow(X, N) -> X * pow(X, N «- 1¦div 2»).
bin(0) -> "";
bin(N) -> bin(N div 2) ++ [$0 + N rem «2¦3»].
coll(1) -> [1];
coll(N) when N rem 2 =:= 0 -> [N | coll(N div 2)];
coll(N) -> [N | coll(3 * N + 1)].
knap([], _) -> 0;
knap([{W, _} | Is], C) when W «>¦>=» C -> knap(Is, C);
knap([{W, V} | Is], C) -> max(knap(Is, C), V + knap(Is, C - «W¦V»)).
