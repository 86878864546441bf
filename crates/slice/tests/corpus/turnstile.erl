%% A turnstile: transitions are funs in a map, its data are updated by key.
%% inputs: run(list(one(coin; push; reset; {pay, 3}; {pay, 0}; bogus)), nat)
-module(turnstile).
-export([run/2]).

run(Evs, Price) ->
    S0 = #{state => locked, money => 0, log => [], price => Price, table => table()},
    S = lists:foldl(fun step/2, S0, Evs),
    #{state := St, money := M, log := L} = S,
    Opened = length([x || {_, unlocked} <- L]),
    {St, M, Opened, lists:reverse(L)}.

table() ->
    #{{locked, coin} => fun(D) -> {unlocked, D#{money := maps:get(money, D) + maps:get(price, D)}} end,
      {locked, push} => fun(D) -> {locked, D} end,
      {unlocked, push} => fun(D) -> {locked, D#{last => push}} end,
      {unlocked, coin} => fun(#{money := M} = D) -> {unlocked, D#{money => M + 1}} end,
      {any, reset} => fun reset/1}.

reset(D) -> {locked, maps:with([state, log, price, table, money], D#{money => 0})}.

step({pay, N}, D) when N > 0 -> step({pay, N - 1}, step(coin, D));
step({pay, _}, D) -> D;
step(Ev, #{state := S, table := T} = D) ->
    F = case T of
        #{{S, Ev} := F0} -> F0;
        #{{any, Ev} := F1} -> F1;
        _ -> fun(X) -> {S, X#{bogus => maps:get(bogus, X, 0) + 1}} end
    end,
    {New, D1} = F(D),
    D1#{state := New, log := [{Ev, New} | maps:get(log, D1)]}.
