-module(cases_unicode).
-export([cases/0, scripts/0, skipped/0]).

-import(arb, [list/2, elements/1, freq/1, nat/1, chardata/0, bytes/1]).

cases() ->
    Encoding = elements([latin1, unicode, utf8, utf16, utf32, {utf16, big}, {utf16, little}, {utf32, big}, {utf32, little}]),
    Wide = elements([unicode, utf8, utf16, utf32, {utf16, big}, {utf16, little}, {utf32, big}, {utf32, little}]),
    %% From UTF-32 to Latin-1 OTP fails where the text is incomplete.
    Narrow = elements([latin1, unicode, utf8, utf16, {utf16, big}, {utf16, little}]),
    Text = freq([{3, chardata()}, {1, bytes(6)}, {1, list(nat(300), 6)}, {1, list(elements([65, 255, 16#D800, 16#10FFFF, 16#110000]), 3)}]),
    [{bom_to_encoding, [freq([{2, elements([<<239, 187, 191, 1>>, <<0, 0, 254, 255>>, <<255, 254, 0, 0>>, <<254, 255, 7>>, <<255, 254>>])}, {1, bytes(4)}])]},
     {encoding_to_bom, [Encoding]}, {characters_to_binary, [Text]}, {characters_to_list, [Text]},
     {characters_to_binary, [fun() -> encoded(Encoding()) end, Encoding, Wide], [{wrong, 0}, {count, 1500}]},
     {characters_to_binary, [fun() -> encoded(Encoding()) end, Narrow, elements([latin1])], [{wrong, 0}]},
     {characters_to_binary, [Text, Encoding, Wide]}, {characters_to_binary, [Text, Narrow, elements([latin1])]},
     {characters_to_binary_int, [fun() -> encoded(Encoding()) end, Encoding], [{wrong, 0}]},
     {characters_to_list_int, [fun() -> encoded(Encoding()) end, Encoding], [{wrong, 0}]}]
    ++ [{F, [Text]} || F <- [characters_to_nfc_binary, characters_to_nfc_list, characters_to_nfd_binary, characters_to_nfd_list,
                             characters_to_nfkc_binary, characters_to_nfkc_list, characters_to_nfkd_binary, characters_to_nfkd_list]].

skipped() -> [].

%% Text in an encoding, cut in pieces and sometimes damaged.
encoded(Encoding) ->
    Chars = case Encoding of
                latin1 -> arb:one(list(nat(255), 8));
                _ -> arb:one(list(elements([65, 66, 229, 8364, 16#1F600, 16#FFFF]), 8))
            end,
    Whole = unicode:characters_to_binary(Chars, unicode, Encoding),
    Damaged = case rand:uniform(4) of
                  1 when byte_size(Whole) > 0 -> binary:part(Whole, 0, rand:uniform(byte_size(Whole)) - 1);
                  2 -> <<Whole/binary, (arb:one(bytes(3)))/binary>>;
                  _ -> Whole
              end,
    pieces(Damaged).

pieces(Bin) ->
    case rand:uniform(3) of
        1 -> Bin;
        2 ->
            N = rand:uniform(byte_size(Bin) + 1) - 1,
            <<A:N/binary, B/binary>> = Bin,
            arb:pick([[A, B], [A | B], [[A], [B]], [A, [], B], [A, <<>>, [B, 65]]]);
        3 -> [Bin, arb:pick([65, 300, <<>>, [], Bin])]
    end.

scripts() -> [].
