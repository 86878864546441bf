%% Native records: defaults, access, update, patterns, by name and without.
%% inputs: main(int), report(atom, int)
-module(native_shop).
-export([main/1, report/2]).
-record #item{name, price = 1, count = 0}.
-record #cart{owner, items = [], total = 0}.

main(N) ->
    Cart0 = #cart{owner = ann},
    Cart1 = add(#item{name = pen, price = N, count = 2}, Cart0),
    Cart2 = add(#item{name = cup, count = 3}, Cart1),
    Owner = Cart2#cart.owner,
    Total = Cart2#cart.total,
    {Owner, Total, names(Cart2)}.

add(#item{price = P, count = C} = Item, #cart{items = Is, total = T} = Cart) ->
    Cart#cart{items = [Item | Is], total = T + P * C}.

names(#cart{items = Items}) -> [I#item.name || I <- Items, is_record(I, item)].

report(X, Y) ->
    Item = #item{name = X, price = Y},
    Better = Item#item{price = Y + 1},
    Kind = case Better of
               {_, _, _, _} -> tuple;
               #item{count = 0} when is_tuple(Better) -> strange;
               #item{count = 0} -> none;
               #_{} -> some
           end,
    Price = try Better#_.price of P -> P catch error:_ -> failed end,
    Bad = try Better#cart.total of T -> T catch error:{badrecord, _} -> no_cart end,
    {Kind, Price, Bad}.
