%% A broker, its subscribers, and news that end them.
%% inputs: run(list({one(a; b; c), int}), nat)
-module(subscribers).
-export([run/2]).

run(Msgs, Bad) ->
    Broker = spawn(fun() -> broker(#{}) end),
    Me = self(),
    Subs = [spawn(fun() -> subscriber(Broker, T, Me, Bad) end) || T <- [a, b, a]],
    [receive {ready, S} -> ok end || S <- Subs],
    [Broker ! {publish, T, V} || {T, V} <- Msgs],
    Broker ! {stop, Me},
    Dead = receive {stopped, D} -> D end,
    Res = [receive {result, S, R} -> R after 20 -> lost end || S <- Subs],
    {Dead, Res}.

broker(Topics) ->
    receive
        {sub, T, P} ->
            erlang:monitor(process, P),
            P ! subscribed,
            broker(maps:update_with(T, fun(L) -> [P | L] end, [P], Topics));
        {publish, T, V} ->
            [P ! {news, T, V} || P <- maps:get(T, Topics, [])],
            broker(Topics);
        {'DOWN', _, process, P, _} ->
            broker(maps:map(fun(_, L) -> L -- [P] end, Topics));
        {stop, From} ->
            timer:sleep(2),
            Gone = flush_down(0),
            [P ! bye || L <- maps:values(Topics), P <- L],
            From ! {stopped, Gone}
    end.

flush_down(N) -> receive {'DOWN', _, _, _, _} -> flush_down(N + 1) after 0 -> N end.

subscriber(B, T, Boss, Bad) ->
    B ! {sub, T, self()},
    receive subscribed -> Boss ! {ready, self()} end,
    gather(Boss, Bad, []).

gather(Boss, Bad, Acc) ->
    receive
        {news, _, Bad} -> exit(bad_news);
        {news, T, V} -> gather(Boss, Bad, [{T, V} | Acc]);
        bye -> Boss ! {result, self(), lists:reverse(Acc)}
    end.
