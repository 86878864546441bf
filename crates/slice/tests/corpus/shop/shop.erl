%% Three modules: prices, stock and the shop itself.
%% inputs: buy(one(apple; pear; fig), nat), bill(list({one(apple; pear), nat})), restock(nat)
-module(shop).
-export([buy/2, bill/1, restock/1]).

buy(What, N) ->
    Stock = shop_stock:initial(),
    case shop_stock:take(What, N, Stock) of
        {ok, Left} ->
            Price = shop_prices:price(What) * N,
            {bought, Price, shop_stock:count(What, Left)};
        {error, Reason} ->
            {sorry, Reason}
    end.

bill(Items) ->
    Lines = [{What, N, shop_prices:price(What)} || {What, N} <- Items],
    Total = lists:sum([N * P || {_, N, P} <- Lines]),
    Rebate = shop_prices:rebate(Total),
    {Total - Rebate, length(Lines)}.

restock(N) ->
    S0 = shop_stock:initial(),
    S1 = shop_stock:add(fig, N, S0),
    Figs = shop_stock:count(fig, S1),
    Apples = shop_stock:count(apple, S1),
    {Figs, Apples}.
