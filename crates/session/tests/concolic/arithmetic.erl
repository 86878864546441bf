%% Integers and floats.
-module(arithmetic).
-export([bug_equal/1, bug_linear/2, bug_product/2, bug_square/1, bug_div/1, bug_rem/1, bug_mod/1,
         bug_zero/1, bug_zero_later/2, bug_abs/1, bug_max/2, bug_chain/1, bug_big/1, bug_neg/1,
         bug_range/1, bug_two/2, bug_sum3/3, bug_diff/2, bug_band/1, bug_bor/1, bug_bxor/1,
         bug_bsl/1, bug_bsr/1, bug_bnot/1, bug_float/1, bug_float_sum/1, bug_float_tenth/1, bug_mixed/1, bug_round/1,
         bug_trunc/1, bug_loop/1, bug_digits/1, bug_gcd/2, safe_sign/1, safe_max/2, safe_clamp/1]).

-spec bug_equal(integer()) -> ok.
bug_equal(42) -> erlang:error(bug);
bug_equal(_) -> ok.

-spec bug_linear(integer(), integer()) -> ok.
bug_linear(X, Y) when 3 * X + 2 * Y =:= 100, X > Y -> erlang:error(bug);
bug_linear(_, _) -> ok.

-spec bug_product(integer(), integer()) -> ok.
bug_product(X, Y) when X > 1, Y > 1, X * Y =:= 77 -> erlang:error(bug);
bug_product(_, _) -> ok.

-spec bug_square(integer()) -> ok.
bug_square(X) ->
    case X * X of
        1369 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_div(integer()) -> ok.
bug_div(X) when X div 7 =:= 13 -> erlang:error(bug);
bug_div(_) -> ok.

-spec bug_rem(integer()) -> ok.
bug_rem(X) when X > 1000, X rem 17 =:= 5 -> erlang:error(bug);
bug_rem(_) -> ok.

-spec bug_mod(integer()) -> ok.
bug_mod(X) when X rem 2 =:= 1, X rem 3 =:= 2, X rem 5 =:= 4, X > 0 -> erlang:error(bug);
bug_mod(_) -> ok.

-spec bug_zero(integer()) -> integer().
bug_zero(X) ->
    try 100 div (X - 13)
    catch error:badarith -> erlang:error(bug)
    end.

-spec bug_zero_later(integer(), integer()) -> number().
bug_zero_later(X, Y) ->
    Z = X + 2 * Y,
    try 1 / (Z - 31)
    catch error:badarith -> erlang:error(bug)
    end.

-spec bug_abs(integer()) -> ok.
bug_abs(X) when X < 0, abs(X) =:= 55 -> erlang:error(bug);
bug_abs(_) -> ok.

-spec bug_max(integer(), integer()) -> ok.
bug_max(X, Y) ->
    case max(X, Y) - min(X, Y) of
        19 when X < Y -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_chain(integer()) -> ok.
bug_chain(X) ->
    A = X + 1,
    B = A * 2,
    C = B - 3,
    if C =:= 199 -> erlang:error(bug); true -> ok end.

-spec bug_big(integer()) -> ok.
bug_big(X) when X =:= 123456789012345678901234567890 -> erlang:error(bug);
bug_big(_) -> ok.

-spec bug_neg(integer()) -> ok.
bug_neg(X) when -X > 99, X > -101 -> erlang:error(bug);
bug_neg(_) -> ok.

-spec bug_range(integer()) -> ok.
bug_range(X) when X > 1000, X < 1002 -> erlang:error(bug);
bug_range(_) -> ok.

-spec bug_two(integer(), integer()) -> ok.
bug_two(X, Y) when X =:= Y + 10, X + Y =:= 30 -> erlang:error(bug);
bug_two(_, _) -> ok.

-spec bug_sum3(integer(), integer(), integer()) -> ok.
bug_sum3(X, Y, Z) when X < Y, Y < Z, X + Y + Z =:= 6, X > 0 -> erlang:error(bug);
bug_sum3(_, _, _) -> ok.

-spec bug_diff(integer(), integer()) -> ok.
bug_diff(X, Y) ->
    if
        X - Y > 10, X - Y < 12 -> erlang:error(bug);
        true -> ok
    end.

-spec bug_band(0..255) -> ok.
bug_band(X) when X band 16#F0 =:= 16#A0, X band 1 =:= 1 -> erlang:error(bug);
bug_band(_) -> ok.

-spec bug_bor(0..255) -> ok.
bug_bor(X) when X bor 3 =:= 67, X =/= 67 -> erlang:error(bug);
bug_bor(_) -> ok.

-spec bug_bxor(0..255) -> ok.
bug_bxor(X) when X bxor 16#5A =:= 16#FF -> erlang:error(bug);
bug_bxor(_) -> ok.

-spec bug_bsl(integer()) -> ok.
bug_bsl(X) when X bsl 3 =:= 328 -> erlang:error(bug);
bug_bsl(_) -> ok.

-spec bug_bsr(integer()) -> ok.
bug_bsr(X) when X > 0, X bsr 4 =:= 9, X rem 16 =:= 3 -> erlang:error(bug);
bug_bsr(_) -> ok.

-spec bug_bnot(integer()) -> ok.
bug_bnot(X) when bnot X =:= 41 -> erlang:error(bug);
bug_bnot(_) -> ok.

-spec bug_float(float()) -> ok.
bug_float(X) when X =:= 2.5 -> erlang:error(bug);
bug_float(_) -> ok.

-spec bug_float_sum(float()) -> ok.
bug_float_sum(X) when X + 0.5 =:= 3.25 -> erlang:error(bug);
bug_float_sum(_) -> ok.

-spec bug_float_tenth(float()) -> ok.
bug_float_tenth(X) when X + 0.1 =:= 0.3 -> erlang:error(bug);
bug_float_tenth(_) -> ok.

-spec bug_mixed(number()) -> ok.
bug_mixed(X) when is_float(X), X == 7 -> erlang:error(bug);
bug_mixed(_) -> ok.

-spec bug_round(float()) -> ok.
bug_round(X) ->
    case round(X) of
        12 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_trunc(float()) -> ok.
bug_trunc(X) ->
    case trunc(X) of
        -3 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_loop(integer()) -> ok.
bug_loop(N) when N >= 0, N < 10 -> count(N, 0);
bug_loop(_) -> ok.

count(0, 7) -> erlang:error(bug);
count(0, _) -> ok;
count(N, Acc) -> count(N - 1, Acc + 1).

-spec bug_digits(0..999) -> ok.
bug_digits(X) ->
    case {X div 100, X div 10 rem 10, X rem 10} of
        {4, 2, 7} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_gcd(1..50, 1..50) -> ok.
bug_gcd(X, Y) ->
    case gcd(X, Y) of
        5 when X < Y -> erlang:error(bug);
        _ -> ok
    end.

gcd(X, 0) -> X;
gcd(X, Y) -> gcd(Y, X rem Y).

-spec safe_sign(integer()) -> -1..1.
safe_sign(X) when X > 0 -> 1;
safe_sign(X) when X < 0 -> -1;
safe_sign(0) -> 0.

-spec safe_max(integer(), integer()) -> ok.
safe_max(X, Y) ->
    M = max(X, Y),
    case M >= X andalso M >= Y of
        true -> ok;
        false -> erlang:error(bug)
    end.

-spec safe_clamp(integer()) -> ok.
safe_clamp(X) ->
    Y = if X < 0 -> 0; X > 100 -> 100; true -> X end,
    if Y >= 0, Y =< 100 -> ok; true -> erlang:error(bug) end.
