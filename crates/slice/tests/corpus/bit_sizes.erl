%% Sizes and units from variables; signedness and byte order.
%% inputs: field(nat, nat), varint(list(nat)), split_at(binary, nat)
-module(bit_sizes).
-export([field/2, varint/1, split_at/2]).

field(Value, Width0) ->
    Width = 1 + Width0 rem 12,
    Pad = 16 - Width,
    Bits = <<Value:Width, 0:Pad>>,
    <<V:Width/unsigned, Rest:Pad>> = Bits,
    <<S:Width/signed, _/bits>> = Bits,
    {V, S, Rest}.

varint(L) ->
    Bin = << <<(size_of(N)):2, N:(8 * size_of(N))>> || N <- L >>,
    decode(Bin, 0).

size_of(N) when N < 256 -> 1;
size_of(_) -> 3.

decode(<<Size:2, Rest/bits>>, Sum) ->
    Width = Size * 8,
    <<N:Width, More/bits>> = Rest,
    decode(More, Sum + N);
decode(<<>>, Sum) ->
    Sum.

split_at(Bin, N) ->
    At = N rem (byte_size(Bin) + 1),
    <<Front:At/binary, Back/binary>> = Bin,
    Joined = <<Back/binary, Front/binary>>,
    case Joined of
        <<First, _/binary>> -> {At, First};
        <<>> -> {At, none}
    end.
