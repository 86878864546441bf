%% How much a part of a binary keeps alive.
-module(parts_of_binaries).
-export([main/0]).

main() ->
    Whole = binary:copy(<<"0123456789">>, 100),
    Part = binary:part(Whole, 100, 700),
    <<_:50/binary, Rest/binary>> = Part,
    Copy = binary:copy(Rest),
    io:format("~p~n", [[{byte_size(B), binary:referenced_byte_size(B)} || B <- [Whole, Part, Rest, Copy]]]),
    io:format("~p~n", [binary:referenced_byte_size(element(2, split_binary(Whole, 400)))]),
    io:format("~p~n", [byte_size(queue(Whole, 2000))]).

%% Takes bytes from the front while others come at the end.
queue(Bytes, 0) -> Bytes;
queue(<<First, Rest/binary>>, N) -> queue(<<Rest/binary, First>>, N - 1).
