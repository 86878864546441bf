%% Mistakes that types tell without running anything.
-module(mistyped).
-export([price/2, width/1, report/1]).

%% The spec promises what the code never gives.
-spec price(number(), 1..100) -> {ok, number()}.
price(Net, Percent) -> Net * (100 + Percent) / 100.

%% The result of a lookup is a pair, not the value.
width(Item) ->
    Found = lists:keyfind(Item, 1, [{pen, "Pen"}, {ink, "Ink"}]),
    length(Found).

%% A tag is misspelt.
report(Item) ->
    case find(Item) of
        {ok, Text} -> Text;
        {eror, Reason} -> Reason
    end.

find(pen) -> {ok, "Pen"};
find(Item) -> {error, {unknown, Item}}.
