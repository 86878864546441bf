-module(packet).
%% Frames with a magic number, a length and a checksum.
-export([main/1]).
-spec main(binary()) -> term().
main(<<16#CAFE:16, 1, Rest/binary>>) -> body(Rest);
main(<<16#CAFE:16, 2, Rest/binary>>) -> {new, byte_size(Rest)};
main(<<16#CAFE:16, V, _/binary>>) -> {version, V};
main(<<16#CAFE:16>>) -> short;
main(_) -> noise.

body(<<Len, Payload:Len/binary, Sum, Rest/binary>>) ->
    case lists:sum(binary_to_list(Payload)) rem 256 of
        Sum when Rest =:= <<>>, Len > 0 -> {ok, Payload};
        Sum when Len > 0 -> {more, Rest};
        Sum -> ping;
        _ -> bad_sum
    end;
body(<<Len, _/binary>>) when Len > 200 -> too_long;
body(_) -> truncated.
