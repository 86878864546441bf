%% Binaries that are UTF-8 text.
-module(proper_unicode).

-export([utf8/0, utf8/1, utf8/2]).

-define(ANY_SIZE, 4).

utf8() -> proper_types:sized(fun(Size) -> utf8(Size) end).

%% At most so many characters.
utf8(Most) -> utf8(Most, ?ANY_SIZE).

%% Each of at most so many bytes.
utf8(Most, Bytes) when Bytes >= 1, Bytes =< 4 ->
    Character = proper_types:union(lists:sublist(ranges(), Bytes)),
    Text = proper_types:resize(Most, proper_types:list(Character)),
    proper_types:bind(Text, fun unicode:characters_to_binary/1, false).

%% Without surrogates, which have no place in UTF-8.
ranges() ->
    Low = proper_types:integer(16#800, 16#d7ff),
    High = proper_types:integer(16#e000, 16#ffff),
    [proper_types:integer(0, 16#7f), proper_types:integer(16#80, 16#7ff),
     proper_types:union([Low, High]), proper_types:integer(16#10000, 16#10ffff)].
