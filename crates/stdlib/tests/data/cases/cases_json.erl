%% OTP 25 has no json: checked against known results and against itself.
-module(cases_json).
-export([checks/0, skipped/0]).

skipped() -> [FA || FA <- es_json:module_info(exports)].

checks() ->
    [{"decode", fun(Lib) -> all(fun decoded/2, decoding(), Lib(json)) end},
     {"encode", fun(Lib) -> all(fun encoded/2, encoding(), Lib(json)) end},
     {"format", fun(Lib) -> all(fun formatted/2, formatting(), Lib(json)) end},
     {"round trip", fun(Lib) -> round_trips(Lib(json)) end},
     {"pieces", fun(Lib) -> pieces(Lib(json)) end},
     {"decoders", fun(Lib) -> decoders(Lib(json)) end}].

all(Check, Cases, M) ->
    case [{Case, Got} || Case <- Cases, Got <- [Check(Case, M)], Got =/= element(2, Case)] of
        [] -> true;
        Wrong -> Wrong
    end.

decoded({Text, _}, M) -> try M:decode(Text) catch error:Reason -> {error, Reason} end.
encoded({Term, _}, M) -> try iolist_to_binary(M:encode(Term)) catch error:Reason -> {error, Reason} end.
formatted({Term, _}, M) -> iolist_to_binary(M:format(Term)).

decoding() ->
    [{<<"1">>, 1}, {<<" -12 ">>, -12}, {<<"0">>, 0}, {<<"-0">>, 0}, {<<"1.5">>, 1.5}, {<<"1e3">>, 1000.0}, {<<"1E+3">>, 1000.0},
     {<<"-2.5e-1">>, -0.25}, {<<"true">>, true}, {<<"false">>, false}, {<<"null">>, null}, {<<"\"\"">>, <<>>},
     {<<"\"a\\n\\u00e5\\\"\"">>, <<"a\n", 229/utf8, "\"">>}, {<<"\"\\ud83d\\ude00\"">>, <<16#1F600/utf8>>},
     {<<"[]">>, []}, {<<"[1,[2, \"x\"],{}]">>, [1, [2, <<"x">>], #{}]}, {<<"{\"a\":1,\"b\":[true]}">>, #{<<"a">> => 1, <<"b">> => [true]}},
     {<<"{\"a\":1,\"a\":2}">>, #{<<"a">> => 1}}, {<<>>, {error, unexpected_end}}, {<<"[1">>, {error, unexpected_end}},
     {<<"{\"a\"">>, {error, unexpected_end}}, {<<"\"a">>, {error, unexpected_end}}, {<<"tru">>, {error, unexpected_end}}, {<<"-">>, {error, unexpected_end}},
     {<<"1.">>, {error, unexpected_end}}, {<<"1 2">>, {error, {invalid_byte, $2}}}, {<<"[1,]">>, {error, {invalid_byte, $]}}},
     {<<"{a}">>, {error, {invalid_byte, $a}}}, {<<"01">>, {error, {invalid_byte, $1}}}, {<<"\"\n\"">>, {error, {invalid_byte, $\n}}},
     {<<"\"\\x\"">>, {error, {invalid_byte, $x}}}, {<<"\"", 255, "\"">>, {error, {invalid_byte, 255}}}, {<<"\"\\udc00\"">>, {error, {unexpected_sequence, <<"\\udc00">>}}},
     {<<"1e999">>, {error, {unexpected_sequence, <<"1e999">>}}}, {<<"[1}">>, {error, {invalid_byte, $}}}}, {<<"\"\\u+123\"">>, {error, {unexpected_sequence, <<"\\u+123">>}}}].

encoding() ->
    [{1, <<"1">>}, {1.5, <<"1.5">>}, {1.0e22, <<"1.0e22">>}, {true, <<"true">>}, {null, <<"null">>}, {foo, <<"\"foo\"">>}, {[], <<"[]">>}, {#{}, <<"{}">>},
     {[1, [a]], <<"[1,[\"a\"]]">>}, {#{a => 1, <<"b">> => null}, <<"{\"a\":1,\"b\":null}">>}, {#{1 => 2}, <<"{\"1\":2}">>},
     {<<"a\"\\\n", 1, 127, "/">>, <<"\"a\\\"\\\\\\n\\u0001", 127, "/\"">>}, {<<"å"/utf8>>, <<"\"å\""/utf8>>}, {{a}, {error, {unsupported_type, {a}}}},
     {<<255>>, {error, {invalid_byte, 255}}}, {<<195>>, {error, unexpected_end}}, {<<"a", 195, "b">>, {error, {invalid_byte, $b}}}].

formatting() ->
    [{#{foo => <<"bar">>, baz => 52}, <<"{\n  \"baz\": 52,\n  \"foo\": \"bar\"\n}\n">>}, {[], <<"[]\n">>}, {#{}, <<"{}\n">>}, {[1, 2, 3], <<"[1,2,3]\n">>},
     {#{a => 1}, <<"{ \"a\": 1 }\n">>}, {#{a => [1]}, <<"{\n  \"a\": [1]\n}\n">>}, {[<<"a">>, 1], <<"[\n  \"a\",\n  1\n]\n">>}].

round_trips(M) ->
    lists:all(fun(_) ->
        Term = term(3),
        Text = iolist_to_binary(M:encode(Term)),
        Escaped = iolist_to_binary(M:encode(Term, fun(B, _) when is_binary(B) -> M:encode_binary_escape_all(B); (T, E) -> M:encode_value(T, E) end)),
        Pretty = iolist_to_binary(M:format(Term, #{indent => rand:uniform(4), max => 20})),
        [] =:= [C || <<C>> <= Escaped, C > 127] andalso
        M:decode(Text) =:= Term andalso M:decode(Escaped) =:= Term andalso M:decode(Pretty) =:= Term
    end, lists:seq(1, 500)).

term(0) -> arb:pick([1, -7, 1.25, true, null, <<>>, <<"abc">>, <<"å€"/utf8, 16#1F600/utf8>>, <<"q\"\\\n", 3>>, [], #{}, 1 bsl 70]);
term(N) ->
    case rand:uniform(3) of
        1 -> term(0);
        2 -> [term(N - 1) || _ <- lists:seq(1, rand:uniform(4))];
        3 -> maps:from_list([{arb:one(arb:utf8()), term(N - 1)} || _ <- lists:seq(1, rand:uniform(4))])
    end.

%% The same result whatever the pieces are.
pieces(M) ->
    lists:all(fun(_) ->
        Term = term(3),
        Text = iolist_to_binary(M:format(Term)),
        feed(M, cut(Text), fun(First) -> M:decode_start(First, acc, #{}) end) =:= {Term, acc, <<>>}
    end, lists:seq(1, 300)).

cut(<<>>) -> [];
cut(Text) ->
    N = min(byte_size(Text), rand:uniform(5)),
    <<Piece:N/binary, Rest/binary>> = Text,
    [Piece | cut(Rest)].

feed(M, [Piece | Pieces], Step) ->
    case Step(Piece) of
        {continue, State} -> feed(M, Pieces, fun(Next) -> M:decode_continue(Next, State) end);
        {Value, Acc, Rest} -> {Value, Acc, <<(iolist_to_binary([Rest | [P || P <- Pieces, string:trim(P) =/= <<>>]]))/binary>>}
    end;
feed(_M, [], Step) -> Step(end_of_input).

decoders(M) ->
    {#{foo := 1}, ok, <<>>} = M:decode(<<"{\"foo\": 1}">>, ok, #{object_push => fun(K, V, A) -> [{binary_to_atom(K, utf8), V} | A] end}),
    {[undefined, <<"2">>, <<"1.5">>], 7, <<"x">>} =
        M:decode(<<"[null,2,1.5] x">>, 7, #{null => undefined, integer => fun(B) -> B end, float => fun(B) -> B end}),
    {continue, S} = M:decode_start(<<"{\"foo\":">>, ok, #{}),
    {#{<<"foo">> := 1}, ok, <<>>} = M:decode_continue(<<"1}">>, S),
    {continue, N} = M:decode_start(<<"123">>, ok, #{}),
    {123, ok, <<>>} = M:decode_continue(end_of_input, N),
    {1234, ok, <<"]">>} = M:decode_continue(<<"4]">>, N),
    <<"{\"a\":1}">> = iolist_to_binary(M:encode([{a, 1}], fun([{_, _} | _] = L, E) -> M:encode_key_value_list(L, E); (T, E) -> M:encode_value(T, E) end)),
    {'EXIT', {{duplicate_key, <<"a">>}, _}} = (catch M:encode_key_value_list_checked([{a, 1}, {<<"a">>, 2}], fun M:encode_value/2)),
    true.
