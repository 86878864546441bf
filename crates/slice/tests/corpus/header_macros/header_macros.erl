%% Clauses that end with code of macros from a header.
%% inputs: level(int), digits(nat), pick(any), bytes(nat, nat), fields(nat, list(nat))
-module(header_macros).
-export([level/1, digits/1, pick/1, bytes/2, fields/2]).
-include("header_macros.hrl").

level(X) when X rem 2 =:= 0 -> ?CLAMP(X);
level(X) ->
    Y = X * 30,
    ?CLAMP(Y).

digits(N) -> digits(N rem 30, []).

digits(0, Acc) -> Acc;
digits(K, Acc) -> ?NEXT(digits, K, Acc).

pick(X) ->
    R = case X of
        [H | _] -> {first, H};
        N when is_integer(N), N > ?LIMIT -> ?LIMIT;
        _ -> ?LIMIT
    end,
    F = fun(0) -> ?LIMIT; (Z) -> {Z, ?LIMIT} end,
    S = try F(R) of
        {V, _} -> V;
        _ -> ?LIMIT
    catch
        _:_ -> ?LIMIT
    end,
    {R, S}.

bytes(A, B) ->
    Bin = <<?BYTE(A), ?BYTE(B), A:8>>,
    <<X:8, ?BYTE(Y), Z:?LIMIT/unit:1, _/bits>> = <<Bin/binary, 0>>,
    {X, Y, Z}.

fields(A, L) ->
    M = #{?AGE(A), name => L},
    #{age := B} = M,
    Up = [E + B || E <- L, E > 1],
    Sum = lists:sum(Up),
    {B, Sum}.
