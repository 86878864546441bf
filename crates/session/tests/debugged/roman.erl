-module(roman).
-export([main/0]).
main() -> [from(N) || N <- [1, 4, 9, 14, 40, 90, 400, 1994]] ++ [to("XIV"), to("MCMXCIV")].
from(N) -> from(N, table()).
from(0, _) -> [];
from(N, [{Value, Text} | _] = Table) when N >= Value -> Text ++ from(N - Value, Table);
from(N, [_ | Table]) -> from(N, Table).
table() ->
    [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
     {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}].
to(Text) -> to(Text, 0).
to([], Sum) -> Sum;
to([A, B | Rest], Sum) ->
    {X, Y} = {digit(A), digit(B)},
    case X < Y of
        true -> to(Rest, Sum + Y - X);
        false -> to([B | Rest], Sum + X)
    end;
to([A], Sum) -> Sum + digit(A).
digit($I) -> 1;
digit($V) -> 5;
digit($X) -> 10;
digit($L) -> 50;
digit($C) -> 100;
digit($D) -> 500;
digit($M) -> 1000.
