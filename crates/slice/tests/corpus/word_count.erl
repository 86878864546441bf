%% Counting words in a text.
%% inputs: count(string), longest(string)
-module(word_count).
-export([count/1, longest/1]).

count(Text) ->
    Words = split(Text, [], []),
    Counts = tally(Words, []),
    Sorted = lists:keysort(2, Counts),
    case lists:reverse(Sorted) of
        [{Word, N} | _] -> {Word, N, length(Counts)};
        [] -> none
    end.

split([], [], Acc) -> lists:reverse(Acc);
split([], Word, Acc) -> split([], [], [lists:reverse(Word) | Acc]);
split([$\s | T], [], Acc) -> split(T, [], Acc);
split([$\s | T], Word, Acc) -> split(T, [], [lists:reverse(Word) | Acc]);
split([C | T], Word, Acc) -> split(T, [C | Word], Acc).

tally([], Counts) -> Counts;
tally([W | Ws], Counts) ->
    New = case lists:keyfind(W, 1, Counts) of
        {W, N} -> lists:keyreplace(W, 1, Counts, {W, N + 1});
        false -> [{W, 1} | Counts]
    end,
    tally(Ws, New).

longest(Text) ->
    Words = string:tokens(Text, " "),
    {Len, Word} = lists:foldl(
        fun(W, {Max, Best}) ->
            case length(W) of
                L when L > Max -> {L, W};
                _ -> {Max, Best}
            end
        end, {0, ""}, Words),
    {Word, Len}.
