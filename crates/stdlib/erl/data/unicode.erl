%% unicode: conversions between encodings of text.
%%
%% From any of the encodings into UTF-8 (characters_to_binary/2) and into lists (characters_to_list/2) is
%% native; here are the conversions into other encodings, which also serve as a reference for the native
%% ones (the functions ending in `_int`), and the normal forms, on top of unicode_util (native).
%%
%% What cannot be converted is given back: `{error, Converted, Rest}`, or `{incomplete, Converted, Rest}` if
%% the text ends within a character. A character may be cut apart by the borders of binaries in the list.
-module(unicode).

-export([bom_to_encoding/1, characters_to_binary/1, characters_to_binary/3,
         characters_to_binary_int/2, characters_to_list/1, characters_to_list_int/2,
         characters_to_nfc_binary/1, characters_to_nfc_list/1, characters_to_nfd_binary/1,
         characters_to_nfd_list/1, characters_to_nfkc_binary/1, characters_to_nfkc_list/1,
         characters_to_nfkd_binary/1, characters_to_nfkd_list/1, encoding_to_bom/1]).
%% Native.
-export([bin_is_7bit/1, characters_to_binary/2, characters_to_list/2]).

-export_type([chardata/0, charlist/0, encoding/0, external_chardata/0, external_charlist/0,
              latin1_char/0, latin1_chardata/0, latin1_charlist/0, latin1_binary/0,
              unicode_binary/0]).

-type encoding() :: latin1 | unicode | utf8 | utf16 | utf32
                  | {utf16, big | little} | {utf32, big | little}.
-type unicode_binary() :: binary().
-type charlist() :: maybe_improper_list(char() | unicode_binary() | charlist(), unicode_binary() | []).
-type chardata() :: charlist() | unicode_binary().
-type external_charlist() :: maybe_improper_list(char() | binary() | external_charlist(), binary() | []).
-type external_chardata() :: external_charlist() | binary().
-type latin1_char() :: byte().
-type latin1_binary() :: binary().
-type latin1_charlist() :: maybe_improper_list(byte() | binary() | latin1_charlist(), binary() | []).
-type latin1_chardata() :: latin1_charlist() | binary().
-type data() :: latin1_chardata() | chardata() | external_chardata().
-type failure(Converted) :: {error | incomplete, Converted, data()}.

-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

%% ---- native functions ----

-spec bin_is_7bit(binary()) -> boolean().
bin_is_7bit(_Binary) -> erlang:nif_error(undef).

-spec characters_to_binary(data(), encoding()) -> binary() | failure(binary()).
characters_to_binary(_Data, _InEncoding) -> erlang:nif_error(undef).

-spec characters_to_list(data(), encoding()) -> string() | failure(string()).
characters_to_list(_Data, _InEncoding) -> erlang:nif_error(undef).

%% ---- conversions ----

-spec characters_to_list(data()) -> string() | failure(string()).
characters_to_list(Data) ->
    try unicode:characters_to_list(Data, unicode)
    catch error:Reason -> erlang:error(Reason, [Data], ?INFO)
    end.

-spec characters_to_binary(data()) -> binary() | failure(binary()).
characters_to_binary(Data) ->
    try unicode:characters_to_binary(Data, unicode)
    catch error:Reason -> erlang:error(Reason, [Data], ?INFO)
    end.

-spec characters_to_binary(data(), encoding(), encoding()) -> binary() | failure(binary()).
characters_to_binary(Data, latin1, latin1) when is_binary(Data) -> Data;
characters_to_binary(Data, In, Out) ->
    try to_binary(Data, In, Out)
    catch
        error:system_limit -> erlang:error(system_limit, [Data, In, Out], ?INFO);
        error:_ -> erlang:error(badarg, [Data, In, Out], ?INFO)
    end.

to_binary(Data, In, Out) ->
    case {encoding(In), encoding(Out)} of
        {Same, utf8} when Same =:= utf8; Same =:= latin1 -> unicode:characters_to_binary(Data, In);
        {In1, Out1} -> convert(Data, In1, Out1)
    end.

-spec characters_to_binary_int(data(), encoding()) -> binary() | failure(binary()).
characters_to_binary_int(Data, In) ->
    try to_binary(Data, In, utf8)
    catch error:Reason:Stack -> error_of(characters_to_binary, [Data, In], Reason, Stack)
    end.

-spec characters_to_list_int(data(), encoding()) -> string() | failure(string()).
characters_to_list_int(Data, In) ->
    try to_binary(Data, In, utf8) of
        Binary when is_binary(Binary) -> unicode:characters_to_list(Binary, utf8);
        {Problem, Binary, Rest} -> {Problem, unicode:characters_to_list(Binary, utf8), Rest}
    catch
        error:Reason:Stack -> error_of(characters_to_list, [Data, In], Reason, Stack)
    end.

%% An error of the native function that these two stand in for. Its frame replaces those of this module.
error_of(Function, Args, Reason, Stack) ->
    Callers = lists:dropwhile(fun(Frame) -> element(1, Frame) =:= unicode end, Stack),
    NewReason = case Reason of
                    system_limit -> system_limit;
                    _ -> badarg
                end,
    erlang:raise(error, NewReason, [{unicode, Function, Args, ?INFO} | Callers]).

encoding(unicode) -> utf8;
encoding(utf16) -> {utf16, big};
encoding(utf32) -> {utf32, big};
encoding(Encoding) when Encoding =:= latin1; Encoding =:= utf8 -> Encoding;
encoding({Encoding, Order}) when Encoding =:= utf16; Encoding =:= utf32 ->
    true = Order =:= big orelse Order =:= little,
    {Encoding, Order}.

convert(Data, In, Out) ->
    Limit = case Out of
                latin1 -> 255;
                _ -> 16#10FFFF
            end,
    case walk(Data, In, Out, Limit, {<<>>, <<>>, 0}) of
        {error, _, _} = Error -> Error;
        {Done, <<>>, 0} -> Done;
        {Done, Partial, _Missing} -> {incomplete, Done, Partial}
    end.

%% The state is `{Done, Partial, Missing}`: what has been converted, the bytes of a character cut off by the
%% end of a binary, and the number of bytes that it lacks. The rest after an error is wrapped in the lists it
%% comes from.
walk([Char | _] = Data, _In, _Out, _Limit, {Done, Partial, Missing})
  when is_integer(Char), Missing > 0 ->
    {error, Done, [Partial | Data]};
walk([Binary | Tail], In, Out, Limit, {Done, Partial, Missing})
  when is_binary(Binary), Missing > 0 ->
    case Binary of
        <<More:Missing/binary, Rest/binary>> ->
            walk([<<Partial/binary, More/binary>>, Rest | Tail], In, Out, Limit, {Done, <<>>, 0});
        _ ->
            State = {Done, <<Partial/binary, Binary/binary>>, Missing - byte_size(Binary)},
            walk(Tail, In, Out, Limit, State)
    end;
walk([Head | Tail], In, Out, Limit, State) ->
    case walk_head(Head, In, Out, Limit, State) of
        {error, Done, Rest} -> {error, Done, [Rest | Tail]};
        NewState -> walk(Tail, In, Out, Limit, NewState)
    end;
walk([], _In, _Out, _Limit, State) -> State;
walk(Binary, In, Out, Limit, {_, _, Missing} = State) when is_binary(Binary), Missing > 0 ->
    walk([Binary], In, Out, Limit, State);
walk(Binary, In, Out, Limit, {Done, <<>>, 0}) when is_binary(Binary) ->
    decode(Binary, In, Out, Limit, Done).

walk_head(Char, In, Out, Limit, {Done, <<>>, 0}) when is_integer(Char) ->
    if
        Char > Limit; In =:= latin1, Char > 255 -> {error, Done, [Char]};
        true ->
            try {<<Done/binary, (encode(Char, Out))/binary>>, <<>>, 0}
            catch error:_ -> {error, Done, [Char]}
            end
    end;
walk_head(Data, In, Out, Limit, State) -> walk(Data, In, Out, Limit, State).

decode(<<>>, _In, _Out, _Limit, Done) -> {Done, <<>>, 0};
decode(Binary, In, Out, Limit, Done) ->
    case next(In, Binary) of
        {Char, Rest} when Char =< Limit ->
            decode(Rest, In, Out, Limit, <<Done/binary, (encode(Char, Out))/binary>>);
        {_, _} -> {error, Done, Binary};
        none ->
            case missing(In, Binary) of
                none -> {error, Done, Binary};
                Missing -> {Done, Binary, Missing}
            end
    end.

next(latin1, <<Char, Rest/binary>>) -> {Char, Rest};
next(utf8, <<Char/utf8, Rest/binary>>) -> {Char, Rest};
next({utf16, big}, <<Char/utf16, Rest/binary>>) -> {Char, Rest};
next({utf16, little}, <<Char/utf16-little, Rest/binary>>) -> {Char, Rest};
next({utf32, big}, <<Char/utf32, Rest/binary>>) -> {Char, Rest};
next({utf32, little}, <<Char/utf32-little, Rest/binary>>) -> {Char, Rest};
next(_, _) -> none.

encode(Char, latin1) when Char >= 0, Char < 256 -> <<Char>>;
encode(Char, utf8) -> <<Char/utf8>>;
encode(Char, {utf16, big}) -> <<Char/utf16>>;
encode(Char, {utf16, little}) -> <<Char/utf16-little>>;
encode(Char, {utf32, big}) -> <<Char/utf32>>;
encode(Char, {utf32, little}) -> <<Char/utf32-little>>.

%% How many bytes could make a character of these.
missing(utf8, <<2#110:3, _:5>>) -> 1;
missing(utf8, <<2#1110:4, _:4, More/binary>>) -> missing_continuations(More, 2);
missing(utf8, <<2#11110:5, _:3, More/binary>>) -> missing_continuations(More, 3);
missing({utf16, big}, <<2#110110:6, _:2>>) -> 3;
missing({utf16, big}, <<Byte>>) when Byte < 16#D8; Byte > 16#DF -> 1;
missing({utf16, big}, <<2#110110:6, _:10>>) -> 2;
missing({utf16, big}, <<2#110110:6, _:10, 2#110111:6, _:2>>) -> 1;
missing({utf16, little}, <<_>>) -> 1;
missing({utf16, little}, <<_, 2#110110:6, _:2>>) -> 2;
missing({utf16, little}, <<_, 2#110110:6, _:2, _>>) -> 1;
missing({utf32, big}, <<0>>) -> 3;
missing({utf32, big}, <<0, B>>) when B =< 16 -> 2;
missing({utf32, big}, <<0, B, C>>) -> missing_one(B, C);
missing({utf32, little}, <<_>>) -> 3;
missing({utf32, little}, <<_, _>>) -> 2;
missing({utf32, little}, <<D, 255, 0>>) when D >= 254 -> none;
missing({utf32, little}, <<_, C, B>>) -> missing_one(B, C);
missing(_, _) -> none.

missing_continuations(<<2#10:2, _:6, More/binary>>, N) when N > 1 ->
    missing_continuations(More, N - 1);
missing_continuations(<<>>, N) -> N;
missing_continuations(_, _N) -> none.

%% The last byte of a code point that is no surrogate, by its upper bytes.
missing_one(0, C) when C >= 16#D8, C =< 16#DF -> none;
missing_one(B, _C) when B =< 16 -> 1;
missing_one(_B, _C) -> none.

%% ---- byte order marks ----

-spec bom_to_encoding(binary()) -> {encoding(), non_neg_integer()}.
bom_to_encoding(<<16#EF, 16#BB, 16#BF, _/binary>>) -> {utf8, 3};
bom_to_encoding(<<0, 0, 16#FE, 16#FF, _/binary>>) -> {{utf32, big}, 4};
bom_to_encoding(<<16#FF, 16#FE, 0, 0, _/binary>>) -> {{utf32, little}, 4};
bom_to_encoding(<<16#FE, 16#FF, _/binary>>) -> {{utf16, big}, 2};
bom_to_encoding(<<16#FF, 16#FE, _/binary>>) -> {{utf16, little}, 2};
bom_to_encoding(Binary) when is_binary(Binary) -> {latin1, 0}.

-spec encoding_to_bom(encoding()) -> binary().
encoding_to_bom(latin1) -> <<>>;
encoding_to_bom(Encoding)
  when Encoding =:= unicode; Encoding =:= utf8; Encoding =:= utf16; Encoding =:= utf32;
       Encoding =:= {utf16, big}; Encoding =:= {utf16, little}; Encoding =:= {utf32, big};
       Encoding =:= {utf32, little} ->
    encode(16#FEFF, encoding(Encoding)).

%% ---- normal forms ----

-spec characters_to_nfc_list(chardata()) -> string() | failure(string()).
characters_to_nfc_list(Text) ->
    try normal_list(Text, fun unicode_util:nfc/1, [])
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfd_list(chardata()) -> string() | failure(string()).
characters_to_nfd_list(Text) ->
    try normal_list(Text, fun unicode_util:nfd/1, [])
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfkc_list(chardata()) -> string() | failure(string()).
characters_to_nfkc_list(Text) ->
    try normal_list(Text, fun unicode_util:nfkc/1, [])
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfkd_list(chardata()) -> string() | failure(string()).
characters_to_nfkd_list(Text) ->
    try normal_list(Text, fun unicode_util:nfkd/1, [])
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfc_binary(chardata()) -> binary() | failure(binary()).
characters_to_nfc_binary(Text) ->
    try normal_binary(Text, fun unicode_util:nfc/1)
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfd_binary(chardata()) -> binary() | failure(binary()).
characters_to_nfd_binary(Text) ->
    try normal_binary(Text, fun unicode_util:nfd/1)
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfkc_binary(chardata()) -> binary() | failure(binary()).
characters_to_nfkc_binary(Text) ->
    try normal_binary(Text, fun unicode_util:nfkc/1)
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

-spec characters_to_nfkd_binary(chardata()) -> binary() | failure(binary()).
characters_to_nfkd_binary(Text) ->
    try normal_binary(Text, fun unicode_util:nfkd/1)
    catch error:_ -> erlang:error(badarg, [Text], ?INFO)
    end.

%% Next gives the next cluster in the normal form, and the rest.
normal_list(Text, Next, Acc) ->
    case Next(Text) of
        [Cluster | Rest] when is_list(Cluster) -> normal_list(Rest, Next, lists:reverse(Cluster, Acc));
        [Char | Rest] -> normal_list(Rest, Next, [Char | Acc]);
        [] -> lists:reverse(Acc);
        {error, Rest} -> {error, lists:reverse(Acc), Rest}
    end.

normal_binary(Text, Next) ->
    case normal_list(Text, Next, []) of
        {error, Chars, Rest} -> {error, valid_binary(Chars), Rest};
        Chars -> valid_binary(Chars)
    end.

valid_binary(Chars) ->
    Binary = unicode:characters_to_binary(Chars),
    true = is_binary(Binary),
    Binary.
