%% A stock of articles in maps: folds, updates under keys, totals side by side.
%% inputs: stock(list({one(nut; bolt; cog), int})), totals(list({one(nut; bolt), nat})), price(one(nut; cog), nat)
-module(inventory).
-export([stock/1, totals/1, price/2]).

stock(Moves) ->
    Empty = #{items => #{}, log => [], errors => 0},
    Final = lists:foldl(fun apply_move/2, Empty, Moves),
    #{items := Items, errors := Errors} = Final,
    Kinds = maps:size(Items),
    Last = case maps:get(log, Final) of
        [{Article, _} | _] -> Article;
        [] -> none
    end,
    {Kinds, Errors, Last}.

apply_move({Article, N}, State) when N >= 0 ->
    Items = maps:get(items, State),
    Old = maps:get(Article, Items, 0),
    Log = maps:get(log, State),
    State#{items := Items#{Article => Old + N}, log := [{Article, N} | Log]};
apply_move(_, State) ->
    maps:update_with(errors, fun(E) -> E + 1 end, State).

totals(Moves) ->
    Totals = lists:foldl(
        fun({Article, N}, {Sum, Max, Seen}) ->
            {Sum + N, max(N, Max), maps:put(Article, true, Seen)}
        end, {0, 0, #{}}, Moves),
    {Sum, Max, Seen} = Totals,
    Names = lists:sort(maps:keys(Seen)),
    {Sum, Max, Names}.

price(Article, N) ->
    Prices = #{nut => {2, "a nut"}, bolt => {3, "a bolt"}},
    Result = case maps:find(Article, Prices) of
        {ok, {Each, Text}} -> {ok, Each * N, Text};
        error -> {error, Article, "nothing"}
    end,
    {Tag, Value, Name} = Result,
    {Tag, Value, length(Name)}.
