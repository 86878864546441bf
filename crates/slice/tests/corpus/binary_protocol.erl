%% Encoding and decoding of a small wire format.
%% inputs: round(nat, string, bool), stream(list(nat)), checksum(binary)
-module(binary_protocol).
-export([round/3, stream/1, checksum/1]).

-define(MAGIC, 16#CAFE).
-record(msg, {id, body, urgent = false}).

round(Id, Text, Urgent) ->
    Msg = #msg{id = Id rem 1000, body = list_to_binary(Text), urgent = Urgent},
    Bin = encode(Msg),
    {ok, Back, Rest} = decode(<<Bin/binary, 1, 2>>),
    #msg{id = I, body = B} = Back,
    {I, byte_size(B), Rest}.

encode(#msg{id = Id, body = Body, urgent = U}) ->
    Flag = case U of true -> 1; false -> 0 end,
    Len = byte_size(Body),
    <<?MAGIC:16, Flag:1, Id:15, Len:16, Body/binary>>.

decode(<<?MAGIC:16, Flag:1, Id:15, Len:16, Body:Len/binary, Rest/binary>>) ->
    {ok, #msg{id = Id, body = Body, urgent = Flag =:= 1}, Rest};
decode(<<?MAGIC:16, _/binary>> = Bin) ->
    {more, byte_size(Bin)};
decode(_) ->
    error.

stream(Ids) ->
    Bins = [encode(#msg{id = I rem 500, body = <<"x">>}) || I <- Ids],
    All = iolist_to_binary(Bins),
    decode_all(All, []).

decode_all(<<>>, Acc) -> lists:reverse(Acc);
decode_all(Bin, Acc) ->
    {ok, #msg{id = Id}, Rest} = decode(Bin),
    decode_all(Rest, [Id | Acc]).

checksum(Bin) ->
    Sum = sum(Bin, 0),
    Tail = case byte_size(Bin) of
        0 -> none;
        N -> binary:at(Bin, N - 1)
    end,
    {Sum band 255, Tail}.

sum(<<B, Rest/binary>>, Acc) -> sum(Rest, Acc + B);
sum(<<>>, Acc) -> Acc.
