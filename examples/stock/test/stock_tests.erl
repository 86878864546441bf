-module(stock_tests).
-include_lib("eunit/include/eunit.hrl").

with_pens(Tests) ->
    {setup,
     fun() -> {ok, Stock} = stock:start(), ok = stock:add(Stock, pen, 3), Stock end,
     fun(Stock) -> gen_server:stop(Stock) end,
     Tests}.

take_test_() ->
    with_pens(fun(Stock) ->
                      [{"some", ?_assertEqual(ok, stock:take(Stock, pen, 2))},
                       {"the last", ?_assertEqual(ok, stock:take(Stock, pen, 1))},
                       {"too many", ?_assertMatch({error, _}, stock:take(Stock, pen, 1))}]
              end).

share_test() ->
    ?assertEqual(3, stock:share(10, 3)).

nobody_test() ->
    ?assertError(badarith, stock:share(1, 0)).
