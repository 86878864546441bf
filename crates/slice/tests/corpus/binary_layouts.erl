%% Binaries by segment: layouts that agree, that do not, and that are computed.
%% inputs: agree(nat, nat, nat, binary), overlap(nat, nat, nat), nested(nat, nat, binary), units(nat, nat), texts(string, nat), floats(float, nat, nat), wrong(any, nat), guards(any, nat), filters(list(any))
-module(binary_layouts).
-export([agree/4, overlap/3, nested/3, units/2, texts/2, floats/3, wrong/2, guards/2, filters/1]).

agree(A, B, C, Rest) ->
    Packet = <<A:8, B:16/little, (C + 1):8/signed, Rest/binary>>,
    <<X:8, Y:16/little, Z:8/signed, R/binary>> = Packet,
    <<Tag:1, Low:7, More/binary>> = Packet,
    Size = byte_size(More),
    {X + Low, Y, Z, Tag, R, Size}.

overlap(A, B, C) ->
    Bin = <<A:8, B:8, C:8>>,
    <<X:12, Y:12>> = Bin,
    <<_:8, P:8, Q/binary>> = Bin,
    <<_:16, Last>> = Bin,
    <<Both:2/binary, Third>> = Bin,
    <<First, Second>> = Both,
    {X, Y, P, Q, Last, First, Second, Third}.

nested(A, B, Data) ->
    Inner = <<A:8, Data/binary>>,
    Outer = <<(byte_size(Inner)):16, Inner/binary, B:8>>,
    <<Len:16, Body:Len/binary, Check:8>> = Outer,
    <<Code:8, Payload/binary>> = Body,
    <<_:16, Early:8, _/binary>> = Outer,
    {Code, byte_size(Payload), Check, Early}.

units(A, B) ->
    Bin = <<A:2/unit:8, B:3/integer-unit:4, 1:4>>,
    <<X:16, Y:12, One:4>> = Bin,
    <<Front:2/bytes, Back/bits>> = Bin,
    <<F0:8, F1:8>> = Front,
    {X, Y, One, F0 + F1, bit_size(Back)}.

texts(Name, N) ->
    Bin = <<"name:", (list_to_binary(Name))/binary, ";age:", N:16>>,
    Key = key(Bin, <<>>),
    <<"name", Colon, Rest/binary>> = Bin,
    Fixed = <<"ab", N:8, "cd">>,
    <<_, B, M, C, D>> = Fixed,
    {Key, Colon, byte_size(Rest), B, M, [C, D]}.

key(<<$:, _/binary>>, Acc) -> Acc;
key(<<C, Rest/binary>>, Acc) -> key(Rest, <<Acc/binary, C>>);
key(<<>>, Acc) -> Acc.

floats(F, A, B) ->
    Bin = <<F:64/float, A:8, B/float, A:32/float>>,
    <<X/float, Y:8, Z:64/float, W:32/float>> = Bin,
    <<Raw:64, _/binary>> = Bin,
    Sum = X + Z,
    {Sum, Y, Raw band 1, W}.

wrong(A, B) ->
    R = try <<A:8, B:8>> of
        <<_, Y>> -> {fine, Y}
    catch
        error:badarg -> {badarg, B}
    end,
    S = (catch <<(put(seen, B)):8, B:8>>),
    T = get(seen),
    {R, is_binary(S), T}.

guards(A, B) when byte_size(<<A:8, B:8>>) =:= 2 ->
    Both = A + B,
    {numbers, Both};
guards(A, B) ->
    Other = [A, B],
    Other.

filters(L) ->
    Good = [X || X <- L, is_binary(<<X:8>>)],
    Count = length(Good),
    {Count, L}.
