%% What OTP has as native code for ASN.1: BER as nested tags and values (X.690). A tag is its number with its class
%% above the lowest 16 bits.
-module(asn1rt_nif).

-export([decode_ber_tlv/1, encode_ber_tlv/1, encode_per_complete/1]).

decode_ber_tlv(Binary) ->
    try element_of(Binary, 0) of
        {Element, Rest, _} -> {Element, Rest}
    catch
        throw:{bad, Reason, At} -> exit({error, {asn1, {Reason, At}}})
    end.

%% The first element of some bytes that stand at a place, the bytes behind it, and their place.
element_of(<<Class:2, Form:1, Number:5, Rest/binary>>, At) when Rest =/= <<>> ->
    {Tag, AfterTag, Place} = tag(Class, Number, Rest, At + 1),
    case length_of(AfterTag, Place) of
        {indefinite, Inside, Begin} when Form =:= 1 ->
            {Value, After, End} = until_end(Inside, Begin, []),
            {{Tag, Value}, After, End};
        {indefinite, _, _} -> bad(invalid_length, Place);
        {Length, Inside, _} when Length > byte_size(Inside) -> bad(invalid_value, Place);
        {Length, Inside, Begin} ->
            <<Value:Length/binary, After/binary>> = Inside,
            case Form of
                0 -> {{Tag, Value}, After, Begin + Length};
                1 -> {{Tag, elements(Value, Begin, [])}, After, Begin + Length}
            end
    end;
element_of(_, At) -> bad(invalid_value, At).

elements(<<>>, _, Found) -> lists:reverse(Found);
elements(Binary, At, Found) ->
    {Element, Rest, Next} = element_of(Binary, At),
    elements(Rest, Next, [Element | Found]).

until_end(<<0, 0, Rest/binary>>, At, Found) -> {lists:reverse(Found), Rest, At + 2};
until_end(Binary, At, Found) ->
    {Element, Rest, Next} = element_of(Binary, At),
    until_end(Rest, Next, [Element | Found]).

tag(Class, 31, Rest, At) -> long_tag(Class, 0, Rest, At);
tag(Class, Number, Rest, At) -> {(Class bsl 16) bor Number, Rest, At}.

long_tag(Class, Number, <<1:1, Part:7, Rest/binary>>, At) when Number < 128 ->
    long_tag(Class, (Number bsl 7) bor Part, Rest, At + 1);
long_tag(_, _, <<1:1, _/bits>>, At) -> bad(invalid_tag, At - 1);
long_tag(Class, Number, <<0:1, Part:7, Rest/binary>>, At) ->
    case (Number bsl 7) bor Part of
        Whole when Whole > 16#ffff -> bad(invalid_tag, At - 1);
        Whole -> {(Class bsl 16) bor Whole, Rest, At + 1}
    end;
long_tag(_, _, <<>>, At) -> bad(invalid_value, At - 1).

length_of(<<0:1, Length:7, Rest/binary>>, At) -> {Length, Rest, At + 1};
length_of(<<16#80, Rest/binary>>, At) -> {indefinite, Rest, At + 1};
length_of(<<1:1, Bytes:7, Rest/binary>>, At) ->
    case Rest of
        <<Length:Bytes/unit:8, Inside/binary>> -> {Length, Inside, At + 1 + Bytes};
        _ -> bad(invalid_length, At)
    end;
length_of(<<>>, At) -> bad(invalid_value, At).

bad(Reason, At) -> throw({bad, Reason, At}).

encode_ber_tlv({Tag, Value}) when is_integer(Tag), is_binary(Value) -> encoded(Tag, 0, Value);
encode_ber_tlv({Tag, Values}) when is_integer(Tag), is_list(Values) ->
    encoded(Tag, 1, << <<(encode_ber_tlv(Value))/binary>> || Value <- Values >>);
encode_ber_tlv(_) -> exit({error, {asn1, {unknown, 0}}}).

encoded(Tag, Form, Value) ->
    {Class, Number} = {Tag bsr 16, Tag band 16#ffff},
    Head = if
               Number < 31 -> <<Class:2, Form:1, Number:5>>;
               true -> <<Class:2, Form:1, 31:5, (parts(Number bsr 7, <<0:1, (Number band 127):7>>))/binary>>
           end,
    <<Head/binary, (length_bytes(byte_size(Value)))/binary, Value/binary>>.

parts(0, Made) -> Made;
parts(Number, Made) -> parts(Number bsr 7, <<1:1, (Number band 127):7, Made/binary>>).

length_bytes(Length) when Length < 128 -> <<Length>>;
length_bytes(Length) ->
    Bytes = binary:encode_unsigned(Length),
    <<1:1, (byte_size(Bytes)):7, Bytes/binary>>.

encode_per_complete(_) -> erlscope_native:unsupported("asn1rt_nif:encode_per_complete/1: packed encoding rules").
