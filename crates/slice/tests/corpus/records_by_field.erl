%% Records: defaults, access, update, patterns, element positions.
%% inputs: order(int, int), discount(int), index(atom)
-module(records_by_field).
-export([order/2, discount/1, index/1]).

-record(item, {name = unnamed, price = 10, count = 1}).
-record(order, {item = #item{}, customer, note = ""}).

order(Price, Count) ->
    Item = #item{price = Price, count = Count},
    Order = #order{item = Item, customer = "Kim"},
    #order{item = I, note = Note} = Order,
    Total = I#item.price * I#item.count,
    Name = (Order#order.item)#item.name,
    {Total, Name, Note}.

discount(Percent) ->
    Full = #item{name = lamp},
    Price = Full#item.price,
    Cheap = Full#item{price = Price * (100 - Percent) div 100},
    #item{price = New, name = Name} = Cheap,
    {Name, New}.

index(Name) ->
    Item = #item{name = Name},
    Pos = #item.name,
    Got = element(Pos, Item),
    Fields = record_info(fields, item),
    {Got, length(Fields), is_record(Item, item)}.
