%% What is one action and what is not: two processes, one of which does several things, one after the other.
%%
%% named:     a message is sent to a name that is taken away or given to another process.
%% several:   one call changes several objects of a table, or the table as a whole; somebody looks at two of them.
%% walk:      somebody walks through a table, large or small, into which two objects are put.
%% late:      an exit signal is on its way to a process that changes its flag or its name.
%% sleeping:  something is done to a process that hibernates.
%% linked:    two processes make and end links to a third one.
-module(race_steps).
-export([calls/0, named/2, several/3, walk/3, late/2, sleeping/1, linked/2, awake/1]).

calls() ->
    [{named, [How, Then]} || How <- [bang, send, send_opt], Then <- [drop, move, drop_twice]]
        ++ [{several, [Type, What, Order]} || Type <- [set, ordered_set],
               What <- [insert, insert_new, delete_all, match_delete, delete_table, rename],
               Order <- [up, down]]
        ++ [{walk, [How, Size, Order]} || How <- [tab2list, select, match], Size <- [3, 3000], Order <- [up, down]]
        ++ [{walk, [How, 3, Order]} || How <- [fold, next], Order <- [up, down]]
        ++ [{late, [Reason, Then]} || Reason <- [bad, normal, kill], Then <- [trap, untrap, name, ask]]
        ++ [{sleeping, [What]} || What <- [message, two, exit, kill, alive, info, link]]
        ++ [{linked, [A, B]} || A <- [link, unlink, finish, ends], B <- [link, unlink, finish, ends]].

%% Somebody sends to a name; another one changes what the name means and then sends to the process.
named(How, Then) ->
    Main = self(),
    P = spawn(fun() -> register(p, self()), Main ! ready, collect([]) end),
    Q = spawn(fun() -> collect([]) end),
    receive ready -> ok end,
    spawn(fun() -> Main ! {a, try send(How) catch error:badarg -> badarg end} end),
    spawn(fun() -> change(Then, P, Q), P ! after_change, Main ! {b, done} end),
    A = receive {a, X} -> X end,
    receive {b, done} -> ok end,
    {A, got(P), got(Q)}.

send(bang) -> p ! m, sent;
send(send) -> erlang:send(p, m), sent;
send(send_opt) -> erlang:send(p, m, [noconnect]).

change(drop, _, _) -> unregister(p);
change(move, _, Q) -> unregister(p), register(p, Q);
change(drop_twice, P, _) -> unregister(p), register(p, P), unregister(p).

collect(Got) ->
    receive {got, From} -> From ! {got, self(), lists:reverse(Got)}; M -> collect([M | Got]) end.

got(P) -> P ! {got, self()}, receive {got, P, Got} -> Got end.

%% One call that changes two objects; another process looks at one after the other.
several(Type, What, Order) ->
    Main = self(),
    ets:new(t, [Type, named_table, public]),
    lists:member(What, [insert, insert_new]) orelse ets:insert(t, [{1, old}, {2, old}]),
    spawn(fun() -> change_all(What), Main ! {a, done} end),
    spawn(fun() -> Main ! {b, look(Order)} end),
    receive {a, done} -> ok end,
    receive {b, Seen} -> Seen end.

change_all(insert) -> ets:insert(t, [{1, new}, {2, new}]);
change_all(insert_new) -> ets:insert_new(t, [{1, new}, {2, new}]);
change_all(delete_all) -> ets:delete_all_objects(t);
change_all(match_delete) -> ets:match_delete(t, {'_', old});
change_all(delete_table) -> ets:delete(t);
change_all(rename) -> ets:rename(t, u).

look(up) -> [value(1), value(2)];
look(down) -> [value(2), value(1)].

value(K) -> try ets:lookup(t, K) of [{K, V}] -> V; [] -> none catch error:badarg -> gone end.

%% Two objects are put into a table, one after the other, while somebody walks through it.
walk(How, Size, Order) ->
    Main = self(),
    ets:new(t, [ordered_set, named_table, public]),
    ets:insert(t, [{N, x} || N <- lists:seq(1, Size)]),
    spawn(fun() -> Main ! {a, seen(How, Size)} end),
    [One, Other] = case Order of up -> [0, Size + 1]; down -> [Size + 1, 0] end,
    spawn(fun() -> ets:insert(t, {One, new}), ets:insert(t, {Other, new}), Main ! {b, done} end),
    receive {b, done} -> ok end,
    receive {a, Seen} -> Seen end.

seen(tab2list, Size) -> among(Size, [K || {K, _} <- ets:tab2list(t)]);
seen(select, Size) -> among(Size, ets:select(t, [{{'$1', '_'}, [], ['$1']}]));
seen(match, Size) -> among(Size, [K || [K] <- ets:match(t, {'$1', '_'})]);
seen(fold, Size) -> among(Size, ets:foldl(fun({K, _}, Ks) when K < 1; K > Size -> [K | Ks]; (_, Ks) -> Ks end, [], t));
seen(next, Size) -> {ets:first(t) =:= 0, ets:last(t) > Size}.

among(Size, Ks) -> {lists:member(0, Ks), lists:member(Size + 1, Ks)}.

%% An exit signal is sent before something is written to a table, which its receiver looks at before it changes
%% what signals do to it.
late(Reason, Then) ->
    Main = self(),
    ets:new(t, [named_table, public]),
    {P, R} = spawn_monitor(fun() ->
        Then =:= untrap andalso process_flag(trap_exit, true),
        Main ! ready,
        receive go -> ok end,
        Seen = ets:lookup(t, k),
        Main ! {did, Seen, react(Then)},
        receive {'EXIT', _, _} -> exit(trapped); stop -> exit(stopped) end
    end),
    receive ready -> ok end,
    X = spawn(fun() -> receive go -> exit(P, Reason), ets:insert(t, {k}), Main ! sent end end),
    P ! go,
    X ! go,
    receive sent -> ok end,
    P ! stop,
    Why = receive {'DOWN', R, _, _, W} -> W end,
    Did = receive {did, Seen, Value} -> {Seen, Value} after 0 -> nothing end,
    {Did, Why}.

react(trap) -> process_flag(trap_exit, true);
react(untrap) -> process_flag(trap_exit, false);
react(name) -> register(p, self());
react(ask) -> element(2, process_info(self(), trap_exit)).

%% A process hibernates; somebody does something to it.
sleeping(What) ->
    Main = self(),
    {P, R} = spawn_monitor(fun() ->
        Main ! ready,
        erlang:hibernate(race_steps, awake, [Main])
    end),
    receive ready -> ok end,
    Did = wake(What, P),
    P ! last,
    receive {'DOWN', R, _, _, Why} -> {Did, Why} end.

awake(Main) -> receive last -> exit(last); m -> exit(woken); {Main, _} -> ok end.

wake(message, P) -> P ! m, sent;
wake(two, P) -> P ! m, P ! n, sent;
wake(exit, P) -> exit(P, bad);
wake(kill, P) -> exit(P, kill);
wake(alive, P) -> is_process_alive(P);
wake(info, P) -> case process_info(P, message_queue_len) of {_, N} -> N; undefined -> undefined end;
wake(link, P) -> process_flag(trap_exit, true), link(P).

%% Two processes link, unlink and end each other at the same time; the third one is linked to both.
linked(A, B) ->
    Main = self(),
    {P, MP} = spawn_monitor(fun() -> process_flag(trap_exit, true), Main ! ready, notes([]) end),
    receive ready -> ok end,
    {X, MX} = spawn_monitor(fun() -> receive go -> tie(A, P, x) end, Main ! {a, done}, receive stop -> ok end end),
    {Y, MY} = spawn_monitor(fun() -> receive go -> tie(B, P, y) end, Main ! {b, done}, receive stop -> ok end end),
    X ! go,
    Y ! go,
    RA = receive {a, done} -> done; {'DOWN', MX, _, _, WX} -> WX end,
    RB = receive {b, done} -> done; {'DOWN', MY, _, _, WY} -> WY end,
    P ! {notes, self()},
    Notes = receive {notes, Ns} -> Ns; {'DOWN', MP, _, _, WP} -> WP end,
    {RA, RB, Notes}.

tie(link, P, _) -> try_link(P);
tie(unlink, P, _) -> try_link(P), unlink(P);
tie(finish, P, _) -> P ! finish;
tie(ends, P, Who) -> try_link(P), exit(Who).

try_link(P) -> try link(P) catch error:noproc -> exit(noproc) end.

notes(Got) ->
    receive
        finish -> exit(finished);
        {'EXIT', _, Why} -> notes([Why | Got]);
        {notes, From} -> From ! {notes, lists:reverse(Got)}
    end.
