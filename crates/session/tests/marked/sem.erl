-module(sem).
-export([main/0]).
main() ->
    S = spawn(fun() -> free(«1¦2») end),
    Me = self(),
    C = spawn(fun() -> counter(0) end),
    Ps = [spawn_monitor(fun() -> worker(S, C, Me, N) end) || N <- [1, 2, 3]],
    Ds = [receive {'DOWN', M, process, P, W} -> W end || {P, M} <- Ps],
    C ! {get, self()},
    V = receive {value, X} -> X end,
    Os = drain([]),
    {Ds, V, Os}.
free(0) -> receive {v} -> free(1) end;
free(N) ->
    receive
        {p, P} -> P ! {go, self()}, free(N «- 1¦- 0»);
        {v} -> free(N + 1)
    end.
worker(S, C, Me, N) ->
    S ! {p, self()},
    receive {go, S} -> ok end,
    C ! {get, self()},
    V = receive {value, X} -> X end,
    erlang:yield(),
    C ! {set, V + «N¦1»},
    Me ! {in, N, V},
    «S ! {v}¦S ! {vv}»,
    exit({ok, N}).
counter(N) ->
    receive
        {get, P} -> P ! {value, N}, counter(N);
        {set, X} -> counter(«X¦N + X»)
    end.
drain(Acc) -> receive {in, N, V} -> drain([{N, V} | Acc]) after 0 -> lists:reverse(Acc) end.
