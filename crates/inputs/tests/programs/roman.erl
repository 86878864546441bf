-module(roman).
%% Roman numerals.
-export([main/1]).
-spec main(string()) -> integer() | error.
main([]) -> error;
main(Text) -> read(Text, 0).

read("M" ++ Rest, N) -> read(Rest, N + 1000);
read("CM" ++ Rest, N) -> read(Rest, N + 900);
read("D" ++ Rest, N) -> read(Rest, N + 500);
read("CD" ++ Rest, N) -> read(Rest, N + 400);
read("C" ++ Rest, N) -> read(Rest, N + 100);
read("XC" ++ Rest, N) -> read(Rest, N + 90);
read("L" ++ Rest, N) -> read(Rest, N + 50);
read("X" ++ Rest, N) -> read(Rest, N + 10);
read("IX" ++ Rest, N) -> read(Rest, N + 9);
read("V" ++ Rest, N) -> read(Rest, N + 5);
read("IV" ++ Rest, N) -> read(Rest, N + 4);
read("I" ++ Rest, N) -> read(Rest, N + 1);
read([], N) when N > 2000 -> N;
read([], N) -> N;
read(_, _) -> error.
