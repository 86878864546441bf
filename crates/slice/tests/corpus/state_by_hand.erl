%% A traffic light as a process with a state loop.
%% inputs: phases(nat), broken(list(one(tick; break; repair)))
-module(state_by_hand).
-export([phases/1, broken/1]).

phases(N) ->
    Pid = spawn(fun() -> light(red, 0) end),
    Ticks = N rem 7,
    tick(Pid, Ticks),
    {Colour, Count} = ask(Pid),
    Pid ! stop,
    {Colour, Count}.

tick(_, 0) -> ok;
tick(Pid, N) ->
    Pid ! tick,
    tick(Pid, N - 1).

ask(Pid) ->
    Pid ! {state, self()},
    receive
        {state, Pid, Colour, Count} -> {Colour, Count}
    end.

light(Colour, N) ->
    receive
        tick -> light(next(Colour), N + 1);
        break -> broken_light(N);
        {state, From} ->
            From ! {state, self(), Colour, N},
            light(Colour, N);
        stop -> ok;
        _ -> light(Colour, N)
    end.

broken_light(N) ->
    receive
        repair -> light(red, N);
        tick -> broken_light(N);
        {state, From} ->
            From ! {state, self(), blinking, N},
            broken_light(N);
        stop -> ok;
        _ -> broken_light(N)
    end.

next(red) -> green;
next(green) -> yellow;
next(yellow) -> red.

broken(Events) ->
    Pid = spawn(fun() -> light(green, 100) end),
    lists:foreach(fun(E) -> Pid ! E end, Events),
    {C, _} = ask(Pid),
    Pid ! stop,
    C.
