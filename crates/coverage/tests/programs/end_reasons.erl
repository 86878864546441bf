%% What others hear of the end of a process: of its own errors, and of what is sent to it.
-module(end_reasons).
-export([main/0, child/1]).

main() ->
    process_flag(trap_exit, true),
    lists:foreach(fun link_to/1, [normal, throw, error, badmatch, badarith, undef, function_clause, nested]),
    killed(),
    chain(),
    named().

link_to(How) ->
    P = spawn_link(?MODULE, child, [How]),
    receive
        {'EXIT', P, normal} -> say(normal);
        {'EXIT', P, {{nocatch, X}, _}} -> say({nocatch, X});
        {'EXIT', P, {badarith, _}} -> say(badarith);
        {'EXIT', P, {{badmatch, V}, _}} -> say({badmatch, V});
        {'EXIT', P, {undef, [{M, F, _, _} | _]}} -> say({M, F});
        {'EXIT', P, {function_clause, _}} -> say(function_clause);
        {'EXIT', P, {my_error, _}} -> say(my_error);
        {'EXIT', P, Other} -> say({other, Other})
    end.

child(normal) -> ok;
child(throw) -> throw(ball);
child(error) -> error(my_error);
child(badmatch) -> {ok, _} = id(no), ok;
child(badarith) -> 1 / id(0);
child(undef) -> nowhere:nothing();
child(function_clause) -> child(id(strange));
child(nested) -> try child(throw) catch throw:ball -> exit({caught, ball}) end.

killed() ->
    {P, R} = spawn_monitor(fun wait/0),
    exit(P, kill),
    receive {'DOWN', R, process, P, killed} -> say(killed) end,
    {Q, S} = spawn_monitor(fun wait/0),
    exit(Q, {shutdown, now}),
    receive {'DOWN', S, process, Q, {shutdown, When}} -> say(When) end,
    T = monitor(process, Q),
    receive {'DOWN', T, process, Q, noproc} -> say(noproc) end.

%% The reason travels along links.
chain() ->
    P = spawn_link(fun() -> spawn_link(fun() -> exit(deep) end), wait() end),
    receive {'EXIT', P, deep} -> say(deep) end,
    Q = spawn_link(fun() -> link(spawn(fun() -> receive go -> exit(later) end end)), wait() end),
    exit(Q, outside),
    receive {'EXIT', Q, outside} -> say(outside) end.

named() ->
    P = spawn(fun wait/0),
    register(the_child, P),
    R = monitor(process, the_child),
    the_child ! stop,
    receive {'DOWN', R, process, {the_child, Node}, normal} -> say(Node =:= node()) end,
    S = monitor(process, not_there),
    receive {'DOWN', S, process, {not_there, _}, noproc} -> say(none) end.

wait() -> receive stop -> ok end.
id(X) -> X.
say(X) -> io:format("~p~n", [X]).
