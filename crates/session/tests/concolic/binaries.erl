%% Binaries and bit strings.
-module(binaries).
-export([half_read/1, half_written/1, half_computed/2, bug_literal/1, bug_byte/1, bug_header/1, bug_length_field/1, bug_size/1, bug_bits/1,
         bug_little/1, bug_signed/1, bug_rest/1, bug_utf8/1, bug_build/2, bug_to_list/1,
         bug_bit_size/1, bug_odd/1, bug_loop/1, bug_checksum/1, bug_magic/1, bug_nibbles/1,
         safe_rebuild/1]).

-spec bug_literal(binary()) -> ok.
bug_literal(<<"bug">>) -> erlang:error(bug);
bug_literal(_) -> ok.

-spec bug_byte(binary()) -> ok.
bug_byte(<<X, _/binary>>) when X > 200, X < 202 -> erlang:error(bug);
bug_byte(_) -> ok.

-spec bug_header(binary()) -> ok.
bug_header(<<1:4, V:4, N:16, _/binary>>) when V =:= 3, N =:= 1000 -> erlang:error(bug);
bug_header(_) -> ok.

-spec bug_length_field(binary()) -> ok.
bug_length_field(<<2, A, B, 9>>) when A + B =:= 100 -> erlang:error(bug);
bug_length_field(_) -> ok.

-spec bug_size(binary()) -> ok.
bug_size(B) when byte_size(B) =:= 5 -> erlang:error(bug);
bug_size(_) -> ok.

-spec bug_bits(bitstring()) -> ok.
bug_bits(<<5:3, _:2>>) -> erlang:error(bug);
bug_bits(_) -> ok.

-spec bug_little(binary()) -> ok.
bug_little(<<X:16/little>>) when X =:= 513 -> erlang:error(bug);
bug_little(_) -> ok.

-spec bug_signed(binary()) -> ok.
bug_signed(<<X/signed>>) when X =:= -5 -> erlang:error(bug);
bug_signed(_) -> ok.

-spec bug_rest(binary()) -> ok.
bug_rest(<<_, Rest/binary>>) when Rest =:= <<7, 7>> -> erlang:error(bug);
bug_rest(_) -> ok.

-spec bug_utf8(binary()) -> ok.
bug_utf8(<<X/utf8>>) when X =:= 955 -> erlang:error(bug);
bug_utf8(_) -> ok.

-spec bug_build(byte(), byte()) -> ok.
bug_build(X, Y) ->
    case <<X, Y>> of
        <<258:16>> -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_to_list(binary()) -> ok.
bug_to_list(B) when byte_size(B) =:= 2 ->
    case binary_to_list(B) of "ok" -> erlang:error(bug); _ -> ok end;
bug_to_list(_) -> ok.

-spec bug_bit_size(bitstring()) -> ok.
bug_bit_size(B) when bit_size(B) =:= 11 -> erlang:error(bug);
bug_bit_size(_) -> ok.

-spec bug_odd(bitstring()) -> ok.
bug_odd(B) when is_bitstring(B), not is_binary(B), bit_size(B) > 8 -> erlang:error(bug);
bug_odd(_) -> ok.

-spec bug_loop(binary()) -> ok.
bug_loop(B) when byte_size(B) < 4 -> loop(B, 0);
bug_loop(_) -> ok.

loop(<<X, R/binary>>, Acc) -> loop(R, Acc + X);
loop(<<>>, 300) -> erlang:error(bug);
loop(<<>>, _) -> ok.

-spec bug_checksum(binary()) -> ok.
bug_checksum(<<A, B, C>>) when (A + B) rem 256 =:= C, A =:= 200, B > 100 -> erlang:error(bug);
bug_checksum(_) -> ok.

-spec bug_magic(binary()) -> ok.
bug_magic(<<16#CAFE:16, V, _/binary>>) when V >= 3 -> erlang:error(bug);
bug_magic(_) -> ok.

-spec bug_nibbles(binary()) -> ok.
bug_nibbles(<<A:4, B:4>>) when A =:= 2 * B, A > 8 -> erlang:error(bug);
bug_nibbles(_) -> ok.

-spec safe_rebuild(binary()) -> ok.
safe_rebuild(<<X, Y>>) ->
    case <<X, Y>> of
        <<X, Y>> -> ok;
        _ -> erlang:error(bug)
    end;
safe_rebuild(_) -> ok.

-spec half_read(binary()) -> ok.
half_read(<<F:16/float>>) when F =:= 1.5 -> erlang:error(bug);
half_read(_) -> ok.

-spec half_written(float()) -> ok.
half_written(F) ->
    case <<F:16/float>> of
        <<1, _>> -> erlang:error(bug);
        _ -> ok
    end.

-spec half_computed(binary(), 0..64) -> ok.
half_computed(B, N) ->
    case B of
        <<F:N/float>> when F > 1.0 -> erlang:error(bug);
        _ -> ok
    end.
