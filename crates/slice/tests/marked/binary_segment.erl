%% Binaries by segment: sizes are written on both sides, so each segment has its source.
-module(binary_segment).
-export([f/4]).

f(A, ‹B›, ‹C›, Rest) ->
    Packet = <<A:8, ‹B›:16, ‹C›:8/signed, Rest/binary>>,
    <<X:8/signed, ‹Y›:16/little, ‹Z›:8, ‹R›/binary>> = Packet,
    ‹true = Y + Z > byte_size(R)›,
    «X».
