%% A server of our own: calls with references, time-outs, state.
%% inputs: session(int, int), kv(list({atom, int})), crash(int)
-module(own_server).
-export([session/2, kv/1, crash/1]).

start(State) -> spawn(fun() -> loop(State) end).

call(Pid, Request) ->
    Ref = monitor(process, Pid),
    Pid ! {call, self(), Ref, Request},
    receive
        {Ref, Reply} ->
            demonitor(Ref, [flush]),
            {ok, Reply};
        {'DOWN', Ref, process, _, Reason} ->
            {down, Reason}
    after 1000 ->
        timeout
    end.

loop(State) ->
    receive
        {call, From, Ref, Request} ->
            case handle(Request, State) of
                {reply, Reply, New} ->
                    From ! {Ref, Reply},
                    loop(New);
                {silent, New} -> loop(New);
                stop -> exit(stopped)
            end
    end.

handle({put, K, V}, S) -> {reply, ok, S#{K => V}};
handle({get, K}, S) -> {reply, maps:get(K, S, undefined), S};
handle(size, S) -> {reply, map_size(S), S};
handle(hang, S) -> {silent, S};
handle(stop, _) -> stop.

session(A, B) ->
    Pid = start(#{}),
    {ok, ok} = call(Pid, {put, a, A}),
    {ok, ok} = call(Pid, {put, b, B}),
    {ok, X} = call(Pid, {get, a}),
    {ok, Y} = call(Pid, {get, b}),
    exit(Pid, kill),
    X - Y.

kv(KVs) ->
    Pid = start(#{start => 1}),
    [call(Pid, {put, K, V}) || {K, V} <- KVs],
    {ok, Size} = call(Pid, size),
    Slow = call(Pid, hang),
    {ok, Missing} = call(Pid, {get, zzz}),
    exit(Pid, kill),
    {Size, Slow, Missing}.

crash(N) ->
    Pid = start(#{n => N}),
    {ok, V} = call(Pid, {get, n}),
    Down = call(Pid, stop),
    {down, Why} = Down,
    Again = call(Pid, size),
    {V, Why, Again}.
