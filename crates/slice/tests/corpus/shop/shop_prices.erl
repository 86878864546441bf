-module(shop_prices).
-export([price/1, rebate/1]).

price(apple) -> 3;
price(pear) -> 4;
price(_) -> 5.

rebate(Total) when Total > 20 ->
    Percent = 10,
    Total * Percent div 100;
rebate(_) -> 0.
