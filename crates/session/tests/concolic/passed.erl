%% Messages that a receive passes over, or that come too late for it, decide the path, too.
-module(passed).
-export([bug_late/1, bug_passed/1, bug_second/2, bug_from_two/2, bug_guard_of_state/2, bug_stuck/1,
         bug_server_order/2, bug_selective/1, bug_timeout/1, bug_priority/1, bug_ets_key/1,
         bug_keypos/1, safe_tagged/1, safe_two/2, safe_passed/1]).

%% The second message is not taken unless it is large; then it may come first.
-spec bug_late(integer()) -> ok.
bug_late(X) ->
    Me = self(),
    spawn(fun() -> Me ! ok end),
    spawn(fun() -> Me ! {k, X} end),
    receive
        {k, N} when N > 5 -> erlang:error(bug);
        ok -> ok
    end.

%% Passed over while it is small.
-spec bug_passed(integer()) -> ok.
bug_passed(X) ->
    self() ! {k, X},
    self() ! last,
    receive
        {k, N} when N > 17, N < 19 -> erlang:error(bug);
        last -> ok
    end.

-spec bug_second(integer(), integer()) -> ok.
bug_second(X, Y) ->
    Me = self(),
    spawn(fun() -> Me ! {a, X}, Me ! {b, Y} end),
    receive {b, N} when N > 3 -> ok; {a, N} when N > 7 -> ok; {b, _} -> ok end,
    receive
        {a, M} when M =:= Y + 1, Y > 3 -> erlang:error(bug);
        _ -> ok
    after 0 -> ok
    end.

-spec bug_from_two(integer(), integer()) -> ok.
bug_from_two(X, Y) ->
    Me = self(),
    spawn(fun() -> Me ! {v, X} end),
    spawn(fun() -> Me ! {v, Y} end),
    receive {v, A} when A > 0 -> ok end,
    receive {v, B} when B > A -> ok end,
    case {A, B} of
        {3, 9} -> erlang:error(bug);
        _ -> ok
    end.

%% What is asked for depends on the input, the message does not.
-spec bug_guard_of_state(integer(), atom()) -> ok.
bug_guard_of_state(X, Key) ->
    Me = self(),
    spawn(fun() -> Me ! {key, 4} end),
    spawn(fun() -> Me ! stop end),
    receive
        {key, N} when N =:= X, Key =:= go -> erlang:error(bug);
        stop -> ok
    end.

-spec bug_stuck(integer()) -> ok.
bug_stuck(X) ->
    Me = self(),
    Pid = spawn(fun() -> receive {go, N} when N rem 7 =/= 3 -> Me ! done end end),
    Pid ! {go, X},
    receive
        done -> ok
    after 1000 -> erlang:error(bug)
    end.

-spec bug_server_order(integer(), integer()) -> ok.
bug_server_order(K, V) ->
    S = spawn(fun() -> server(0) end),
    Me = self(),
    spawn(fun() -> S ! {put, K, V}, Me ! sent end),
    spawn(fun() -> S ! {get, Me}, Me ! sent end),
    receive sent -> ok end,
    receive sent -> ok end,
    receive
        {value, 99} -> erlang:error(bug);
        {value, _} -> ok
    end.

server(State) ->
    receive
        {put, 42, V} -> server(V);
        {put, _, _} -> server(State);
        {get, From} -> From ! {value, State}, server(State)
    end.

-spec bug_selective(integer()) -> ok.
bug_selective(X) ->
    Me = self(),
    spawn(fun() -> Me ! X, Me ! done end),
    spawn(fun() -> Me ! 5 end),
    receive N when N =:= 5 -> ok end,
    receive
        done -> ok;
        5 -> erlang:error(bug)
    end.

-spec bug_timeout(integer()) -> ok.
bug_timeout(X) ->
    Me = self(),
    spawn(fun() -> Me ! {n, X} end),
    receive
        {n, N} when N =/= 12 -> ok
    after 50 ->
        receive {n, 12} -> erlang:error(bug) after 0 -> ok end
    end.

-spec bug_priority(integer()) -> ok.
bug_priority(X) ->
    Me = self(),
    spawn(fun() -> Me ! {low, 1} end),
    spawn(fun() -> Me ! {high, X} end),
    First = receive {high, P} when P > 100 -> high after 0 -> receive {low, _} -> low end end,
    case First of
        high when X =:= 101 -> erlang:error(bug);
        _ -> ok
    end.

%% The key decides whether two processes meet.
-spec bug_ets_key(integer()) -> ok.
bug_ets_key(K) ->
    T = ets:new(t, [public]),
    ets:insert(T, {7, start}),
    Me = self(),
    spawn(fun() -> Me ! {read, ets:lookup(T, 7)} end),
    spawn(fun() -> ets:insert(T, {K, changed}), Me ! written end),
    receive written -> ok end,
    receive {read, [{7, changed}]} -> erlang:error(bug); {read, _} -> ok end.

-spec bug_keypos(integer()) -> ok.
bug_keypos(K) ->
    T = ets:new(t, [{keypos, 2}]),
    ets:insert(T, {a, K}),
    case ets:lookup(T, 31) of
        [{a, _}] -> erlang:error(bug);
        [] -> ok
    end.

-spec safe_tagged(0..9) -> ok.
safe_tagged(X) ->
    Me = self(),
    spawn(fun() -> Me ! {one, X} end),
    spawn(fun() -> Me ! {two, X} end),
    receive {one, A} -> ok end,
    receive {two, B} -> ok end,
    case A =:= B of
        true -> ok;
        false -> erlang:error(bug)
    end.

-spec safe_two(0..3, 0..3) -> ok.
safe_two(X, Y) ->
    Me = self(),
    spawn(fun() -> Me ! {v, X} end),
    spawn(fun() -> Me ! {v, Y} end),
    receive {v, A} when A >= 0 -> ok end,
    receive {v, B} when A + B =:= X + Y -> ok after 0 -> ok end.

-spec safe_passed(0..9) -> ok.
safe_passed(X) ->
    self() ! {k, X},
    self() ! last,
    receive
        {k, N} when N > 9 -> erlang:error(bug);
        last -> ok
    end,
    receive {k, _} -> ok end.
