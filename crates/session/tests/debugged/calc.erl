-module(calc).
-export([main/0]).
main() -> [run("1 + 2 * 3"), run("(1 + 2) * 3"), run("2 * (3 + 4) - 10 / 5"), run("1 +"), run("8 / 0")].
run(Text) ->
    try
        {Tree, []} = expression(tokens(Text)),
        {ok, value(Tree)}
    catch
        throw:Reason -> {error, Reason};
        error:badarith -> {error, arithmetic}
    end.
tokens([]) -> [];
tokens([$\s | Rest]) -> tokens(Rest);
tokens([C | Rest]) when C >= $0, C =< $9 -> number(Rest, C - $0);
tokens([C | Rest]) -> [C | tokens(Rest)].
number([C | Rest], N) when C >= $0, C =< $9 -> number(Rest, N * 10 + C - $0);
number(Rest, N) -> [{number, N} | tokens(Rest)].
expression(Tokens) -> {Left, Rest} = term(Tokens), sums(Left, Rest).
sums(Left, [$+ | Tokens]) -> {Right, Rest} = term(Tokens), sums({add, Left, Right}, Rest);
sums(Left, [$- | Tokens]) -> {Right, Rest} = term(Tokens), sums({sub, Left, Right}, Rest);
sums(Left, Rest) -> {Left, Rest}.
term(Tokens) -> {Left, Rest} = factor(Tokens), products(Left, Rest).
products(Left, [$* | Tokens]) -> {Right, Rest} = factor(Tokens), products({mul, Left, Right}, Rest);
products(Left, [$/ | Tokens]) -> {Right, Rest} = factor(Tokens), products({quot, Left, Right}, Rest);
products(Left, Rest) -> {Left, Rest}.
factor([{number, N} | Rest]) -> {N, Rest};
factor([$( | Tokens]) ->
    case expression(Tokens) of
        {Inner, [$) | Rest]} -> {Inner, Rest};
        _ -> throw(open)
    end;
factor([]) -> throw(missing);
factor([C | _]) -> throw({unexpected, C}).
value(N) when is_integer(N) -> N;
value({add, A, B}) -> value(A) + value(B);
value({sub, A, B}) -> value(A) - value(B);
value({mul, A, B}) -> value(A) * value(B);
value({quot, A, B}) -> value(A) div value(B).
