-module(cases_binary).
-export([cases/0]).

-import(arb, [list/2, elements/1, freq/1, int/2, tuple/1, const/1, bytes/1, compose/2]).

cases() ->
    B = freq([{3, compose(fun list_to_binary/1, list(elements("abab"), 12))}, {1, bytes(12)}]),
    Hex = freq([{3, compose(fun binary:encode_hex/1, bytes(6))}, {1, compose(fun list_to_binary/1, list(elements("0aFfg"), 6))}]),
    Pattern = freq([{2, elements([<<"a">>, <<"b">>, <<"ab">>, <<>>])}, {1, elements([[<<"a">>, <<"ba">>], []])}]),
    Replacement = elements([<<>>, <<"xy">>, <<"-">>]),
    Option = freq([{2, const(global)}, {1, tuple([const(scope), tuple([int(0, 6), int(-3, 6)])])},
                   {2, tuple([const(insert_replaced), freq([{2, int(0, 2)}, {1, list(int(0, 3), 2)}])])}, {1, const(foo)}]),
    [{bin_to_list, [B]}, {bin_to_list, [B, tuple([int(-1, 8), int(-4, 8)])]}, {bin_to_list, [B, int(-1, 8), int(-4, 8)]},
     {encode_hex, [B]}, {decode_hex, [Hex], [any_error]}, {replace, [B, Pattern, Replacement]},
     {replace, [B, Pattern, Replacement, list(Option, 3)]}].
