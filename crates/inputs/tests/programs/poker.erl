-module(poker).
%% What a hand is worth.
-export([main/1]).
-type card() :: {2..14, clubs | hearts | spades | diamonds}.
-spec main([card()]) -> atom().
main(Hand) when length(Hand) =/= 5 -> no_hand;
main(Hand) ->
    Ranks = lists:sort([R || {R, _} <- Hand]),
    [{_, Suit} | _] = Hand,
    Flush = lists:all(fun({_, S}) -> S =:= Suit end, Hand),
    case {counts(Ranks), Flush, straight(Ranks)} of
        {_, true, true} -> straight_flush;
        {[4, 1], _, _} -> four;
        {[3, 2], _, _} -> full_house;
        {_, true, _} -> flush;
        {_, _, true} -> straight;
        {[3 | _], _, _} -> three;
        {[2, 2 | _], _, _} -> two_pairs;
        {[2 | _], _, _} -> pair;
        {[5], _, _} -> cheat;
        _ when hd(Ranks) >= 9 -> high;
        _ -> nothing
    end.

counts(Ranks) ->
    Each = [length([R || R <- Ranks, R =:= U]) || U <- lists:usort(Ranks)],
    lists:reverse(lists:sort(Each)).

straight([2, 3, 4, 5, 14]) -> true;
straight([A, B, C, D, E]) -> B =:= A + 1 andalso C =:= A + 2 andalso D =:= A + 3 andalso E =:= A + 4.
