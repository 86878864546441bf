%% Formatting and conversions.
%% inputs: line(string, int), table(list({atom, int})), numbers(int)
-module(io_formatting).
-export([line/2, table/1, numbers/1]).

line(Name, N) ->
    Text = lists:flatten(io_lib:format("~s: ~w", [Name, N])),
    Width = length(Text),
    Padded = string:pad(Text, Width + 3, trailing, $.),
    {Width, lists:flatten(Padded)}.

table(Rows) ->
    Lines = [row(K, V) || {K, V} <- Rows],
    Longest = lists:max([0 | [length(L) || L <- Lines]]),
    Body = lists:append(Lines),
    {Longest, length(Body)}.

row(K, V) ->
    Key = atom_to_list(K),
    Value = integer_to_list(V),
    Key ++ "=" ++ Value ++ ";".

numbers(N) ->
    Hex = integer_to_list(abs(N), 16),
    Dec = integer_to_list(N),
    Back = list_to_integer(Dec),
    Bin = integer_to_binary(N * 2),
    Twice = binary_to_integer(Bin),
    {Hex, Back =:= N, Twice}.
