-module(cases_base64).
-export([cases/0, checks/0, skipped/0]).

-import(arb, [list/2, elements/1, freq/1, bytes/1, nat/1, compose/2]).

cases() ->
    Data = freq([{1, bytes(20)}, {1, list(nat(255), 20)}]),
    Good = compose(fun base64:encode/1, bytes(20)),
    Text = freq([{4, Good}, {2, compose(fun binary_to_list/1, Good)}, {2, fun() -> broken(Good()) end},
                 {1, list(elements("ABCabc012+/= \n=-_!"), 9)}]),
    [{encode, [Data], [any_error]}, {encode_to_string, [Data], [any_error]}, {decode, [Text]}, {decode_to_string, [Text], [any_error]},
     {mime_decode, [Text]}, {mime_decode_to_string, [Text], [any_error]}].

broken(Text) ->
    Chars = binary_to_list(Text),
    {A, B} = lists:split(rand:uniform(length(Chars) + 1) - 1, Chars),
    A ++ arb:pick(["!", " ", "\r\n", "=", "\0", "-", "aa"]) ++ B.

%% Of OTP 26, see checks/0.
skipped() ->
    [{F, 2} || F <- [encode, encode_to_string, decode, decode_to_string, mime_decode, mime_decode_to_string]].

checks() ->
    [{"options of OTP 26", fun(Lib) ->
         M = Lib(base64),
         <<"_-8">> =:= M:encode(<<255, 239>>, #{mode => urlsafe, padding => false}) andalso
         <<"/+8=">> =:= M:encode(<<255, 239>>, #{}) andalso
         <<255, 239>> =:= M:decode("_-8", #{mode => urlsafe, padding => false}) andalso
         <<255, 239>> =:= M:decode("_-8=", #{mode => urlsafe})
     end}].
