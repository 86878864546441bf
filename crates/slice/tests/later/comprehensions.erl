%% Comprehensions of later releases: of maps, strict, with several values, with assignments.
%% inputs: totals(int, int), pairs(int), strict(int)
-module(comprehensions).
-feature(compr_assign, enable).
-export([totals/2, pairs/1, strict/1]).

totals(X, Y) ->
    Prices = #{pen => X, cup => Y},
    Counts = #{pen => 2, cup => 3},
    Sums = #{K => P * C || K := P <- Prices, C = map_get(K, Counts), C > 0},
    Names = lists:sort([K || K := _ <- Sums]),
    Total = lists:sum([V || _ := V <- Sums]),
    {Names, Total}.

pairs(N) ->
    Numbers = lists:seq(1, 3),
    Letters = [a, b, c],
    Both = [{I, L} || I <- Numbers, L <- Letters],
    Signs = [I, -I || {I, _} <- Both, I =/= N],
    Last = lists:last(Signs),
    {Last, length(Both)}.

strict(N) ->
    Given = [{ok, N}, {ok, 2}],
    Values = [V || {ok, V} <:- Given],
    Bad = try [V || {ok, V} <:- [{error, N} | Given]] of L -> L catch error:{badmatch, E} -> E end,
    {hd(Values), Bad}.
