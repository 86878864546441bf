%% Hash functions, rotations, formulas, small algorithms.
-module(mixed_).
-export([bug_dec/1, bug_secs/1, bug_djb/1, bug_fnv/2, bug_lfsr/1, bug_gray/1, bug_rot/1,
         bug_rev8/1, bug_tri/3, bug_disc/3, bug_modpow/1, bug_amort/1, bug_bmi/2, bug_stat/1,
         bug_maxsub/1, bug_bsearch/1, bug_matrix/1]).

-spec bug_dec(binary()) -> ok.
bug_dec(B) when byte_size(B) =:= 3 -> case binary:decode_unsigned(B) of 66051 -> erlang:error(bug); _ -> ok end;
bug_dec(_) -> ok.

-spec bug_secs(0..86399) -> ok.
bug_secs(S) -> case calendar:seconds_to_time(S) of {23, 5, 7} -> erlang:error(bug); _ -> ok end.

-spec bug_djb(string()) -> ok.
bug_djb(S) when length(S) =:= 2 ->
    case lists:foldl(fun(C, H) -> (H * 33 + C) band 16#FFFFFFFF end, 5381, S) of
        5863208 -> erlang:error(bug);
        _ -> ok
    end;
bug_djb(_) -> ok.

-spec bug_fnv(0..255, 0..255) -> ok.
bug_fnv(A, B) ->
    H1 = ((16#811c9dc5 bxor A) * 16#01000193) band 16#FFFFFFFF,
    H2 = ((H1 bxor B) * 16#01000193) band 16#FFFFFFFF,
    case H2 band 16#FFFF of 16#1234 -> erlang:error(bug); _ -> ok end.

-spec bug_lfsr(1..65535) -> ok.
bug_lfsr(S) ->
    case lf(S, 8) of 16#BEEF -> erlang:error(bug); _ -> ok end.
lf(S, 0) -> S;
lf(S, N) ->
    Bit = (S bxor (S bsr 2) bxor (S bsr 3) bxor (S bsr 5)) band 1,
    lf((S bsr 1) bor (Bit bsl 15), N - 1).

-spec bug_gray(0..1023) -> ok.
bug_gray(N) -> case N bxor (N bsr 1) of 614 -> erlang:error(bug); _ -> ok end.

-spec bug_rot(0..255) -> ok.
bug_rot(X) -> case ((X bsl 3) bor (X bsr 5)) band 255 of 16#A7 -> erlang:error(bug); _ -> ok end.

-spec bug_rev8(0..255) -> ok.
bug_rev8(X) ->
    A = ((X band 16#F0) bsr 4) bor ((X band 16#0F) bsl 4),
    B = ((A band 16#CC) bsr 2) bor ((A band 16#33) bsl 2),
    C = ((B band 16#AA) bsr 1) bor ((B band 16#55) bsl 1),
    case C of 16#2D -> erlang:error(bug); _ -> ok end.

-spec bug_tri(pos_integer(), pos_integer(), pos_integer()) -> ok.
bug_tri(A, B, C) when A + B > C, A + C > B, B + C > A, A =:= B, B =/= C, A + B + C =:= 31, C * C > A * A -> erlang:error(bug);
bug_tri(_, _, _) -> ok.

-spec bug_disc(integer(), integer(), integer()) -> ok.
bug_disc(A, B, C) when A > 0, B > 5, C > 0, B * B - 4 * A * C =:= 0, A =/= C -> erlang:error(bug);
bug_disc(_, _, _) -> ok.

-spec bug_modpow(1..50) -> ok.
bug_modpow(X) -> case X * X * X rem 101 of 17 -> erlang:error(bug); _ -> ok end.

-spec bug_amort(float()) -> ok.
bug_amort(R) when R > 0.0, R < 1.0 ->
    X = 1000.0 * (1.0 + R) * (1.0 + R),
    if X > 1210.0, X < 1210.5 -> erlang:error(bug); true -> ok end;
bug_amort(_) -> ok.

-spec bug_bmi(float(), float()) -> ok.
bug_bmi(W, H) when W > 0.0, H > 0.5, H < 2.5 ->
    B = W / (H * H),
    if B > 24.9, B < 25.0, W > 70.0 -> erlang:error(bug); true -> ok end;
bug_bmi(_, _) -> ok.

-spec bug_stat([integer()]) -> ok.
bug_stat(L) when length(L) =:= 3 ->
    S = lists:sum(L), M = S / 3,
    case lists:max(L) - lists:min(L) of
        10 when M =:= 5.0 -> erlang:error(bug);
        _ -> ok
    end;
bug_stat(_) -> ok.

-spec bug_maxsub([integer()]) -> ok.
bug_maxsub(L) when length(L) =:= 4 ->
    case kad(L, 0, 0) of
        9 when hd(L) < 0 -> erlang:error(bug);
        _ -> ok
    end;
bug_maxsub(_) -> ok.
kad([], _, M) -> M;
kad([X | T], C, M) -> C1 = max(0, C + X), kad(T, C1, max(M, C1)).

-spec bug_bsearch(integer()) -> ok.
bug_bsearch(K) ->
    T = {2, 3, 5, 7, 11, 13, 17, 19},
    case bs(K, T, 1, 8) of 6 -> erlang:error(bug); _ -> ok end.
bs(_, _, L, H) when L > H -> none;
bs(K, T, L, H) ->
    M = (L + H) div 2,
    case element(M, T) of
        K -> M;
        V when V < K -> bs(K, T, M + 1, H);
        _ -> bs(K, T, L, M - 1)
    end.

-spec bug_matrix([[integer()]]) -> ok.
bug_matrix([[A, B], [C, D]]) when A * D - B * C =:= 1, A + D =:= 5, B > 1, C > 0 -> erlang:error(bug);
bug_matrix(_) -> ok.
