-module(numbers).
%% What is special about a number.
-export([main/1]).
-spec main(non_neg_integer()) -> term().
main(0) -> zero;
main(1) -> unit;
main(N) when N > 100000 -> large(N);
main(N) ->
    case {is_prime(N, 2), is_square(N, 0), sum_of_divisors(N)} of
        {true, _, _} when N rem 4 =:= 1 -> pythagorean_prime;
        {true, _, _} -> prime;
        {_, true, _} -> square;
        {_, _, N} -> perfect;
        {_, _, S} when S > 2 * N -> very_abundant;
        {_, _, S} when S > N -> abundant;
        _ -> deficient
    end.

large(N) when N band (N - 1) =:= 0 -> power_of_two;
large(N) when N > 1 bsl 64 -> huge;
large(N) when N =:= 123456789 -> counting;
large(_) -> large.

is_prime(N, D) when D * D > N -> true;
is_prime(N, D) when N rem D =:= 0 -> false;
is_prime(N, D) -> is_prime(N, D + 1).

is_square(N, R) when R * R > N -> false;
is_square(N, R) when R * R =:= N -> true;
is_square(N, R) -> is_square(N, R + 1).

sum_of_divisors(N) when N > 600 -> 0;
sum_of_divisors(N) -> lists:sum([D || D <- lists:seq(1, N div 2), N rem D =:= 0]).
