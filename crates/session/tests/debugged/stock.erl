-module(stock).
-export([main/0]).
main() ->
    S0 = #{pen => {10, 2}, ink => {3, 15}},
    S1 = order(S0, [{pen, 4}, {ink, 5}, {cup, 1}]),
    S2 = restock(S1, ink, 7),
    {S1, S2, worth(S2), low(S2, 5), report(S2)}.
order(Stock, []) -> Stock;
order(Stock, [{Item, N} | Rest]) -> order(take(Stock, Item, N), Rest).
take(Stock, Item, N) ->
    case Stock of
        #{Item := {Have, Price}} when Have >= N -> Stock#{Item := {Have - N, Price}};
        #{Item := {_, Price}} -> Stock#{Item := {0, Price}};
        _ -> Stock
    end.
restock(Stock, Item, N) ->
    {Have, Price} = maps:get(Item, Stock),
    Stock#{Item => {Have + N, Price}}.
worth(Stock) -> worth_of(maps:values(Stock), 0).
worth_of([], Sum) -> Sum;
worth_of([{N, Price} | Rest], Sum) -> worth_of(Rest, Sum + N * Price).
low(Stock, Limit) -> [Item || {Item, {N, _}} <- lists:sort(maps:to_list(Stock)), N < Limit].
report(Stock) -> [line(Entry) || Entry <- lists:sort(maps:to_list(Stock))].
line({Item, {N, Price}}) -> {Item, N * Price, grade(N)}.
grade(0) -> none;
grade(N) when N < 5 -> few;
grade(_) -> many.
