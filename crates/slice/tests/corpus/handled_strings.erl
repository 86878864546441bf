%% Reasons that are texts and binaries.
%% inputs: main(int), binaries(int), bits(binary)
-module(handled_strings).
-export([main/1, binaries/1, bits/1]).

main(X) ->
    put(seen, 0),
    try
        X > 5 andalso throw("too big"),
        X < 0 andalso throw("too small"),
        X =:= 3 andalso throw([$t | integer_to_list(X)]),
        put(seen, 1)
    catch
        throw:"too big" -> ok;
        throw:"too " ++ Rest -> put(seen, Rest);
        throw:[$t, D] when D > $1 -> ok
    end,
    Seen = get(seen),
    Seen.

binaries(X) ->
    put(seen, 0),
    try
        X > 3 andalso exit(<<"over", X>>),
        X < 0 andalso exit(<<"under">>),
        put(seen, 1)
    catch
        exit:<<"over", N>> when N < 8 -> ok;
        exit:<<"over", _/binary>> -> put(seen, over);
        exit:<<"under">> -> ok
    end,
    Seen = get(seen),
    Seen.

bits(B) ->
    put(seen, []),
    try
        <<A, Rest/binary>> = B,
        put(seen, [A]),
        <<C:16, _/binary>> = Rest,
        put(seen, [C, A])
    catch
        error:{badmatch, <<>>} -> ok;
        error:{badmatch, <<N>>} -> put(seen, {short, N})
    end,
    Seen = get(seen),
    Seen.
