%% Frames with lengths and sums, read from a stream with garbage in it.
%% inputs: run(binary, nat, list(binary))
-module(checked_frames).
-export([run/3]).
-define(MAGIC, 16#CAFE).

run(Bin, Seq, Parts) ->
    Frames = [encode(I, T, P) || {I, {T, P}} <- lists:zip(lists:seq(Seq, Seq + length(Parts)), [{1, Bin} | [{2, P} || P <- Parts]])],
    Stream = iolist_to_binary(Frames ++ [<<0, 1, 2>>]),
    {Good, Bad, Rest} = decode(Stream, [], 0),
    Bodies = [B || {_, _, B} <- Good],
    Types = [T || {_, T, _} <- Good],
    Seqs = [S || {S, _, _} <- Good],
    {Bodies, lists:sum(Types), Seqs, Bad, byte_size(Rest)}.

encode(Seq, Type, Body) ->
    Len = byte_size(Body),
    Sum = checksum(Body, 0),
    <<?MAGIC:16, Seq:8, Type:4, 0:4, Len:16/little, Body/binary, Sum:8>>.

decode(<<?MAGIC:16, Seq:8, Type:4, Flags:4, Len:16/little, Body:Len/binary, Sum:8, Rest/binary>>, Acc, Bad) ->
    case checksum(Body, 0) of
        Sum when Flags =:= 0 -> decode(Rest, [{Seq, Type, Body} | Acc], Bad);
        _ -> decode(Rest, Acc, Bad + 1)
    end;
decode(<<?MAGIC:16, _/binary>> = B, Acc, Bad) -> {lists:reverse(Acc), Bad, B};
decode(<<_, Rest/binary>>, Acc, Bad) -> decode(Rest, Acc, Bad + 1);
decode(<<>>, Acc, Bad) -> {lists:reverse(Acc), Bad, <<>>}.

checksum(<<X, Rest/binary>>, A) -> checksum(Rest, (A * 3 + X) band 255);
checksum(<<>>, A) -> A.
