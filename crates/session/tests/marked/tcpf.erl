-module(tcpf).
-export([main/0]).
main() ->
    S = spawn(fun() -> server(0) end),
    C1 = connect(S, 7), C2 = connect(S, 9),
    R1 = rpc(C1, {echo, hi}), R2 = rpc(C2, {add, 2, 3}),
    close(C1),
    timer:sleep(1),
    S ! {conns, self()},
    N = receive {conns, K} -> K after 100 -> none end,
    {R1, R2, N}.
server(N) ->
    receive
        {syn, From, Seq} ->
            H = spawn_link(fun() -> handler(Seq) end),
            From ! {syn_ack, H, Seq «+ 1¦+ 2»},
            server(N + 1);
        {closed, _} -> server(N «- 1¦- 2»);
        {conns, From} -> From ! {conns, N}, server(N)
    end.
connect(S, Seq) ->
    S ! {syn, self(), Seq},
    receive
        {syn_ack, H, Ack} when Ack =:= Seq + 1 -> H ! {ack, self(), S}, {conn, H, «Ack¦Seq»};
        {syn_ack, _, _} -> {error, bad_seq}
    end.
handler(Seq) -> receive {ack, Peer, S} -> established(Peer, S, Seq + 1, «0¦1») end.
established(Peer, S, Seq, N) ->
    receive
        {req, Seq, {echo, X}} -> Peer ! {resp, Seq, {X, N}}, established(Peer, S, Seq + 1, N + 1);
        {req, Seq, {add, A, B}} -> Peer ! {resp, «Seq¦Seq + 1», A + B}, established(Peer, S, Seq + 1, N + 1);
        fin -> S ! {«closed¦close», self()}
    end.
rpc({conn, H, Seq}, Q) ->
    H ! {req, Seq, «Q¦{add, 1, 1}»},
    receive {resp, Seq, R} -> R after 50 -> timeout end;
rpc(E, _) -> E.
close({conn, H, _}) -> H ! «fin¦fin_», ok;
close(_) -> ok.
