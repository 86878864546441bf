%% Divisors of two numbers, and what both have in common.
%% inputs: common(nat, nat), largest(nat, nat)
-module(common_divisors).
-export([common/2, largest/2]).

common(A, B) ->
    {DA, CountA} = divisors(A rem 40 + 1),
    {DB, CountB} = divisors(B rem 40 + 1),
    Both = [D || D <- DA, lists:member(D, DB)],
    {Both, CountA - CountB}.

divisors(N) -> divisors(N, N, {[], 0}).

divisors(_, 0, Found) -> Found;
divisors(N, D, {Found, Count}) when N rem D =:= 0 -> divisors(N, D - 1, {[D | Found], Count + 1});
divisors(N, D, Found) -> divisors(N, D - 1, Found).

largest(A, B) ->
    {Both, Difference} = common(A, B),
    Last = lists:last(Both),
    Steps = euclid(A rem 40 + 1, B rem 40 + 1, 0),
    {Gcd, Needed} = Steps,
    {Last =:= Gcd, Needed, Difference}.

euclid(A, 0, N) -> {A, N};
euclid(A, B, N) -> euclid(B, A rem B, N + 1).
