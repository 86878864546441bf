%% Sizes that do not agree: whatever overlaps is there, what is behind is not.
-module(binary_other_sizes).
-export([f/4]).

f(A, B, ‹C›, ‹D›) ->
    Packet = <<A:8, B:8, ‹C›:8, ‹D›:8>>,
    <<X:12, ‹_Rest›/bits>> = Packet,
    «X».
