%% A parser that gives up by throwing; what it had read is in the dictionary.
%% inputs: main(string), numbers(list(one(1; "12"; "x"; a; 5)))
-module(handled_parser).
-export([main/1, numbers/1]).

main(Text) ->
    put(words, 0),
    put(at, 0),
    try scan(Text)
    catch
        throw:{unexpected, C, _} when C >= $0, C =< $9 -> ok;
        throw:{unexpected, _, _} -> put(words, -1)
    end,
    Words = get(words),
    At = get(at),
    {Words, At}.

scan([]) -> ok;
scan([$\s | T]) -> step(), scan(T);
scan([C | T]) when C >= $a, C =< $z ->
    put(words, get(words) + 1),
    scan(word(T));
scan([C | _]) -> throw({unexpected, C, get(at)}).

word([C | T]) when C >= $a, C =< $z -> step(), word(T);
word(T) -> step(), T.

step() -> put(at, get(at) + 1).

numbers(L) ->
    put(sum, 0),
    try
        [put(sum, get(sum) + number(X)) || X <- L]
    catch
        error:badarg -> ok;
        throw:{no_number, a} -> ok
    end,
    Sum = get(sum),
    Sum.

number(X) when is_integer(X) -> X;
number(X) when is_list(X) -> list_to_integer(X);
number(X) -> throw({no_number, X}).
