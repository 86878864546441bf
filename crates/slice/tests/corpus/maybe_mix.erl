%% maybe in maybe, with else and without, with effects, in funs.
%% inputs: order(any, nat, atom), nested(any, any), effects(int, int), chain(list(int))
-module(maybe_mix).
-feature(maybe_expr, enable).
-export([order/3, nested/2, effects/2, chain/1]).

order(Item, Count, Who) ->
    R = maybe
        {ok, Price} ?= price(Item),
        true ?= Count > 0,
        {ok, Discount} ?= discount(Who),
        Total = Price * Count - Discount,
        {ok, Total}
    else
        {error, Why} -> {failed, Why};
        false -> {failed, count}
    end,
    Shown = case R of {ok, T} -> T; {failed, W} -> W end,
    Shown.

price(25) -> {ok, 10};
price(N) when is_integer(N), N > 0 -> {ok, N * 2};
price(_) -> {error, price}.

discount(ann) -> {ok, 3};
discount(a) -> {error, nobody};
discount(_) -> {ok, 0}.

nested(A, B) ->
    X = maybe
        [H | _] ?= A,
        Y = maybe
            {K, V} ?= B,
            K ++ [V]
        else
            _ -> [none]
        end,
        {H, Y}
    end,
    Z = is_tuple(X),
    {X, Z}.

effects(A, B) ->
    put(log, []),
    R = maybe
        ok ?= step(one, A),
        ok ?= step(two, B),
        ok ?= step(three, A + B),
        done
    end,
    Log = get(log),
    {R, Log}.

step(Name, N) when N > 0 ->
    put(log, [Name | get(log)]),
    ok;
step(Name, _) ->
    {stopped, Name}.

chain(L) ->
    F = fun(X) -> maybe true ?= X > 1, {ok, X} ?= half(X), X end end,
    Results = lists:map(F, L),
    Good = [X || X <- Results, is_integer(X)],
    {Good, Results}.

half(X) when X rem 2 =:= 0 -> {ok, X div 2};
half(X) -> {odd, X}.
