-module(primes).
-export([main/0]).
main() -> {sieve(2, 30), factors(360), gcd(48, 36), perfect(28), perfect(27), power(3, 7), digits(90210)}.
sieve(From, To) -> sieve(seq(From, To)).
seq(From, To) when From > To -> [];
seq(From, To) -> [From | seq(From + 1, To)].
sieve([]) -> [];
sieve([P | Rest]) -> [P | sieve(strike(P, Rest))].
strike(_, []) -> [];
strike(P, [N | Rest]) when N rem P =:= 0 -> strike(P, Rest);
strike(P, [N | Rest]) -> [N | strike(P, Rest)].
factors(N) -> factors(N, 2).
factors(1, _) -> [];
factors(N, F) when N rem F =:= 0 -> [F | factors(N div F, F)];
factors(N, F) -> factors(N, F + 1).
gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).
perfect(N) -> sum(divisors(N, 1)) =:= N.
divisors(N, D) when D >= N -> [];
divisors(N, D) when N rem D =:= 0 -> [D | divisors(N, D + 1)];
divisors(N, D) -> divisors(N, D + 1).
sum([]) -> 0;
sum([X | Rest]) -> X + sum(Rest).
power(_, 0) -> 1;
power(X, N) when N rem 2 =:= 0 -> H = power(X, N div 2), H * H;
power(X, N) -> X * power(X, N - 1).
digits(N) when N < 10 -> [N];
digits(N) -> digits(N div 10) ++ [N rem 10].
