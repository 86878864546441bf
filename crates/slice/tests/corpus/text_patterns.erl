%% Patterns of strings and binaries of text.
%% inputs: strip(string), parse(string), url(one("http://a/b"; "ftp://x"; "x"; "http://")), csv(one(<<"a,b;c">>; <<"">>; <<"1,2,3">>; <<";">>)), utf(string), prefix(string), number(string), flags(binary)
-module(text_patterns).
-export([strip/1, parse/1, url/1, csv/1, utf/1, prefix/1, number/1, flags/1]).

strip(" " ++ Rest) -> strip(Rest);
strip([C | Rest]) when C =:= $\t -> strip(Rest);
strip(S) ->
    Trimmed = lists:reverse(drop(lists:reverse(S))),
    {Trimmed, length(Trimmed)}.

drop([$\s | T]) -> drop(T);
drop(S) -> S.

parse(S) ->
    {Words, Count} = words(S, [], []),
    Longest = lists:foldl(fun(W, M) -> max(length(W), M) end, 0, Words),
    {Count, Longest}.

words([], Cur, Acc) -> All = add(Cur, Acc), {All, length(All)};
words([$  | T], Cur, Acc) -> words(T, [], add(Cur, Acc));
words([C | T], Cur, Acc) -> words(T, [C | Cur], Acc).

add([], Acc) -> Acc;
add(W, Acc) -> [lists:reverse(W) | Acc].

url("http://" ++ Rest) ->
    {Host, Path} = lists:splitwith(fun(C) -> C =/= $/ end, Rest),
    {http, Host, Path};
url("ftp://" ++ Host) -> {ftp, Host, "/"};
url(Other) -> {unknown, Other, ""}.

csv(Bin) ->
    Fields = fields(Bin, <<>>, []),
    N = length(Fields),
    First = hd(Fields),
    {N, First}.

fields(<<$,, R/binary>>, Cur, Acc) -> fields(R, <<>>, [Cur | Acc]);
fields(<<";", R/binary>>, Cur, Acc) -> fields(R, <<>>, [semi, Cur | Acc]);
fields(<<C/utf8, R/binary>>, Cur, Acc) -> fields(R, <<Cur/binary, C/utf8>>, Acc);
fields(<<>>, Cur, Acc) -> lists:reverse([Cur | Acc]).

utf(S) ->
    Bin = unicode:characters_to_binary(S ++ [955]),
    Len = string:length(Bin),
    <<First/utf8, Rest/binary>> = Bin,
    {Len, First, byte_size(Rest)}.

prefix(S) ->
    case S of
        "the " ++ Noun -> {the, Noun};
        [$H | "ello"] -> hello;
        "x" ++ [D | _] when D >= $0, D =< $9 -> {x, D - $0};
        _ -> string:to_upper(S)
    end.

number(S) -> number(S, 0, []).

number([D | T], N, Acc) when D >= $0, D =< $9 -> number(T, N * 10 + D - $0, Acc);
number([_ | T], N, Acc) -> number(T, 0, [N | Acc]);
number([], N, Acc) -> {N, lists:sum(Acc)}.

flags(<<1:1, Rest:7, T/binary>>) -> {set, Rest, T};
flags(<<0:1, A:3, B:4, _/binary>>) when A > B -> {a, A};
flags(<<_:4, B:4, T/binary>>) -> {b, B, byte_size(T)};
flags(Other) -> Other.
