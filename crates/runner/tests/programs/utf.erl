%% Text in binaries of every encoding.
-module(utf).
-export([main/0]).
main() ->
    Text = [$a, 228, 8364, 128512],
    [io:format("~w ~w~n", [E, encode(E, Text)]) || E <- [utf8, utf16, utf16_little, utf32]],
    [Text =:= decode(D, encode(D, Text)) || D <- [utf8, utf16, utf16_little, utf32]]
        ++ [(try encode(utf8, [16#d800]) catch error:E -> E end), bad(<<16#ff, 0>>), bad(<<16#c3, 16#a4>>)].

encode(utf8, Text) -> << <<C/utf8>> || C <- Text >>;
encode(utf16, Text) -> << <<C/utf16>> || C <- Text >>;
encode(utf16_little, Text) -> << <<C/utf16-little>> || C <- Text >>;
encode(utf32, Text) -> << <<C/utf32>> || C <- Text >>.

decode(utf8, B) -> [C || <<C/utf8>> <= B];
decode(utf16, B) -> [C || <<C/utf16>> <= B];
decode(utf16_little, B) -> [C || <<C/utf16-little>> <= B];
decode(utf32, B) -> [C || <<C/utf32>> <= B].

bad(<<C/utf8, _/binary>>) -> {code_point, C};
bad(_) -> no_text.
