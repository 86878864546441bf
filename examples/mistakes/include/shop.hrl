-record(item, {name :: string(), price = 0 :: non_neg_integer(), count = 1}).

-define(TOTAL(Item), Item#item.price * Items#item.count).
