-module(prices).
-export([total/2, shipping/1, cheapest/1]).

-type item() :: {Name :: atom(), Cents :: non_neg_integer(), Count :: pos_integer()}.

%% What a customer pays, in cents.
-spec total([item()], none | silver | gold) -> non_neg_integer().
total(Items, Status) ->
    Sum = lists:sum([Cents * Count || {_, Cents, Count} <- Items]),
    Sum - discount(Sum, Status) + shipping(Sum).

discount(Sum, gold) -> Sum div 10;
discount(Sum, silver) when Sum >= 5000 -> Sum div 20;
discount(_, _) -> 0.

-spec shipping(non_neg_integer()) -> non_neg_integer().
shipping(Sum) when Sum >= 4000 -> 0;
shipping(_) -> 490.

-spec cheapest([item()]) -> atom().
cheapest(Items) ->
    [{_, _, Name} | _] = lists:sort([{Cents, -Count, Name} || {Name, Cents, Count} <- Items]),
    Name.
