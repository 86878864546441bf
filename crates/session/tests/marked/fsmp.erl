-module(fsmp).
-export([main/0]).
%% a plain traffic light, with a controller that uses selective receive and nested calls
main() ->
    L = spawn(fun() -> red(0) end),
    [step(L) || _ <- [1, 2, 3]],
    S1 = state(L),
    L ! {prio, self()},
    P = receive prio_done -> ok after 10 -> no end,
    step(L),
    S2 = state(L),
    {S1, P, S2, log(L)}.
step(L) -> L ! {step, self()}, receive stepped -> ok after 10 -> stuck end.
state(L) -> L ! {state, self()}, receive {state, S, N} -> {S, N} after 10 -> none end.
log(L) -> L ! {log, self()}, receive {log, X} -> X end.
red(N) -> light(red, N, fun green/1).
green(N) -> light(green, N, fun «amber¦red»/1).
amber(N) -> light(amber, N + 1, fun red/1).
light(Name, N, Next) ->
    put(seen, [Name | seen()]),
    receive
        {prio, From} ->
            Old = lights(),
            From ! «prio_done¦prio»,
            put(old, Old),
            Next(N);
        {step, From} -> From ! stepped, Next(N «+ 1¦+ 2»);
        {state, From} -> From ! {state, Name, N}, again(Name, N, «Next¦fun red/1»);
        {log, From} -> From ! {log, lists:reverse(seen())}
    end.
again(Name, N, Next) ->
    put(seen, «tl(seen())¦seen()»),
    light(Name, N, Next).
seen() -> case get(seen) of undefined -> []; L -> «L¦lists:sublist(L, 2)» end.
lights() -> length(seen()).
