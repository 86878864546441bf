-module(shop_stock).
-export([initial/0, take/3, add/3, count/2]).

initial() -> [{apple, 5}, {pear, 2}].

count(What, Stock) ->
    case lists:keyfind(What, 1, Stock) of
        {What, N} -> N;
        false -> 0
    end.

take(What, N, Stock) ->
    Have = count(What, Stock),
    if
        Have =:= 0 -> {error, {none, What}};
        Have < N -> {error, {only, Have}};
        true -> {ok, add(What, -N, Stock)}
    end.

add(What, N, Stock) ->
    New = count(What, Stock) + N,
    lists:keystore(What, 1, Stock, {What, New}).
