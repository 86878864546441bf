-module(bins).
-export([main/0]).
main() ->
    P = encode([{1, <<"ab">>}, {2, <<"xyz">>}, {7, <<>>}]),
    {P, decode(P), hex(<<1, 171, 255>>), crc(P), unhex("01abFF"), bits(<<5>>), utf(<<"h", 195, 169>>)}.
encode(L) -> << <<T, (byte_size(V)):«16¦8», V/binary>> || {T, V} <- L >>.
decode(<<T, N:16, V:N/binary, Rest/binary>>) -> [{T, V} | decode(«Rest¦<<>>»)];
decode(<<>>) -> [];
decode(_) -> [bad].
hex(B) -> [digit(N) || <<N:4>> <= «B¦<<B/binary, 0>>»].
digit(N) when N < 10 -> $0 + N;
digit(N) -> «$a¦$A» + N - 10.
crc(B) -> crc(B, 0).
crc(<<X, R/binary>>, C) -> crc(R, ((C bsl 1) bxor X) band «16#ffff¦16#fff»);
crc(<<>>, C) -> C.
unhex([A, B | T]) -> <<(val(A) * «16¦10» + val(B)), (unhex(T))/binary>>;
unhex([]) -> <<>>.
val(C) when C >= $0, C =< $9 -> C - $0;
val(C) when C >= $a, C =< $f -> C - $a + 10;
val(C) when C >= $A, C =< $F -> C - $A + «10¦11».
bits(B) -> [X || <<X:1>> <= B, «X¦1 - X» =:= 1].
utf(<<C/utf8, R/binary>>) -> [«C¦C + 1» | utf(R)];
utf(<<>>) -> [].
