%% Bit syntax: segments of fixed and computed sizes.
%% inputs: packet(nat, binary), parse(binary), flags(nat)
-module(binary_segments).
-export([packet/2, parse/1, flags/1]).

packet(Type, Payload) ->
    T = Type rem 256,
    Size = byte_size(Payload),
    Packet = <<T:8, Size:16, Payload/binary>>,
    <<Kind:8, Len:16, Rest/binary>> = Packet,
    <<Body:Len/binary>> = Rest,
    {Kind, Body}.

parse(<<Len, Data:Len/binary, Tail/binary>>) ->
    {ok, Data, byte_size(Tail)};
parse(<<Len, Short/binary>>) ->
    {need, Len - byte_size(Short)};
parse(<<>>) ->
    empty.

flags(N) ->
    Byte = N band 255,
    <<A:1, B:1, Low:6>> = <<Byte>>,
    Both = A band B,
    <<Out>> = <<Low:6, Both:2>>,
    Out.
