%% A parser that hands on what is left: {ok, Tree, Rest, Position}.
%% inputs: calculate(one("1+2"; "2*3+4"; "7"; "1+"; "2*2*2"; "")), depth(one("1+2*3"; "5"))
-module(token_parser).
-export([calculate/1, depth/1]).

calculate(Text) ->
    case parse(Text) of
        {ok, Tree, Count} -> {value(Tree), Count};
        {error, Where} -> {error, Where}
    end.

depth(Text) ->
    {ok, Tree, _} = parse(Text),
    height(Tree).

parse(Text) ->
    Tokens = tokens(Text, 1),
    case sum(Tokens) of
        {ok, Tree, []} -> {ok, Tree, length(Tokens)};
        {ok, _, [{_, _, At} | _]} -> {error, At};
        {error, At} -> {error, At}
    end.

tokens([], _) -> [];
tokens([$+ | T], N) -> [{op, plus, N} | tokens(T, N + 1)];
tokens([$* | T], N) -> [{op, times, N} | tokens(T, N + 1)];
tokens([C | T], N) -> [{int, C - $0, N} | tokens(T, N + 1)].

sum(Tokens) ->
    case product(Tokens) of
        {ok, Left, [{op, plus, _} | Rest]} ->
            case sum(Rest) of
                {ok, Right, Rest2} -> {ok, {plus, Left, Right}, Rest2};
                Error -> Error
            end;
        Other -> Other
    end.

product([{int, V, _}, {op, times, _} | Rest]) ->
    case product(Rest) of
        {ok, Right, Rest2} -> {ok, {times, {leaf, V}, Right}, Rest2};
        Error -> Error
    end;
product([{int, V, _} | Rest]) -> {ok, {leaf, V}, Rest};
product([{op, _, At} | _]) -> {error, At};
product([]) -> {error, at_end}.

value({leaf, V}) -> V;
value({plus, L, R}) -> value(L) + value(R);
value({times, L, R}) -> value(L) * value(R).

height({leaf, _}) -> 1;
height({_, L, R}) -> 1 + max(height(L), height(R)).
