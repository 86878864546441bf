%% A sum and a product, computed in one loop.
-module(sums).
-export([main/0]).

main() ->
    {Sum, Product} = both([1, 2, 3, 4], 0, 1),
    io:format("the sum is ~p~n", [Sum]),
    io:format("the product is ~p~n", [Product]).

% Goes through the list once.
both([], S, P) ->
    {S, P};
both([X | Rest], S, P) ->
    S1 = S + X, % add
    P1 = P * X, % multiply
    both(Rest, S1, P1).
