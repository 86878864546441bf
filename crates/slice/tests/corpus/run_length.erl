%% Run-length coding, there and back.
%% inputs: encode(list(one(a; b))), round_trip(list(one(a; b; c))), ratio(list(one(a; b)))
-module(run_length).
-export([encode/1, round_trip/1, ratio/1]).

encode([]) -> [];
encode([X | Xs]) -> encode(Xs, X, 1, []).

encode([], X, N, Acc) -> lists:reverse([{X, N} | Acc]);
encode([X | Xs], X, N, Acc) -> encode(Xs, X, N + 1, Acc);
encode([Y | Ys], X, N, Acc) -> encode(Ys, Y, 1, [{X, N} | Acc]).

decode(Runs) ->
    lists:append([lists:duplicate(N, X) || {X, N} <- Runs]).

round_trip(L) ->
    Runs = encode(L),
    Back = decode(Runs),
    Same = Back =:= L,
    {Same, length(Runs)}.

ratio(L) ->
    Before = length(L),
    After = 2 * length(encode(L)),
    Longest = lists:foldl(fun({_, N}, M) -> max(N, M) end, 0, encode(L)),
    case Before of
        0 -> none;
        _ -> {After * 100 div Before, Longest}
    end.
