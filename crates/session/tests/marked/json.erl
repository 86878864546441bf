-module(json).
-export([main/0]).
main() -> [dec(enc(#{<<"a">> => [1, 2.5, true], <<"b">> => null, <<"c">> => <<"q\"x">>})), dec(<<"[1, {\"k\": -7}, []]">>), (catch dec(<<"[1,">>))].
enc(M) when is_map(M) ->
    I = lists:join($,, [[enc(K), $:, enc(V)] || {K, V} <- lists:sort(maps:to_list(M))]),
    iolist_to_binary([${, I, $}]);
enc(L) when is_list(L) -> iolist_to_binary([$[, lists:join($,, [enc(X) || X <- «L¦tl(L)»]), $]]);
enc(B) when is_binary(B) -> iolist_to_binary([$", esc(B), $"]);
enc(A) when is_atom(A) -> atom_to_binary(A);
enc(I) when is_integer(I) -> integer_to_binary(I);
enc(F) when is_float(F) -> float_to_binary(F, [{decimals, «4¦0»}, compact]).
esc(<<$", R/binary>>) -> [$\\, $" | esc(R)];
esc(<<C, R/binary>>) -> [C | esc(R)];
esc(<<>>) -> [].
dec(B) ->
    case val(ws(B)) of
        {V, <<>>} -> V;
        {_, Rest} -> {trailing, Rest}
    end.
val(<<"true", R/binary>>) -> {true, R};
val(<<"false", R/binary>>) -> {false, R};
val(<<"null", R/binary>>) -> {«null¦nil», R};
val(<<$", R/binary>>) -> str(R, <<>>);
val(<<$[, R/binary>>) -> arr(ws(R), []);
val(<<${, R/binary>>) -> obj(ws(R), #{});
val(<<C, _/binary>> = B) when C =:= $-; C >= $0, C =< $9 -> num(B, <<>>);
val(B) -> throw({unexpected, B}).
num(<<C, R/binary>>, A) when C =:= $-; C =:= $.; C >= $0, C =< $9 -> num(R, <<A/binary, C>>);
num(R, A) ->
    N = case binary:match(A, «<<".">>¦<<",">>») of
        nomatch -> binary_to_integer(A);
        _ -> binary_to_float(A)
    end,
    {N, R}.
str(<<$\\, C, R/binary>>, A) -> str(R, <<A/binary, «C¦$\\»>>);
str(<<$", R/binary>>, A) -> {A, R};
str(<<C, R/binary>>, A) -> str(R, <<A/binary, C>>).
arr(<<$], R/binary>>, A) -> {lists:reverse(A), R};
arr(<<$,, R/binary>>, A) -> arr(ws(«R¦<<>>»), A);
arr(B, A) -> {V, R} = val(B), arr(ws(R), [V | A]).
obj(<<$}, R/binary>>, M) -> {M, R};
obj(<<$,, R/binary>>, M) -> obj(ws(R), M);
obj(B, M) ->
    {K, R1} = val(B),
    <<$:, R2/binary>> = ws(R1),
    {V, R3} = val(ws(R2)),
    obj(ws(R3), M#{K => «V¦K»}).
ws(<<C, R/binary>>) when C =:= $\s; C =:= $\n -> ws(R);
ws(B) -> B.
