%% The maybe expression.
%% inputs: account(one({ok, 3}; {ok, 0}; error), int), parse(string), last(int)
-module(maybe_chain).
-feature(maybe_expr, enable).
-export([account/2, parse/1, last/1]).

account(Found, Amount) ->
    maybe
        {ok, Balance} ?= Found,
        true ?= Amount =< Balance,
        New = Balance - Amount,
        {ok, New}
    else
        error -> no_account;
        false -> {too_much, Amount}
    end.

parse(Text) ->
    maybe
        [First | Rest] ?= Text,
        Digit = First - $0,
        ok ?= check(Digit),
        {Digit, length(Rest)}
    end.

check(D) when D >= 0, D =< 9 -> ok;
check(D) -> {not_a_digit, D}.

last(N) ->
    R = maybe
        Positive = N > 0,
        true ?= Positive,
        M = N * 2,
        X ?= M + 1
    else
        false -> -1
    end,
    R + 1.
