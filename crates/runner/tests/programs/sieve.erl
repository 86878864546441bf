%% Prime numbers by a chain of filtering processes.
-module(sieve).
-export([main/0]).
main() ->
    Me = self(),
    First = spawn(fun() -> filter(2, none, Me) end),
    [First ! {number, N} || N <- lists:seq(3, 60)],
    First ! {finish, [2]},
    receive {primes, Primes} -> Primes end.

filter(P, Next, Main) ->
    receive
        {number, N} when N rem P =:= 0 -> filter(P, Next, Main);
        {number, N} when Next =:= none ->
            New = spawn(fun() -> filter(N, none, Main) end),
            filter(P, New, Main);
        {number, N} -> Next ! {number, N}, filter(P, Next, Main);
        {finish, Primes} when Next =:= none -> Main ! {primes, lists:reverse(add(P, Primes))};
        {finish, Primes} -> Next ! {finish, add(P, Primes)}
    end.

add(2, Primes) -> Primes;
add(P, Primes) -> [P | Primes].
