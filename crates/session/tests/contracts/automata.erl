%% Protocols with a state of their own.
-module(automata).
-compile([export_all, nowarn_export_all]).

-protocol({file/1, shut,
           "next(shut, {open, Name}) -> {up, Name}; next({up, N}, {write, _}) -> {up, N};"
           "next({up, _}, close) -> shut; next(S, {_, count}) -> S"}).
-protocol({counted, 0, "next(N, tick) when N < 3 -> N + 1; next(3, reset) -> 0; next(N, {get, _}) -> N"}).
-protocol({broken/0, none, "next(none, X) -> 1 + X"}).

%% Messages are counted; what it does itself in between is not looked at.
file(N) ->
    receive
        {From, count} -> From ! {count, N}, file(N);
        {open, _} -> {ok, _} = helper(), file(N + 1);
        _ -> file(N + 1)
    end.
helper() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Self = self(),
    Tag = make_ref(),
    spawn(fun() -> Self ! {Tag, 7} end),
    receive {Tag, Answer} -> {ok, Answer} end.

run(Messages) ->
    {Pid, Ref} = spawn_monitor(?MODULE, file, [0]),
    [Pid ! Message || Message <- Messages],
    Pid ! {self(), count},
    receive
        {count, N} -> N;
        {'DOWN', Ref, _, _, _} -> down
    end.

%% By a name: who has it when the message is taken.
loop() ->
    receive
        tick -> loop();
        reset -> loop();
        {get, From} -> From ! here, loop()
    end.
named(Messages) ->
    Pid = spawn(?MODULE, loop, []),
    register(counted, Pid),
    Ref = monitor(process, Pid),
    [Pid ! Message || Message <- Messages],
    Pid ! {get, self()},
    receive
        here -> here;
        {'DOWN', Ref, _, _, _} -> down
    end.
unnamed(Messages) ->
    Pid = spawn(?MODULE, loop, []),
    [Pid ! Message || Message <- Messages],
    Pid ! {get, self()},
    receive here -> here end.

broken() -> receive X -> X end.
breaks() -> {_, Ref} = spawn_monitor(?MODULE, broken, [ ]), timer:sleep(1), Ref.
raises() ->
    {Pid, Ref} = spawn_monitor(?MODULE, broken, []),
    Pid ! a,
    receive {'DOWN', Ref, _, _, _} -> down end.
adds() ->
    {Pid, Ref} = spawn_monitor(?MODULE, broken, []),
    Pid ! 1,
    receive {'DOWN', Ref, _, _, Why} -> Why end.

%! run([{open, a}, {write, b}, close]): 3
%! run([{open, a}, close, {open, b}, {write, c}]): 4
%! run([]): 0
%! run([{write, a}]): protocol caller
%! run([{open, a}, {open, b}]): protocol caller
%! run([{open, a}, close, close]): protocol caller
%! run([other]): protocol caller
%! named([tick, tick, tick, reset, tick]): here
%! named([tick, tick, tick, tick]): protocol caller
%! named([reset]): protocol caller
%! unnamed([reset, reset]): here
%! raises(): protocol contract
%! adds(): normal
