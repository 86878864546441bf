%% Bit syntax on the header of an internet packet.
-module(packets).
-export([main/0]).
main() ->
    Packet = <<4:4, 5:4, 0:8, 28:16, 1:16, 2:3, 0:13, 64:8, 17:8, 0:16, 10, 0, 0, 1, 10, 0, 0, 2, "data", 0, 1, 2, 3>>,
    io:format("~p~n", [parse(Packet)]),
    io:format("~p~n", [parse(<<6:4, 0:100>>)]),
    io:format("~p~n", [checksum(Packet, 0)]),
    io:format("~p~n", [[X || <<X:3/signed>> <= <<16#abcdef:24>>]]),
    io:format("~p~n", [<< <<X:16/little>> || X <- [1, 256, 65535] >>]),
    <<F:64/float, G:32/float-little, Rest/bits>> = <<1.5/float, 2.5:32/float-little, 5:3>>,
    {F, G, Rest}.

parse(<<4:4, Length:4, _:8, Total:16, Id:16, Flags:3, Offset:13, Ttl, Protocol, _:16, Source:4/binary, Target:4/binary,
        Rest/binary>> = Packet) when Length >= 5, byte_size(Packet) =:= Total ->
    Options = (Length - 5) * 4,
    <<Opts:Options/binary, Payload/binary>> = Rest,
    {ok, #{total => Total, id => Id, flags => Flags, offset => Offset, ttl => Ttl, protocol => Protocol,
           source => Source, target => Target, options => Opts, payload => Payload}};
parse(<<Version:4, _/bits>>) -> {error, {version, Version}};
parse(_) -> {error, short}.

checksum(<<Word:16, Rest/binary>>, Sum) -> checksum(Rest, Sum + Word);
checksum(<<>>, Sum) -> (Sum band 16#ffff) + (Sum bsr 16).
