%% A shop with a few mistakes, to see what `erlscope check` says about them.
-module(shop).
-export([total/1, add/3, describe/1]).

-include("shop.hrl").

total(Items) ->
    lists:sum([price(Item) || Item <- Items]).

price(#item{count = Count} = Item) when Count > 0 ->
    Item#item.price * Cuont.

add(Name, Price, Items) ->
    Old = find(Name, Items),
    [#item{name = Name, prize = Price} | Items].

describe(Item) ->
    case Item#item.count of
        1 -> Item#item.name;
        N -> io_lib:format("~p x ~s", [N, Item#item.name])
    .
