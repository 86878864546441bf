%% Each fails for one input only, and only in some orders of what its processes do: not in the usual
%% one.
-module(races).
-export([race_first/1, race_key/2, race_lost_update/1, race_registered/1, race_late/1, race_ets/1,
         race_server/2, race_three/1, race_stop/1, race_down/1, race_credit/2, race_cache/1]).

-spec race_first(integer()) -> ok.
race_first(X) ->
    Me = self(),
    spawn(fun() -> Me ! {one, X} end),
    spawn(fun() -> Me ! {two, X} end),
    receive
        {two, 77} -> erlang:error(bug);
        _ -> ok
    end.

%% Only key 42 is not locked while it is changed.
-spec race_key(integer(), integer()) -> ok.
race_key(K, V) ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 0}),
    Me = self(),
    Add = fun(N) ->
        [{k, Old}] = ets:lookup(T, k),
        ets:insert(T, {k, Old + N}),
        Me ! done
    end,
    case K of
        42 -> spawn(fun() -> Add(1) end), spawn(fun() -> Add(2) end), both();
        _ -> spawn(fun() -> Add(1), Add(2) end), both()
    end,
    case ets:lookup(T, k) of
        [{k, 3}] -> ok;
        [{k, _}] when V =:= 5 -> erlang:error(bug);
        _ -> ok
    end.

both() ->
    receive done -> ok end,
    receive done -> ok end.

-spec race_lost_update(integer()) -> ok.
race_lost_update(X) ->
    Me = self(),
    C = spawn(fun() -> cell(X) end),
    Inc = fun() ->
        C ! {get, self()},
        receive {value, V} -> C ! {set, V + 1} end,
        Me ! done
    end,
    spawn(Inc),
    spawn(Inc),
    both(),
    C ! {get, self()},
    receive
        {value, 12} when X =:= 10 -> erlang:error(bug);
        {value, _} -> ok
    end.

cell(V) ->
    receive
        {get, P} -> P ! {value, V}, cell(V);
        {set, W} -> cell(W)
    end.

-spec race_registered(integer()) -> ok.
race_registered(X) ->
    Me = self(),
    spawn(fun() ->
        case whereis(worker) of
            undefined -> Me ! {missing, X};
            _ -> Me ! {there, X}
        end
    end),
    register(worker, self()),
    receive
        {missing, 9} -> erlang:error(bug);
        _ -> ok
    end.

-spec race_late(integer()) -> ok.
race_late(X) ->
    Me = self(),
    spawn(fun() -> Me ! X end),
    receive
        13 -> erlang:error(bug);
        _ -> ok
    after 0 ->
        receive 13 -> ok; _ -> ok end
    end.

-spec race_ets(integer()) -> ok.
race_ets(X) ->
    T = ets:new(t, [public]),
    Me = self(),
    spawn(fun() -> ets:insert(T, {a, X}), Me ! done end),
    spawn(fun() -> ets:insert(T, {a, X + 1}), Me ! done end),
    both(),
    case ets:lookup(T, a) of
        [{a, 30}] when X =:= 30 -> erlang:error(bug);
        _ -> ok
    end.

-spec race_server(integer(), integer()) -> ok.
race_server(X, Y) ->
    Me = self(),
    S = spawn(fun() -> store([]) end),
    spawn(fun() -> S ! {put, X}, Me ! done end),
    spawn(fun() -> S ! {put, Y}, Me ! done end),
    both(),
    S ! {all, self()},
    receive
        [6, 7] when X =:= 6 -> erlang:error(bug);
        _ -> ok
    end.

store(L) ->
    receive
        {put, X} -> store([X | L]);
        {all, P} -> P ! L
    end.

-spec race_three(0..9) -> ok.
race_three(X) ->
    Me = self(),
    [spawn(fun() -> Me ! {N, X} end) || N <- [1, 2, 3]],
    A = receive {N1, _} -> N1 end,
    B = receive {N2, _} -> N2 end,
    C = receive {N3, _} -> N3 end,
    case 100 * A + 10 * B + C of
        321 when X =:= 4 -> erlang:error(bug);
        _ -> ok
    end.

-spec race_stop(integer()) -> ok.
race_stop(X) ->
    Me = self(),
    spawn(fun() -> Me ! {job, X} end),
    spawn(fun() -> Me ! stop end),
    jobs([]).

jobs(Done) ->
    receive
        {job, J} -> jobs([J | Done]);
        stop when Done =:= [] -> receive {job, 8} -> erlang:error(bug); {job, _} -> ok end;
        stop -> ok
    end.

-spec race_down(integer()) -> ok.
race_down(X) ->
    Me = self(),
    P = spawn(fun() -> receive go -> Me ! {done, X} end end),
    R = monitor(process, P),
    spawn(fun() -> exit(P, kill) end),
    P ! go,
    receive
        {'DOWN', R, _, _, killed} when X =:= 3 -> erlang:error(bug);
        {'DOWN', R, _, _, _} -> ok;
        {done, _} -> ok
    end.

-spec race_credit(integer(), integer()) -> ok.
race_credit(Balance, Amount) when Balance > 0, Amount > 0 ->
    Me = self(),
    A = spawn(fun() -> account(Balance) end),
    Take = fun() ->
        A ! {balance, self()},
        receive
            {balance, B} when B >= Amount -> A ! {take, Amount};
            _ -> ok
        end,
        Me ! done
    end,
    spawn(Take),
    spawn(Take),
    both(),
    A ! {balance, self()},
    receive
        {balance, B} when B < 17, B =:= Balance - Amount, Amount =:= 17 -> erlang:error(bug);
        _ -> ok
    end;
race_credit(_, _) -> ok.

account(B) ->
    receive
        {balance, P} -> P ! {balance, B}, account(B);
        {take, N} -> account(B - N)
    end.

-spec race_cache(integer()) -> ok.
race_cache(X) ->
    T = ets:new(t, [public]),
    Me = self(),
    Fill = fun(V) ->
        case ets:lookup(T, X rem 2) of
            [] -> ets:insert(T, {X rem 2, V});
            _ -> ok
        end,
        Me ! done
    end,
    spawn(fun() -> Fill(a) end),
    spawn(fun() -> Fill(b) end),
    both(),
    case ets:lookup(T, X rem 2) of
        [{_, b}] when X =:= 21 -> erlang:error(bug);
        _ -> ok
    end.
