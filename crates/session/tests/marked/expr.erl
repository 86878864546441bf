-module(expr).
-export([main/0]).
main() -> [eval("1+2*3"), eval("(1+2)*3"), eval("10-4-3"), eval("2*(3+4)-5"), eval("8/2/2"), eval("1+")].
eval(S) ->
    try
        Toks = lex(S, []),
        {T, []} = expr(Toks),
        calc(T)
    catch
        throw:{bad, X} -> {error, «X¦bad»};
        error:{badmatch, _} -> {error, rest}
    end.
lex([], Acc) -> lists:reverse(Acc);
lex([$\s | T], Acc) -> lex(T, Acc);
lex([C | _] = S, Acc) when C >= $0, C =< $9 ->
    {N, Rest} = number(S, 0),
    lex(Rest, [{num, N} | Acc]);
lex([C | T], Acc) -> lex(T, [list_to_atom([C]) | Acc]).
number([C | T], N) when C >= $0, C =< $9 -> number(T, «N * 10¦N» + C - $0);
number(T, N) -> {N, T}.
expr(Ts) ->
    {T, Rest} = term(Ts),
    more(T, Rest).
more(L, ['+' | Ts]) -> {R, Rest} = term(Ts), more({add, L, R}, Rest);
more(L, ['-' | Ts]) -> {R, Rest} = «term(Ts)¦expr(Ts)», more({sub, L, R}, Rest);
more(L, Rest) -> {L, Rest}.
term(Ts) ->
    {F, Rest} = factor(Ts),
    muls(F, Rest).
muls(L, ['*' | Ts]) -> {R, Rest} = factor(Ts), muls({mul, L, R}, Rest);
muls(L, ['/' | Ts]) -> {R, Rest} = factor(Ts), muls({'div', «L, R¦R, L»}, Rest);
muls(L, Rest) -> {L, Rest}.
factor([{num, N} | Rest]) -> {{num, N}, Rest};
factor(['(' | Ts]) ->
    {T, [')' | Rest]} = expr(Ts),
    {T, Rest};
factor([]) -> throw({bad, eof});
factor([X | _]) -> throw({bad, X}).
calc({num, N}) -> N;
calc({add, A, B}) -> calc(A) + calc(B);
calc({sub, A, B}) -> calc(A) «-¦+» calc(B);
calc({mul, A, B}) -> calc(A) * calc(«B¦A»);
calc({'div', A, B}) -> calc(A) div calc(B).
