-module(magic_numbers).
%% Numbers that nobody guesses.
-export([main/1]).
-spec main(integer()) -> atom().
main(N) when N =:= 4711 -> cologne;
main(N) when N =:= -31337 -> elite;
main(N) when N > 1000000, N < 1000010 -> just_over;
main(N) when N =:= 16#DEADBEEF -> beef;
main(N) when N rem 7919 =:= 0, N =/= 0 -> prime_multiple;
main(N) when N < 0 -> negative;
main(_) -> other.
