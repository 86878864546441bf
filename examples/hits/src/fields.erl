%% Lines of text with fields between commas. A comma in a field has a backslash before it.
-module(fields).
-export([join/1, split/1]).

-spec join([string()]) -> string().
join(Fields) ->
    lists:append(lists:join(",", [escape(Field) || Field <- Fields])).

-spec split(string()) -> [string()].
split(Line) ->
    split(Line, "").

escape(Field) ->
    lists:flatmap(fun($,) -> "\\,"; (C) -> [C] end, Field).

split("\\" ++ [C | Rest], Field) -> split(Rest, [C | Field]);
split("," ++ Rest, Field) -> [lists:reverse(Field) | split(Rest, "")];
split([C | Rest], Field) -> split(Rest, [C | Field]);
split("", Field) -> [lists:reverse(Field)].
