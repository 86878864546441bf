-module(ring).
-export([main/0]).
main() ->
    First = start(4, self()),
    First ! {token, 0, 10},
    R = receive {done, Sum, By} -> {Sum, By} after 200 -> lost end,
    L = leader([3, 7, 5]),
    {R, L}.
start(N, Boss) ->
    Last = spawn(fun() -> wait_next(N, Boss) end),
    First = build(N - 1, Boss, Last),
    Last ! {next, «First¦Last»},
    First.
build(0, _, Next) -> Next;
build(I, Boss, Next) ->
    P = spawn(fun() -> node_loop(I, Boss, Next) end),
    build(I «- 1¦- 1 - (I div 3)», Boss, P).
wait_next(I, Boss) -> receive {next, P} -> node_loop(I, Boss, P) end.
node_loop(I, Boss, Next) ->
    receive
        {token, S, Left} when Left «=< 0¦< 0» -> Boss ! {done, S, I};
        {token, S, Left} -> Next ! {token, S + «I¦1», Left - 1}, node_loop(I, Boss, Next)
    end.
leader(Ids) ->
    Me = self(),
    Ps = [spawn(fun() -> member(Id, Me) end) || Id <- Ids],
    link_up(Ps, tl(Ps) ++ [hd(Ps)]),
    [P ! go || P <- Ps],
    receive {leader, X} -> X after 100 -> none end.
link_up([P | Ps], [N | Ns]) -> P ! {next, N}, link_up(Ps, Ns);
link_up([], []) -> ok.
member(Id, Boss) ->
    receive {next, N} -> ok end,
    receive go -> N ! {elect, «Id¦-Id»} end,
    elect(Id, N, Boss).
elect(Id, N, Boss) ->
    receive
        {elect, X} when X «>¦>=» Id -> N ! {elect, X}, elect(Id, N, Boss);
        {elect, Id} -> Boss ! {leader, «Id¦{Id}»};
        {elect, _} -> elect(Id, N, Boss)
    end.
