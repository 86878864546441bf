%% Comprehensions over and into binaries.
%% inputs: bytes(binary), pack(list(nat)), pixels(binary)
-module(binary_comprehensions).
-export([bytes/1, pack/1, pixels/1]).

bytes(Bin) ->
    List = [B || <<B>> <= Bin, B > 10],
    Sum = lists:sum(List),
    Inverted = << <<(255 - B)>> || <<B>> <= Bin >>,
    {Sum, byte_size(Inverted)}.

pack(L) ->
    Bin = << <<(X rem 256):16/little>> || X <- L >>,
    Back = [X || <<X:16/little>> <= Bin],
    Odd = << <<X>> || X <- Back, X rem 2 =:= 1 >>,
    {length(Back), Odd}.

pixels(Bin) ->
    Pixels = [{R, G, B} || <<R:8, G:8, B:8>> <= Bin],
    Reds = [R || {R, _, _} <- Pixels],
    Grey = << <<((R + G + B) div 3)>> || {R, G, B} <- Pixels >>,
    {Reds, Grey}.
