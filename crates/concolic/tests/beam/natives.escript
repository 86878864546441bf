#!/usr/bin/env escript
%% Natives that run as Erlang code where unknown values are followed, against those of the BEAM: the
%% same value, or the same class and reason. What falls back on the native itself is not counted.
%% Prints `differ:` lines, and how many calls were compared.

main([Source]) ->
    {ok, Module, Code} = compile:file(Source, [binary]),
    {module, Module} = code:load_binary(Module, Source, Code),
    [compare(Module, M, F, Args) || {M, F, Args} <- calls()],
    io:format("compared ~p~n", [get(compared)]).

texts() ->
    ["", "a", "abc", "12", "-5", "+7x", "-", "+", "--1", "1-2", "12-3x", "1.5", "12,3", [$1 | a], a,
     <<"ab">>, <<>>, <<"12">>, [$a, <<"b">>], [[$a], $b], "\r\n", "a\r\nb", "\n\r", [$1, 16#301],
     [$a, 16#301, $b], [$-, $1, [$2]], [$-, a], [-1], [16#D800], [300, $a], "Abz", [1.0], [$1, []],
     "ff", "FF", "-Ff", "zz", [$1 | <<"2">>], <<255>>, <<"a", 255>>, [16#10ffff], [16#110000],
     [$1, 16#e9], "5/6", "5+6", "3 "].

binaries() -> [<<>>, <<"a">>, <<"abc">>, <<1, 2, 3>>, <<"aXaX">>, <<0, 255>>, <<1:3>>, a].

numbers() -> [0, 1, -1, 15, 16, 255, -255, 123456789012345678901234567890, 1.5, a].

lists() ->
    [[], [1], [3, 1, 2], [{1, a}, {1, b}, {0, c}], [[1], [2, [3]]], [1 | 2], a, [1, 1.0, 1],
     [{2, x}, {2.0, y}, {1, z}]].

calls() -> calls_of_texts() ++ calls_of_binaries() ++ calls_of_numbers() ++ calls_of_lists().

calls_of_texts() ->
    [{M, F, [X]} || {M, F} <- [{unicode_util, cp}, {unicode_util, gc}, {unicode_util, uppercase},
                               {unicode_util, lowercase}, {unicode_util, casefold},
                               {unicode, characters_to_list}, {unicode, characters_to_binary},
                               {string, list_to_integer}, {string, to_integer}],
                    X <- texts() ++ binaries()] ++
    [{io_lib, F, [Format, Args]}
     || F <- [format, fwrite],
        Format <- ["~b", "x~sy", "~ts", "~c~n", "~~", "~5b", "~w", "~", a, <<"~b">>],
        Args <- [[1], ["ab"], [ab], [<<"a">>], [], [1, 2], [300], [[300]], ['\x{e9}'], [$a], a]].

calls_of_binaries() ->
    [{binary, F, [X]} || F <- [bin_to_list, list_to_bin, copy, decode_unsigned],
                         X <- binaries() ++ texts()] ++
    [{binary, copy, [X, N]} || X <- binaries(), N <- [0, 1, 3, -1, a]] ++
    [{binary, decode_unsigned, [X, E]} || X <- binaries(), E <- [big, little, b]] ++
    [{binary, replace, [X, P, <<"yz">>]}
     || X <- binaries(), P <- [<<"a">>, <<"X">>, [<<"a">>, <<"X">>], <<>>, a]] ++
    [{binary, replace, [X, P, R, Options]}
     || X <- binaries(), P <- [<<"a">>, <<"X">>], R <- [<<>>, <<"q">>, b],
        Options <- [[global], [], [{scope, {0, 1}}], [foo], [{insert_replaced, 0}], x]] ++
    [{erlang, F, [X]} || F <- [list_to_binary, iolist_to_binary, iolist_size],
                         X <- lists() ++ texts() ++ binaries()].

calls_of_numbers() ->
    [{erlang, F, [X, B]} || F <- [integer_to_list, integer_to_binary], X <- numbers(),
                            B <- [2, 10, 16, 36, 37, 1, a]] ++
    [{erlang, F, [X, B]} || F <- [list_to_integer, binary_to_integer], X <- texts() ++ binaries(),
                            B <- [2, 10, 16, 36, 37, a]].

calls_of_lists() ->
    [{lists, F, [X]} || F <- [flatlength, enumerate, sort, usort, last, droplast, sum, max, min,
                              reverse, flatten, unzip, uniq, append],
                        X <- lists() ++ texts()] ++
    [{lists, F, [N, X]} || F <- [keysort, ukeysort, enumerate, nth, nthtail, split],
                           N <- [0, 1, 2, 5, -1, a], X <- lists()] ++
    [{lists, sublist, [X, N]} || N <- [0, 1, 2, 5, -1, a], X <- lists()] ++
    [{lists, F, [K, 1, X]} || F <- [keyfind, keymember, keysearch, keydelete, keytake],
                              K <- [1, 1.0, a], X <- lists()] ++
    [{erlang, F, [X, Y]} || F <- ['++', '--'], X <- lists(), Y <- lists()] ++
    [{maps, from_keys, [X, v]} || X <- lists()].

compare(Module, M, F, Args) ->
    Name = case lists:member(M, [erlang, lists, maps]) of
               true -> F;
               false -> list_to_atom(lists:concat([M, ":", F]))
           end,
    case {run(M, F, Args), run(Module, Name, Args)} of
        {Same, Same} ->
            put(compared, case get(compared) of undefined -> 1; N -> N + 1 end);
        {One, Other} when One =:= {error, undef}; Other =:= {error, undef} ->
            ok;
        {Beam, Ours} ->
            io:format("differ: ~w:~w ~w: ~w ~w~n", [M, F, Args, Beam, Ours])
    end.

run(M, F, Args) ->
    try {ok, apply(M, F, Args)}
    catch Class:Reason -> {Class, Reason}
    end.
