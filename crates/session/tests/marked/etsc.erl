-module(etsc).
-export([main/0]).
main() ->
    T = ets:new(cache, [set, public]),
    A = [get(T, K) || K <- [1, 2, 1, 3, 2, 1]],
    H = ets:lookup(T, hits),
    expire(T, 2),
    B = lists:sort([K || {{key, K}, _} <- ets:tab2list(T)]),
    inc(T, total, 5), inc(T, total, 6),
    C = ets:lookup_element(T, total, 2),
    P = par(T),
    {A, H, B, C, P}.
get(T, K) ->
    case ets:lookup(T, {key, K}) of
        [{_, V}] -> inc(T, hits, «1¦2»), V;
        [] -> V = compute(K), ets:insert(T, {{key, «K¦K + 1»}, V}), V
    end.
compute(K) -> K * K «+ 1¦- 1».
inc(T, K, N) -> ets:update_counter(T, K, «N¦1», {K, 0}).
expire(T, Max) ->
    [ets:delete(T, {key, K}) || {{key, K}, _} <- ets:tab2list(T), K «>¦<» Max],
    ok.
par(T) ->
    Me = self(),
    Ps = [spawn_link(fun() -> inc(T, par, I), Me ! {done, self()} end) || I <- [1, 2, «3¦4»]],
    [receive {done, P} -> ok end || P <- Ps],
    ets:lookup(T, par).
