%% Criteria inside of updates and binaries of which other parts decide how it goes on.
%% inputs: run(list(list(nat)), nat), upd(list(int)), recs(list(int), any), calls(list(int))
-module(criteria_in_updates).
-export([run/2, upd/1, recs/2, calls/1]).
-record(r, {a = 0, b, c = []}).

run(Ls, N) -> loop(Ls, N band 7, []).

loop([], N, Acc) -> {N, Acc};
loop([L | T], N, Acc) ->
    B = <<N:8, (list_to_binary([X band 255 || X <- L]))/binary, (length(L)):16/little, "tail">>,
    <<H:8, R/binary>> = B,
    case H of
        9 -> {stopped, byte_size(R), Acc};
        _ -> loop(T, H + 1, [size(R) | Acc])
    end.

upd(L) -> upd(L, #{n => 0, seen => [], odd => false}).

upd([], M) -> M;
upd([X | T], #{n := N} = M) ->
    M1 = M#{n := N + 1, seen := lists:sort([X | maps:get(seen, M)]), odd := begin put(last, X), X rem 2 =:= 1 end},
    Prev = get(last),
    M2 = M1#{n := maps:get(n, M1) + Prev - X, seen := tl([Prev | maps:get(seen, M1)])},
    upd(T, M2).

recs(L, Any) ->
    R0 = #r{b = Any, c = L},
    R1 = lists:foldl(fun(X, #r{a = A} = R) -> R#r{a = A + X, c = [{X, A} | tl(R#r.c ++ [x])]} end, R0, L),
    T = setelement(#r.b, R1, {length(R1#r.c), Any}),
    {element(2, T), (T#r{a = 3})#r.b}.

calls(L) ->
    lists:foldl(fun(X, {S, Log}) ->
        {S + X, [lists:nth(1, [io_lib:format("~p", [X]), Log]), {X, hd([S | Log])} | Log]}
    end, {0, []}, L).
