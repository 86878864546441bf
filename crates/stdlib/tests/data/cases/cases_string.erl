-module(cases_string).
-export([cases/0]).

-import(arb, [list/1, list/2, key/0, int/2, nat/0, const/1, elements/1, freq/1, string/0, utf8/0, ascii/0,
              chardata/0, char/0, bool/0]).

cases() ->
    flat(freq([{2, string()}, {2, utf8()}, {1, ascii()}])) ++ deep(fun nested/0) ++ obsolete().

%% Text that is a flat list or a binary: the results must be identical.
flat(T) ->
    Seps = freq([{2, list(elements("ab ,\n\t"), 3)}, {1, list(char(), 3)},
                 {1, list(elements([[$\r, $\n], $\n, [$e, 16#301], $\s, "a"]), 3)}]),
    Pattern = freq([{2, list(elements("abcd ,"), 2)}, {1, list(char(), 2)},
                    {1, fun() -> unicode:characters_to_binary((list(elements("abX, "), 2))()) end}]),
    Dir = elements([leading, trailing]),
    All = elements([leading, trailing, all]),
    Pair = fun() -> S = T(), arb:pick([S, T(), string:uppercase(S), unicode:characters_to_list(S)]) end,
    E = [any_error],
    [{casefold, [T], E}, {chomp, [T], E}, {equal, [Pair, Pair], E}, {equal, [Pair, Pair, bool()], E},
     {equal, [Pair, Pair, bool(), elements([none, nfc, nfd, nfkc, nfkd])], E},
     {find, [T, Pattern], E}, {find, [T, Pattern, Dir], E}, {is_empty, [T]}, {length, [T], E},
     {lexemes, [T, Seps], E}, {lowercase, [T], E}, {next_codepoint, [T]}, {next_grapheme, [T]},
     {nth_lexeme, [T, int(1, 3), fun() -> [$x | Seps()] end], [any_error, {wrong, 0}]}, {pad, [T, nat()], E}, {pad, [T, nat(), All], E},
     {pad, [T, nat(), elements([leading, trailing, both]), char()], E}, {prefix, [T, Pattern], E},
     {replace, [T, Pattern, const("XX")], E}, {replace, [T, Pattern, const("XX"), All], E}, {reverse, [T], E},
     {slice, [T, nat()], [as_text, any_error]}, {slice, [T, nat(), freq([{4, nat()}, {1, const(infinity)}])], [as_text, any_error]},
     {split, [T, Pattern], E}, {split, [T, Pattern, All], E}, {take, [T, Seps], E},
     {take, [T, Seps, bool()], E}, {take, [T, Seps, bool(), Dir], E}, {titlecase, [T], E},
     {to_float, [number_text()], E}, {to_graphemes, [T], E}, {to_integer, [number_text()], E}, {trim, [T], E},
     {trim, [T, Dir], E}, {trim, [T, elements([leading, trailing, both]), Seps], E}, {uppercase, [T], E}].

%% Nested text, without the clusters on which OTP's functions fail.
nested() ->
    Plain = list(elements([$a, $b, $c, $d, $\s, $,, $\n, $X, 229]), 6),
    [arb:one(freq([{2, Plain}, {2, fun() -> unicode:characters_to_binary(Plain()) end}, {1, elements("ab")},
                   {1, fun() -> [Plain(), $x] end}, {1, const([])}]))
     || _ <- lists:seq(1, rand:uniform(4))].

%% Nested text: the results must be the same text.
deep(T) ->
    [{F, Args, [{as_text, true}, any_error, {wrong, 0}]}
     || {F, [_ | Rest], _} <- flat(T), F =/= is_empty, F =/= equal, F =/= to_integer, F =/= to_float,
        F =/= nth_lexeme, F =/= pad,
        Args <- [[T | Rest]]].

number_text() ->
    Number = freq([{3, list(elements("+-0123456789eE.,"), 6)}, {2, elements(["12", "-3.5e2", "1.0", "+7", "1e5", "1,5"])}]),
    fun() ->
        Text = arb:one(Number) ++ arb:one(list(elements("abc 1"), 3)),
        case rand:uniform(3) of
            1 -> list_to_binary(Text);
            _ -> Text
        end
    end.

obsolete() ->
    S = list(elements("aab  c"), 10),
    C = elements("abc "),
    L = freq([{5, nat()}, {1, int(-3, 15)}]),
    Latin = list(int(0, 300), 12),
    Way = elements([left, right, both]),
    [{centre, [S, L]}, {centre, [S, L, C]}, {chars, [C, nat()], [{wrong, 0}]}, {chars, [C, nat(), S], [{wrong, 0}]},
     {chr, [S, C]}, {concat, [S, S]},
     {copies, [S, L]}, {cspan, [S, list(C, 2)]}, {join, [list(S, 4), S]}, {left, [S, L]}, {left, [S, L, C]},
     {len, [S]}, {rchr, [S, C]}, {right, [S, L]}, {right, [S, L, C]}, {rstr, [S, list(C, 2)]},
     {span, [S, list(C, 2)]}, {str, [S, list(C, 2)]}, {strip, [S]}, {strip, [S, Way]}, {strip, [S, Way, C]},
     {sub_string, [S, int(0, 8)]}, {sub_string, [S, int(0, 8), int(0, 8)]}, {sub_word, [S, int(-1, 4)]},
     {sub_word, [S, int(-1, 4), C]}, {substr, [S, int(0, 8)]}, {substr, [S, int(0, 8), int(-1, 8)]},
     {to_lower, [Latin]}, {to_lower, [int(0, 300)]}, {to_upper, [Latin]}, {to_upper, [int(0, 300)]},
     {tokens, [S, list(C, 2)]}, {words, [S]}, {words, [S, C]}].
