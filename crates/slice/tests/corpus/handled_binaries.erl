%% Decoding that fails in the middle; what was decoded is in a table.
%% inputs: main(binary), tagged(list(one(<<1, 5>>; <<2, 0, 7>>; <<3>>; <<>>; <<9, 9>>)))
-module(handled_binaries).
-export([main/1, tagged/1]).

main(B) ->
    T = ets:new(t, [ordered_set]),
    try decode(T, 0, B)
    catch
        throw:{short, N} when N > 1 -> ok;
        error:function_clause -> ets:insert(T, {failed, true})
    end,
    Size = ets:info(T, size),
    Failed = ets:member(T, failed),
    {Size, Failed}.

decode(_, _, <<>>) -> ok;
decode(T, N, <<0, _/binary>>) when N > 2 -> throw({short, N});
decode(T, N, <<X, Rest/binary>>) when X < 200 -> ets:insert(T, {N, X}), decode(T, N + 1, Rest).

tagged(L) ->
    put(sum, 0),
    [try value(B)
        catch error:{badmatch, <<T, _/binary>>} when T > 5 -> ok;
            error:{badmatch, _} -> put(sum, get(sum) + 100);
            throw:three -> ok end || B <- L],
    Sum = get(sum),
    Sum.

value(<<3, _/binary>>) -> throw(three);
value(<<1, X>>) -> put(sum, get(sum) + X);
value(B) -> <<2, X:16>> = B, put(sum, get(sum) + X).
