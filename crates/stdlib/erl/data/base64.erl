%% base64: the encoding of RFC 4648.
%%
%% The functions with a map of options (mode: standard or urlsafe; padding) are of OTP 26. What is wrong
%% in the text to decode is an error; mime_decode ignores it.
-module(base64).

-export([decode/1, decode/2, decode_to_string/1, decode_to_string/2, encode/1, encode/2,
         encode_to_string/1, encode_to_string/2, mime_decode/1, mime_decode/2,
         mime_decode_to_string/1, mime_decode_to_string/2]).

-export_type([base64_binary/0, base64_string/0]).

-type base64_string() :: string().
-type base64_binary() :: binary().
-type options() :: #{mode => standard | urlsafe, padding => boolean()}.
-type data() :: binary() | [byte()].

%% ---- encoding ----

-spec encode(data()) -> base64_binary().
encode(Data) -> encode(Data, #{}).

-spec encode(data(), options()) -> base64_binary().
encode(Data, Options) when is_binary(Data) ->
    {C62, C63} = special_chars(Options),
    Missing = (3 - byte_size(Data) rem 3) rem 3,
    %% As many zero bits as complete the last group of six.
    ZeroBits = 2 * Missing,
    Digits = << <<(char(V, C62, C63))>> || <<V:6>> <= <<Data/binary, 0:ZeroBits>> >>,
    case maps:get(padding, Options, true) of
        true -> <<Digits/binary, (binary:copy(<<"=">>, Missing))/binary>>;
        false -> Digits
    end;
encode(Data, Options) when is_list(Data) -> encode(bytes(Data, <<>>), Options).

-spec encode_to_string(data()) -> base64_string().
encode_to_string(Data) -> encode_to_string(Data, #{}).

-spec encode_to_string(data(), options()) -> base64_string().
encode_to_string(Data, Options) -> binary_to_list(encode(Data, Options)).

bytes([Byte | Bytes], Acc) when is_integer(Byte), Byte >= 0, Byte < 256 ->
    bytes(Bytes, <<Acc/binary, Byte>>);
bytes([_ | _], _Acc) -> erlang:error(badarg);
bytes([], Acc) -> Acc.

char(V, _, _) when V < 26 -> $A + V;
char(V, _, _) when V < 52 -> $a + V - 26;
char(V, _, _) when V < 62 -> $0 + V - 52;
char(62, C62, _) -> C62;
char(63, _, C63) -> C63.

special_chars(#{mode := urlsafe}) -> {$-, $_};
special_chars(_) -> {$+, $/}.

%% ---- decoding ----

-spec decode(base64_binary() | base64_string()) -> binary().
decode(Text) -> decode(Text, #{}).

-spec decode(base64_binary() | base64_string(), options()) -> binary().
decode(Text, Options) -> decode(chars(Text), [], <<>>, special_chars(Options), Options).

-spec decode_to_string(base64_binary() | base64_string()) -> string().
decode_to_string(Text) -> binary_to_list(decode(Text)).

-spec decode_to_string(base64_binary() | base64_string(), options()) -> string().
decode_to_string(Text, Options) -> binary_to_list(decode(Text, Options)).

chars(Text) when is_binary(Text) -> binary_to_list(Text);
chars(Text) when is_list(Text) -> Text.

%% Group holds the digits of a group of four read so far, the last first. A digit that is none (`bad`) is
%% found out when the group is put together.
decode([C | Cs], Group, Acc, Special, Options) ->
    case {digit(C, Special), Group} of
        {space, _} -> decode(Cs, Group, Acc, Special, Options);
        {padding, [padding, D2, D1]} -> only_space(Cs, <<Acc/binary, D1:6, (D2 bsr 4):2>>, Special);
        {padding, [D3, D2, D1]} -> only_space(Cs, <<Acc/binary, D1:6, D2:6, (D3 bsr 2):4>>, Special);
        {D4, [D3, D2, D1]} ->
            decode(Cs, [], <<Acc/binary, D1:6, D2:6, D3:6, D4:6>>, Special, Options);
        {D, _} -> decode(Cs, [D | Group], Acc, Special, Options)
    end;
decode([], [], Acc, _Special, _Options) -> Acc;
decode([], [D2, D1], Acc, _Special, #{padding := false}) -> <<Acc/binary, D1:6, (D2 bsr 4):2>>;
decode([], [D3, D2, D1], Acc, _Special, #{padding := false}) ->
    <<Acc/binary, D1:6, D2:6, (D3 bsr 2):4>>;
decode([], [_, _], _Acc, _Special, #{padding := true}) -> erlang:error(missing_padding);
decode([], [_, _, _], _Acc, _Special, #{padding := true}) -> erlang:error(missing_padding).

only_space([], Acc, _Special) -> Acc;
only_space([C | Cs], Acc, Special) ->
    case digit(C, Special) of
        space -> only_space(Cs, Acc, Special)
    end.

digit(C, _) when C >= $A, C =< $Z -> C - $A;
digit(C, _) when C >= $a, C =< $z -> C - $a + 26;
digit(C, _) when C >= $0, C =< $9 -> C - $0 + 52;
digit(C62, {C62, _}) -> 62;
digit(C63, {_, C63}) -> 63;
digit($=, _) -> padding;
digit(C, _) when C =:= $\s; C =:= $\t; C =:= $\n; C =:= $\r -> space;
digit(C, _) when is_integer(C), C > 0, C < 256 -> bad;
digit(_, _) -> erlang:error(badarg).

%% ---- decoding what may contain other characters ----

-spec mime_decode(base64_binary() | base64_string()) -> binary().
mime_decode(Text) -> mime_decode(Text, #{}).

-spec mime_decode(base64_binary() | base64_string(), options()) -> binary().
mime_decode(Text, Options) -> mime_decode(chars(Text), [], false, <<>>, special_chars(Options)).

-spec mime_decode_to_string(base64_binary() | base64_string()) -> string().
mime_decode_to_string(Text) -> binary_to_list(mime_decode(Text)).

-spec mime_decode_to_string(base64_binary() | base64_string(), options()) -> string().
mime_decode_to_string(Text, Options) -> binary_to_list(mime_decode(Text, Options)).

%% Padded: the group has been followed by padding. More digits may come all the same.
mime_decode([0 | Cs], Group, Padded, Acc, Special) -> mime_decode(Cs, Group, Padded, Acc, Special);
mime_decode([C | Cs], Group, Padded, Acc, Special) ->
    case {digit(C, Special), Group} of
        {D4, [D3, D2, D1]} when is_integer(D4) ->
            mime_decode(Cs, [], false, <<Acc/binary, D1:6, D2:6, D3:6, D4:6>>, Special);
        {D, _} when is_integer(D) -> mime_decode(Cs, [D | Group], false, Acc, Special);
        {padding, [_, _ | _]} -> mime_decode(Cs, Group, true, Acc, Special);
        _ -> mime_decode(Cs, Group, Padded, Acc, Special)
    end;
mime_decode([], [], false, Acc, _Special) -> Acc;
mime_decode([], [D2, D1], true, Acc, _Special) -> <<Acc/binary, D1:6, (D2 bsr 4):2>>;
mime_decode([], [D3, D2, D1], true, Acc, _Special) -> <<Acc/binary, D1:6, D2:6, (D3 bsr 2):4>>.
