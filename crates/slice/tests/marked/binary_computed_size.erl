%% A size that is computed: it is needed, and what is behind it is not told apart.
-module(binary_computed_size).
-export([f/3]).

f(‹A›, B, ⟨C⟩) ->
    N = byte_size(B),
    <<‹Head›:8, Size:16, Data:Size/binary, ‹_›/binary>> = <<‹A›:8, N:16, B/binary, ⟨C⟩:8>>,
    «Data».
