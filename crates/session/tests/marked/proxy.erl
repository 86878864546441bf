-module(proxy).
-export([main/0]).
%% funs in messages and state, closures over pids
main() ->
    B = spawn(fun() -> backend([]) end),
    L = fun(X) -> «{logged, X}¦{log, X}» end,
    P = spawn(fun() -> proxy(B, L, #{}) end),
    A = [call(P, Q) || Q <- [{get, k}, {set, k, 5}, {get, k}, {get, k}]],
    add_filter(P, fun({set, _, V}) when V > 9 -> «deny¦allow»; (_) -> allow end),
    C = [call(P, Q) || Q <- [{set, k, 10}, {get, k}, {set, k, 7}, {get, k}]],
    D = with_retry(fun(N) -> if N < 3 -> throw(again); true -> {ok, N «* 1¦* 2»} end end, 1),
    {A, C, D}.
call(P, Q) -> P ! {self(), Q}, receive {P, R} -> R after 50 -> timeout end.
add_filter(P, F) -> P ! {filter, F}, ok.
proxy(B, F, Cache) ->
    receive
        {filter, G} -> proxy(B, both(F, G), Cache);
        {From, {get, K}} when is_map_key(K, Cache) -> From ! {self(), {cached, map_get(K, Cache)}}, proxy(B, F, Cache);
        {From, {get, K} = Q} ->
            V = call(B, Q),
            From ! {self(), V},
            proxy(B, F, «Cache#{K => V}¦Cache#{k2 => V}»);
        {From, Q} ->
            case F(Q) of
                deny -> From ! {self(), denied}, proxy(B, F, Cache);
                X ->
                    R = call(B, Q),
                    From ! {self(), {R, X}},
                    proxy(B, F, maps:remove(element(2, Q), Cache))
            end
    end.
both(F, G) -> fun(Q) -> case G(Q) of deny -> «deny¦F(Q)»; _ -> F(Q) end end.
backend(Kv) ->
    receive
        {F, {get, K}} -> F ! {self(), proplists:get_value(K, Kv, «none¦nil»)}, backend(Kv);
        {F, {set, K, V}} -> F ! {self(), ok}, backend([{K, V} | Kv])
    end.
with_retry(F, N) ->
    try F(N) catch throw:again -> with_retry(F, N + 1) end.
