%% Timers and time-outs: set, cancelled, read, changed by one process while they fire or their receiver ends.
-module(race_timers).
-export([calls/0, one/3, two/2, clocks/2]).

kinds() -> [send_after, start_timer, receive_after].
times() -> [0, 1].
operations() -> [cancel, read, cancel_async, cancel_info, wait, message, flush, cancel_twice].

calls() ->
    [{one, [Kind, T, A]} || Kind <- kinds(), T <- times(), A <- operations()]
        ++ [{two, [A, B]} || A <- shared(), B <- shared(), A =< B]
        ++ [{clocks, [A, B]} || A <- clock_names(), B <- clock_names(), A =< B].

%% A timer of one's own.
one(receive_after, T, _) ->
    Main = self(),
    spawn(fun() -> Main ! message end),
    X = receive message -> message after T -> timeout end,
    {X, rest()};
one(Kind, T, A) ->
    Timer = start(Kind, T, self()),
    X = handle(A, Timer),
    {X, rest()}.

start(send_after, T, To) -> erlang:send_after(T, To, fired);
start(start_timer, T, To) -> erlang:start_timer(T, To, fired).

handle(cancel, Timer) -> left(erlang:cancel_timer(Timer));
handle(cancel_twice, Timer) -> {left(erlang:cancel_timer(Timer)), left(erlang:cancel_timer(Timer))};
handle(read, Timer) -> left(erlang:read_timer(Timer));
handle(cancel_async, Timer) ->
    erlang:cancel_timer(Timer, [{async, true}]),
    receive {cancel_timer, Timer, L} -> left(L) end;
handle(cancel_info, Timer) -> erlang:cancel_timer(Timer, [{info, false}]);
handle(wait, _) -> receive fired -> fired; {timeout, _, fired} -> fired end;
handle(message, _) -> self() ! message, receive message -> message; fired -> fired; {timeout, _, fired} -> fired end;
handle(flush, Timer) ->
    case erlang:cancel_timer(Timer) of
        false -> receive fired -> flushed; {timeout, Timer, fired} -> flushed after 0 -> nothing end;
        _ -> cancelled
    end.

left(N) when is_integer(N) -> running;
left(false) -> false.

rest() ->
    receive
        fired -> [fired | rest()];
        {timeout, _, fired} -> [timeout | rest()];
        message -> [message | rest()]
    after 5 -> []
    end.

%% A timer whose receiver is another process, which ends or is asked.
shared() -> [cancel, read, finish, kill, ask, take_name, drop_name].

two(A, B) ->
    Main = self(),
    P = spawn(fun() -> register(p, self()), Main ! ready, loop([]) end),
    receive ready -> ok end,
    Timer = erlang:send_after(1, p, fired),
    X = spawn(fun() -> receive go -> Main ! {a, share(A, P, Timer)}, receive never -> ok end end end),
    Y = spawn(fun() -> receive go -> Main ! {b, share(B, P, Timer)}, receive never -> ok end end end),
    X ! go,
    Y ! go,
    RA = receive {a, R1} -> R1 end,
    RB = receive {b, R2} -> R2 end,
    erlang:cancel_timer(Timer),
    {RA, RB}.

loop(Got) ->
    receive
        finish -> ok;
        {ask, From} -> From ! {got, Got}, loop(Got);
        M -> loop([M | Got])
    end.

share(cancel, _, Timer) -> left(erlang:cancel_timer(Timer));
share(read, _, Timer) -> left(erlang:read_timer(Timer));
share(finish, P, _) -> P ! finish, sent;
share(kill, P, _) -> exit(P, kill);
share(ask, P, _) -> P ! {ask, self()}, receive {got, Got} -> Got after 3 -> late end;
share(take_name, _, _) -> try register(p, self()) catch error:badarg -> badarg end;
share(drop_name, _, _) -> try unregister(p) catch error:badarg -> badarg end.

%% Two processes read clocks; the readings are compared where they can be.
clock_names() -> [monotonic, system, timestamp, os_timestamp, os_system, now].

clocks(A, B) ->
    Main = self(),
    X = spawn(fun() -> receive go -> Main ! {a, clock(A)} end end),
    Y = spawn(fun() -> receive go -> Main ! {b, clock(B)} end end),
    X ! go,
    Y ! go,
    RA = receive {a, R1} -> R1 end,
    RB = receive {b, R2} -> R2 end,
    case comparable(A) =:= comparable(B) of
        true when RA < RB -> less;
        true when RA > RB -> greater;
        true -> equal;
        false -> incomparable
    end.

comparable(monotonic) -> monotonic;
comparable(_) -> system.

clock(monotonic) -> erlang:monotonic_time(microsecond);
clock(system) -> erlang:system_time(microsecond);
clock(timestamp) -> micro(erlang:timestamp());
clock(os_timestamp) -> micro(os:timestamp());
clock(os_system) -> os:system_time(microsecond);
clock(now) -> micro(erlang:now()).

micro({Mega, Second, Micro}) -> (Mega * 1000000 + Second) * 1000000 + Micro.
