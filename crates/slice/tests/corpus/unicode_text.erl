%% Text beyond Latin-1, in strings, binaries and atoms.
%% inputs: lengths(one("żółw"; "ok"; "日本")), prefix(int)
-module(unicode_text).
-export([lengths/1, prefix/1]).

lengths(Text) ->
    Bin = unicode:characters_to_binary(Text),
    Bytes = byte_size(Bin),
    Chars = length(Text),
    Wide = Bytes - Chars,
    [First | _] = unicode:characters_to_list(Bin),
    {First, Wide, 'größe'}.

prefix(N) ->
    Line = "ключ=" ++ integer_to_list(N),
    "ключ=" ++ Value = Line,
    Bin = <<"é", N:16>>,
    <<C/utf8, M:16>> = <<"é"/utf8, N:16>>,
    {Value, C, M =:= N band 65535, byte_size(Bin)}.
