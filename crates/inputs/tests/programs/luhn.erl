-module(luhn).
%% Card numbers.
-export([main/1]).
-spec main([0..9]) -> atom().
main(Digits) when length(Digits) < 12 -> short;
main(Digits) when length(Digits) > 19 -> long;
main(Digits) ->
    case luhn(lists:reverse(Digits), 1, 0) of
        0 -> issuer(Digits);
        _ -> wrong
    end.

luhn([], _, Sum) -> Sum rem 10;
luhn([D | T], 1, Sum) -> luhn(T, 2, Sum + D);
luhn([D | T], 2, Sum) when D > 4 -> luhn(T, 1, Sum + 2 * D - 9);
luhn([D | T], 2, Sum) -> luhn(T, 1, Sum + 2 * D).

issuer([4 | _]) -> visa;
issuer([5, D | _]) when D >= 1, D =< 5 -> mastercard;
issuer([3, 4 | _]) -> amex;
issuer([3, 7 | _]) -> amex;
issuer([6, 0, 1, 1 | _]) -> discover;
issuer([0 | _]) -> test_card;
issuer(_) -> unknown.
