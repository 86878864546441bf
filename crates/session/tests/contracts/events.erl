%% Invariants of an event handler.
-module(events).
-behaviour(gen_event).
-compile([export_all, nowarn_export_all]).

-invariant("L -> length(L) =< 2").

init(L) -> {ok, L}.
handle_event({add, X}, L) -> {ok, [X | L]}.
handle_call(get, L) -> {ok, L, L}.

run(Xs) ->
    {ok, P} = gen_event:start(),
    ok = gen_event:add_handler(P, ?MODULE, []),
    [gen_event:notify(P, {add, X}) || X <- Xs],
    gen_event:call(P, ?MODULE, get).

%! run([1, 2]): [2,1]
%! run([1, 2, 3]): invariant callee
