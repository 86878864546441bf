%% Numbers whose bits, products or roundings decide.
-module(numbers_).
-export([bug_checksum/1, bug_sumbytes/1, bug_xorsum/1, bug_mix/1, bug_hash32/1, bug_poly/1,
         bug_square/1, bug_pyth/3, bug_factor/2, bug_vat/1, bug_rounded/1, bug_celsius/1,
         bug_divrem/1, bug_crt/1, bug_popcount/1, bug_luhn/1, bug_isbn/1, bug_shiftn/2,
         bug_flags/2, bug_ipv4/4, bug_leap/3, bug_isqrt/1, bug_power/2]).

-spec bug_checksum(binary()) -> ok | bad.
bug_checksum(<<Sum:8, Data:4/binary>>) ->
    case lists:sum(binary_to_list(Data)) band 16#FF of
        Sum when Sum =:= 77 -> erlang:error(bug);
        _ -> bad
    end;
bug_checksum(_) -> ok.

-spec bug_sumbytes(binary()) -> ok.
bug_sumbytes(B) when byte_size(B) =:= 3 ->
    case lists:sum([X || <<X>> <= B]) of
        700 -> erlang:error(bug);
        _ -> ok
    end;
bug_sumbytes(_) -> ok.

-spec bug_xorsum(binary()) -> ok.
bug_xorsum(<<A, B, C, D>>) ->
    case A bxor B bxor C bxor D of
        16#5A when A > B, B > C, C > D -> erlang:error(bug);
        _ -> ok
    end;
bug_xorsum(_) -> ok.

-spec bug_mix(0..16#FFFF) -> ok.
bug_mix(X) ->
    Y = (X bxor (X bsr 3)) band 16#FFFF,
    Z = (Y bor 16#0F) bxor (Y bsl 2),
    case Z band 16#FFFF of
        16#1D4B -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_hash32(0..16#FFFFFFFF) -> ok.
bug_hash32(X) ->
    H1 = X bxor (X bsr 16),
    H2 = (H1 * 16#45d9f3b) band 16#FFFFFFFF,
    H3 = H2 bxor (H2 bsr 16),
    case H3 of
        16#12345678 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_poly(integer()) -> ok.
bug_poly(X) when X * X * X - 6 * X * X + 11 * X =:= 6 + 24, X > 3 -> erlang:error(bug);
bug_poly(_) -> ok.

-spec bug_square(integer()) -> ok.
bug_square(X) when X * X =:= 1369 -> erlang:error(bug);
bug_square(_) -> ok.

-spec bug_pyth(pos_integer(), pos_integer(), pos_integer()) -> ok.
bug_pyth(A, B, C) when A < B, B < C, C < 40, A * A + B * B =:= C * C, A > 7 -> erlang:error(bug);
bug_pyth(_, _, _) -> ok.

-spec bug_factor(pos_integer(), pos_integer()) -> ok.
bug_factor(A, B) when A > 1, B > A, A * B =:= 10403 -> erlang:error(bug);
bug_factor(_, _) -> ok.

-spec bug_vat(integer()) -> ok.
bug_vat(Price) ->
    case trunc(Price * 1.19) of
        714 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_rounded(float()) -> ok.
bug_rounded(F) ->
    case round(F * 100) / 100 of
        3.14 when F > 3.142 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_celsius(number()) -> ok.
bug_celsius(F) ->
    C = (F - 32) * 5 / 9,
    if C > 36.6, C < 36.7 -> erlang:error(bug); true -> ok end.

-spec bug_divrem(non_neg_integer()) -> ok.
bug_divrem(N) ->
    H = N div 3600, M = N rem 3600 div 60, S = N rem 60,
    case {H, M, S} of
        {13, 37, 42} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_crt(pos_integer()) -> ok.
bug_crt(X) when X rem 7 =:= 3, X rem 11 =:= 5, X rem 13 =:= 9, X div 100 > 4 -> erlang:error(bug);
bug_crt(_) -> ok.

-spec bug_popcount(0..255) -> ok.
bug_popcount(X) ->
    case pop(X, 0) of
        7 when X band 1 =:= 0 -> erlang:error(bug);
        _ -> ok
    end.
pop(0, N) -> N;
pop(X, N) -> pop(X band (X - 1), N + 1).

-spec bug_luhn([0..9]) -> ok.
bug_luhn(L) when length(L) =:= 4 ->
    case luhn(lists:reverse(L), 1, 0) rem 10 of
        0 when hd(L) =:= 7 -> erlang:error(bug);
        _ -> ok
    end;
bug_luhn(_) -> ok.
luhn([], _, S) -> S;
luhn([D | T], 1, S) -> luhn(T, 2, S + D);
luhn([D | T], 2, S) ->
    V = D * 2,
    luhn(T, 1, S + case V > 9 of true -> V - 9; false -> V end).

-spec bug_isbn([0..9]) -> ok.
bug_isbn([A, B, C, D]) ->
    case (A * 1 + B * 2 + C * 3 + D * 4) rem 11 of
        7 when A > 5, B < A, C =:= B + 1, D > 8 -> erlang:error(bug);
        _ -> ok
    end;
bug_isbn(_) -> ok.

-spec bug_shiftn(0..255, 0..7) -> ok.
bug_shiftn(X, N) when X bsl N =:= 2944 -> erlang:error(bug);
bug_shiftn(_, _) -> ok.

-spec bug_flags(0..15, 0..15) -> ok.
bug_flags(A, B) when A band B =:= 4, A bor B =:= 15, A bxor B =:= 11, A > B -> erlang:error(bug);
bug_flags(_, _) -> ok.

-spec bug_ipv4(0..255, 0..255, 0..255, 0..255) -> ok.
bug_ipv4(A, B, C, D) ->
    N = (A bsl 24) bor (B bsl 16) bor (C bsl 8) bor D,
    case N band 16#FFFFF000 of
        16#AC101000 when D =:= 9, N band 16#F00 =:= 16#500 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_leap(1900..2100, 1..12, 1..31) -> ok.
bug_leap(Y, M, D) ->
    case calendar:valid_date(Y, M, D) of
        true when M =:= 2, D =:= 29, Y rem 25 =:= 0 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_isqrt(non_neg_integer()) -> ok.
bug_isqrt(N) -> case math:sqrt(N) of 12.0 -> erlang:error(bug); _ -> ok end.

-spec bug_power(integer(), 0..6) -> ok.
bug_power(B, E) -> case pw(B, E) of 243 -> erlang:error(bug); _ -> ok end.
pw(_, 0) -> 1;
pw(B, E) -> B * pw(B, E - 1).
