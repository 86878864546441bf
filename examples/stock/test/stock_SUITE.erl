-module(stock_SUITE).
-include_lib("common_test/include/ct.hrl").
-export([all/0, groups/0, init_per_suite/1, end_per_suite/1]).
-export([empty/1, filled/1, slow/1]).

all() -> [empty, {group, day}].

groups() -> [{day, [sequence], [filled, slow]}].

init_per_suite(Config) ->
    {ok, Stock} = stock:start(),
    [{stock, Stock} | Config].

end_per_suite(_) -> ok.

empty(Config) ->
    {error, not_enough} = stock:take(?config(stock, Config), pen, 1).

filled(Config) ->
    ok = stock:add(?config(stock, Config), pen, 5),
    {comment, "five pens"}.

slow(_) ->
    timer:sleep(timer:hours(1)),
    {skip, "only on weekends"}.
