-module(tokens).
%% Words of a small language.
-export([main/1]).
-spec main(string()) -> term().
main(Text) ->
    case scan(Text, []) of
        {ok, ['while', _, 'do' | _]} -> loop;
        {ok, ['if', _, then | Rest]} -> branch(Rest);
        {ok, [{number, N}]} when N > 255 -> large_number;
        {ok, [{number, _}]} -> number;
        {ok, [A, '+', A]} -> twice;
        {ok, []} -> empty;
        {ok, Tokens} when length(Tokens) > 5 -> long;
        {ok, _} -> some;
        error -> error
    end.

branch(Rest) ->
    case lists:member(else, Rest) of
        true -> if_then_else;
        false -> if_then
    end.

scan([$\s | T], Acc) -> scan(T, Acc);
scan("while" ++ T, Acc) -> scan(T, ['while' | Acc]);
scan("do" ++ T, Acc) -> scan(T, ['do' | Acc]);
scan("if" ++ T, Acc) -> scan(T, ['if' | Acc]);
scan("then" ++ T, Acc) -> scan(T, [then | Acc]);
scan("else" ++ T, Acc) -> scan(T, [else | Acc]);
scan([$+ | T], Acc) -> scan(T, ['+' | Acc]);
scan([C | T], Acc) when C >= $0, C =< $9 -> digits(T, C - $0, Acc);
scan([C | T], Acc) when C >= $a, C =< $z -> scan(T, [{name, C} | Acc]);
scan([], Acc) -> {ok, lists:reverse(Acc)};
scan(_, _) -> error.

digits([C | T], N, Acc) when C >= $0, C =< $9 -> digits(T, N * 10 + C - $0, Acc);
digits(T, N, Acc) -> scan(T, [{number, N} | Acc]).
