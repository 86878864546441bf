%% What a basket costs: a discount for members, and a note that nobody reads.
-module(till).
-export([pay/2]).

-spec pay([{atom(), pos_integer()}], member | guest) -> {integer(), string()}.
pay(Basket, Who) ->
    Prices = [price(Item) * Count || {Item, Count} <- Basket],
    Sum = lists:foldl(fun(Price, Acc) -> Price + Acc end, 0, Prices),
    Total = Sum - discount(Sum, Who),
    {Total, note(Total, length(Prices))}.

price(apple) -> 3;
price(bread) -> 7;
price(Other) -> length(atom_to_list(Other)).

discount(_, guest) -> 0;
discount(Sum, member) ->
    case Sum > 20 of
        true -> rate(gold) * Sum div 100;
        false -> 0
    end.

rate(gold) -> 10;
rate(silver) -> 5.

note(Total, Count) when Count > 3 -> "large: " ++ integer_to_list(Total);
note(_, _) -> "".
