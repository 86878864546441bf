%% Pairs of bytes go round a loop; of each the second is asked for.
-module(binary_loop).
-export([f/1]).

f(L) ->
    Bin = << <<‹K›:8, V:8>> || {‹K›, V} <- L >>,
    sum(Bin, 0, ‹0›).

sum(<<‹K›:8, V:8, Rest/binary>>, Sum, ‹Keys›) ->
    sum(Rest, Sum + V, ‹Keys + K›);
sum(<<>>, Sum, ‹_Keys›) ->
    «Sum».
