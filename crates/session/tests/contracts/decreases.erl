%% Measures that go down from call to call inside of a call.
-module(decreases).
-compile([export_all, nowarn_export_all]).

-sdecreases("fib(N) -> N").
-sdecreases("fib_bad(N) -> N").
-sdecreases(["even(N) -> N", "odd(N) -> N"]).
-sdecreases(["even_bad(N) -> N", "odd_bad(N) -> N"]).
-sdecreases("sum(L, _) -> L").
-sdecreases("sum_bad(L, _) -> length(L)").
-decreases("stay(N, _) -> N").
-decreases("stay_bad(N, _) -> N").
-sdecreases("ack(M, N) -> {M, N}").
-sdecreases("ack_bad(M, N) -> {M, N}").
-sdecreases({all, "both(A, B) -> [A, B]"}).
-sdecreases({all, "both_bad(A, B) -> [A, B]"}).
-sdecreases("gcd(_, B) -> B").
-sdecreases("depth(T) -> count(T)").
-sdecreases("collatz(N) -> N").
-sdecreases("halve(B) -> B").
-sdecreases("keys(M) -> M").
-sdecreases("twice(N) -> N").
-sdecreases("caught(N) -> N").

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
fib_bad(N) when N < 2 -> N;
fib_bad(N) -> fib_bad(N - 1) + fib_bad(N + 2).
even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).
even_bad(0) -> true;
even_bad(N) -> odd_bad(N - 1).
odd_bad(0) -> false;
odd_bad(N) -> even_bad(N + 1).
sum([], A) -> A;
sum([X | T], A) -> sum(T, A + X).
sum_bad([], A) -> A;
sum_bad([X | T], A) when X > 2 -> sum_bad([X - 1 | T], A);
sum_bad([X | T], A) -> sum_bad(T, A + X).
stay(0, _) -> done;
stay(N, 0) -> stay(N - 1, 2);
stay(N, K) -> stay(N, K - 1).
stay_bad(0, _) -> done;
stay_bad(N, 0) -> stay_bad(N - 1, 2);
stay_bad(N, 1) -> stay_bad(N + 1, 0);
stay_bad(N, K) -> stay_bad(N, K - 1).
ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).
ack_bad(0, N) -> N + 1;
ack_bad(M, 0) -> ack_bad(M, 1);
ack_bad(M, N) -> ack_bad(M - 1, ack_bad(M, N - 1)).
both(0, _) -> ok;
both(A, B) -> both(A - 1, B - 1).
both_bad(0, _) -> ok;
both_bad(A, B) -> both_bad(A - 1, B).
gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).
count({L, R}) -> 1 + count(L) + count(R);
count(_) -> 0.
depth({L, R}) -> 1 + lists:max(lists:map(fun depth/1, [L, R]));
depth(_) -> 0.
collatz(1) -> 1;
collatz(N) when N rem 2 =:= 0 -> collatz(N div 2);
collatz(N) -> collatz(3 * N + 1).
halve(<<>>) -> ok;
halve(<<_, Rest/binary>>) -> halve(Rest).
keys(M) when map_size(M) =:= 0 -> [];
keys(M) -> [K | _] = maps:keys(M), [K | keys(maps:remove(K, M))].
%% Two calls one after the other are not inside of each other.
twice(N) -> [one(N), one(N + 1)].
one(N) -> N.
main() -> [twice(5), twice(900), twice(900)].
%% A call that an exception left is over.
caught(N) when N > 3 -> error(too_much);
caught(N) -> N.
caught() -> [catch_it(5), catch_it(1), catch_it(9), caught(2)].
catch_it(N) -> try caught(N) catch error:too_much -> no end.
%% A long loop needs no more memory for it.
long() -> sum(lists:duplicate(300000, 1), 0).

%! fib(10): 55
%! fib_bad(2): sdecreases callee
%! fib_bad(1): 1
%! even(10): true
%! even(11): false
%! even_bad(3): sdecreases callee
%! sum([1,2,3], 0): 6
%! sum_bad([1,2], 0): 3
%! sum_bad([1,5], 0): sdecreases callee
%! stay(3, 2): done
%! stay_bad(3, 2): decreases callee
%! ack(2, 3): 9
%! ack_bad(1, 0): sdecreases callee
%! both(3, 5): ok
%! both_bad(3, 5): sdecreases callee
%! gcd(12, 18): 6
%! depth({{a,b},c}): 2
%! collatz(8): 1
%! collatz(3): sdecreases callee
%! halve(<<1,2,3>>): ok
%! keys(#{a => 1, b => 2}): [a,b]
%! main(): [[5,6],[900,901],[900,901]]
%! caught(): [no,1,no,2]
%! long(): 300000
