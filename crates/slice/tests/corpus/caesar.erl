%% Shifting letters.
%% inputs: shift(string, int), crack(string)
-module(caesar).
-export([shift/2, crack/1]).

-define(is_lower(C), (C >= $a andalso C =< $z)).
-define(is_upper(C), (C >= $A andalso C =< $Z)).

shift(Text, N) ->
    Key = ((N rem 26) + 26) rem 26,
    Secret = [rot(C, Key) || C <- Text],
    Plain = [rot(C, 26 - Key) || C <- Secret],
    {Secret, Plain =:= Text}.

rot(C, K) when ?is_lower(C) -> $a + (C - $a + K) rem 26;
rot(C, K) when ?is_upper(C) -> $A + (C - $A + K) rem 26;
rot(C, _) -> C.

crack(Text) ->
    Letters = [C || C <- Text, ?is_lower(C) orelse ?is_upper(C)],
    Freq = lists:foldl(fun(C, M) -> maps:update_with(C, fun(V) -> V + 1 end, 1, M) end, #{}, Letters),
    Best = maps:fold(
        fun(C, N, {_, Max}) when N > Max -> {C, N};
           (_, _, Acc) -> Acc
        end, {none, 0}, Freq),
    {Letter, Times} = Best,
    {Letter, Times, length(Letters)}.
