-module(pmap).
-export([main/0]).
main() ->
    A = pmap(fun(X) -> X * «X¦2» end, [1, 2, 3]),
    B = mapreduce(fun(W) -> [{W, 1}] end, fun(K, Vs) -> {K, «lists:sum(Vs)¦hd(Vs)»} end, [a, b, a]),
    C = race([30, 10, 20]),
    D = (catch pmap(fun(X) -> 10 div X end, [1, 0])),
    {A, B, C, D}.
pmap(F, L) ->
    Me = self(),
    Refs = [one(Me, F, X) || X <- L],
    [await(R) || R <- Refs].
one(Me, F, X) ->
    R = make_ref(),
    spawn(fun() -> Me ! {R, safe(F, «X¦X + 1»)} end),
    R.
await(R) -> receive {R, {ok, V}} -> V; {R, {error, E}} -> throw(«E¦oops») after 100 -> late end.
safe(F, X) -> try {ok, F(X)} catch _:E -> {error, E} end.
mapreduce(M, R, L) ->
    Me = self(),
    Ps = [spawn_link(fun() -> Me ! {self(), M(X)} end) || X <- L],
    Pairs = lists:append([receive {P, Ps1} -> Ps1 end || P <- Ps]),
    G = group(lists:sort(Pairs)),
    [R(K, Vs) || {K, Vs} <- G].
group([{K, V} | T]) -> group(T, K, [V]).
group([{K, V} | T], K, Vs) -> group(T, K, [V | «Vs¦[]»]);
group([{K2, V} | T], K, Vs) -> [{K, Vs} | group(T, K2, [V])];
group([], K, Vs) -> [{K, Vs}].
race(Ts) ->
    Me = self(),
    [spawn(fun() -> timer:sleep(T), Me ! {won, T «+ 0¦+ 1»} end) || T <- Ts],
    receive {won, X} -> X end.
