%% Strings, prefixes and formatting.
%% inputs: route(string), title(string, string), sign(int)
-module(strings_plus).
-export([route/1, title/2, sign/1]).

route(Name) ->
    Path = "/users/" ++ Name,
    case Path of
        "/users/" ++ [] -> index;
        "/users/" ++ [C | _] when C >= $a, C =< $z -> {user, Name};
        "/users/" ++ Other -> {odd, Other}
    end.

title(First, Last) ->
    Full = First ++ " " ++ Last,
    Words = string:tokens(Full, " "),
    Caps = [capital(W) || W <- Words],
    lists:append(Caps).

capital([C | Rest]) when C >= $a, C =< $z -> [C - 32 | Rest];
capital(Word) -> Word.

sign(N) ->
    Text = integer_to_list(N),
    Sign = case Text of
        [$- | Digits] -> {minus, Digits};
        Digits -> {plus, Digits}
    end,
    {Which, D} = Sign,
    Padded = "000" ++ D,
    {Which, lists:nthtail(length(D), Padded)}.
