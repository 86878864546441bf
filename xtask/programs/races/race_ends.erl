%% Ends of processes: what somebody sees who looks at two things while a process ends.
%%
%% A victim owns tables, has a name, is linked to and watched by whoever looks, as far as the looks need it.
%% pair:  one process looks at A, then at B.
%% tell:  one process hears of the end by A and tells another, which looks at B.
%% order: messages about one end to one process, in the order of its mailbox.
%% both:  two linked processes end at the same time, each for a reason of its own.
-module(race_ends).
-export([calls/0, pair/3, tell/3, order/2, both/2]).

ways() -> [returns, told].

looks() ->
    [t1, t2, name, down, exit, alive, info, take_name, new, send, heir, owner, monitor, link,
     names, processes, watch_name, drop_name, lookup, links, monitors, linked, watched, messages].

calls() ->
    [{pair, [Way, A, B]} || Way <- ways(), A <- looks(), B <- looks(), A =/= B]
        ++ [{tell, [Way, A, B]} || Way <- ways(), A <- [down, exit, heir], B <- looks(), A =/= B]
        ++ [{order, [Way, Whats]} || Way <- ways(),
               Whats <- [[exit, down], [down, exit], [down, down], [heir], [heir, down], [heir, exit],
                         [down, down, exit], [heir, down, exit], [exit, down, heir]]]
        ++ [{both, [Way, Other]} || Way <- [returns, fails], Other <- [returns, fails]].

pair(Way, A, B) ->
    process_flag(trap_exit, needs(A, exit) orelse needs(B, exit)),
    P = victim(Way, [A, B]),
    CA = prepare(A, P),
    CB = prepare(B, P),
    finish(Way, P),
    X = look(A, P, CA),
    Y = look(B, P, CB),
    {X, Y}.

tell(Way, A, B) ->
    Main = self(),
    process_flag(trap_exit, needs(B, exit)),
    P = victim(Way, [A, B], A),
    CB = prepare(B, P),
    Hearer = spawn(fun() ->
        process_flag(trap_exit, true),
        receive {victim, P} -> ok end,
        C = prepare(A, P),
        Main ! prepared,
        hear(A, P, C),
        Main ! heard
    end),
    A =:= heir andalso (P ! {heir, Hearer}),
    A =:= heir andalso receive given -> ok end,
    Hearer ! {victim, P},
    receive prepared -> ok end,
    finish(Way, P),
    receive heard -> ok end,
    look(B, P, CB).

order(Way, Whats) ->
    process_flag(trap_exit, true),
    P = victim(Way, Whats),
    [prepare(W, P) || W <- Whats],
    finish(Way, P),
    [receive
         {'DOWN', _, _, P, _} -> down;
         {'EXIT', P, _} -> exit;
         {'ETS-TRANSFER', T, P, _} when T =:= h -> heir;
         {'ETS-TRANSFER', _, P, _} -> other_heir
     end || What <- Whats, _ <- case What of heir -> [h, h2]; _ -> [one] end].

both(Way, Other) ->
    {A, RA} = spawn_monitor(fun() -> receive go -> over(Way, a) end end),
    Main = self(),
    {B, RB} = spawn_monitor(fun() -> link(A), Main ! linked, receive go -> over(Other, b) end end),
    receive linked -> ok end,
    A ! go,
    B ! go,
    XA = receive {'DOWN', RA, _, _, X} -> X end,
    XB = receive {'DOWN', RB, _, _, Y} -> Y end,
    {XA, XB}.

over(returns, _) -> ok;
over(fails, Reason) -> exit(Reason).

%% A process that has what the looks need, and ends when it is told to.
victim(Way, Looks) -> victim(Way, Looks, none).

victim(Way, Looks, Elsewhere) ->
    Main = self(),
    P = spawn(fun() ->
        [own(O, Main) || O <- lists:usort(lists:append([owns(L) || L <- Looks]))],
        Elsewhere =:= heir andalso receive {heir, H} -> ets:setopts(h, {heir, H, x}), Main ! given end,
        Main ! ready,
        wait(Way)
    end),
    Elsewhere =:= heir orelse receive ready -> ok end,
    P.

wait(returns) -> receive go -> ok end;
wait(fails) -> receive go -> exit(bad) end;
wait(_) -> receive never -> ok end.

finish(told, P) -> exit(P, bad);
finish(killed, P) -> exit(P, kill);
finish(_, P) -> P ! go.

owns(t1) -> [t1];
owns(t2) -> [t1, t2];
owns(new) -> [t1];
owns(lookup) -> [t1];
owns(heir) -> [h, h2];
owns(owner) -> [h];
owns(name) -> [name];
owns(take_name) -> [name];
owns(send) -> [name];
owns(names) -> [name];
owns(watch_name) -> [name];
owns(drop_name) -> [name];
owns(linked) -> [linked];
owns(watched) -> [watched];
owns(_) -> [].

own(t1, _) -> ets:new(t1, [named_table, public]), ets:insert(t1, {k, v});
own(t2, _) -> ets:new(t2, [named_table, public]);
own(h, Main) -> ets:new(h, [named_table, public, {heir, Main, x}]);
own(h2, Main) -> ets:new(h2, [named_table, public, {heir, Main, x}]);
own(name, _) -> register(p, self());
own(linked, Main) -> Q = bystander(), link(Q), Main ! {bystander, Q};
own(watched, Main) -> Q = bystander(), monitor(process, Q), Main ! {bystander, Q}.

bystander() -> spawn(fun() -> process_flag(trap_exit, true), receive never -> ok end end).

needs(exit, exit) -> true;
needs(link, exit) -> true;
needs(links, exit) -> true;
needs(messages, exit) -> true;
needs(_, _) -> false.

prepare(down, P) -> monitor(process, P);
prepare(monitors, P) -> monitor(process, P);
prepare(messages, P) -> monitor(process, P), link(P);
prepare(exit, P) -> link(P);
prepare(links, P) -> link(P);
prepare(linked, _) -> receive {bystander, Q} -> Q end;
prepare(watched, _) -> receive {bystander, Q} -> Q end;
prepare(_, _) -> none.

hear(down, _, R) -> receive {'DOWN', R, _, _, _} -> ok end;
hear(exit, P, _) -> receive {'EXIT', P, _} -> ok end;
hear(heir, _, _) -> receive {'ETS-TRANSFER', h, _, _} -> ok end.

look(t1, _, _) -> there(ets:whereis(t1));
look(t2, _, _) -> there(ets:whereis(t2));
look(name, _, _) -> there(whereis(p));
look(down, _, R) -> receive {'DOWN', R, _, _, Why} -> Why after 0 -> none end;
look(exit, P, _) -> receive {'EXIT', P, Why} -> Why after 0 -> none end;
look(alive, P, _) -> is_process_alive(P);
look(info, P, _) -> there(process_info(P, priority));
look(take_name, _, _) -> try register(p, self()) catch error:badarg -> badarg end;
look(new, _, _) -> try ets:new(t1, [named_table, public]) of t1 -> made catch error:badarg -> badarg end;
look(send, _, _) -> try p ! x of x -> sent catch error:badarg -> badarg end;
look(heir, _, _) -> receive {'ETS-TRANSFER', h, _, _} -> given after 0 -> none end;
look(owner, _, _) ->
    Me = self(),
    case ets:info(h, owner) of Me -> me; undefined -> none; _ -> other end;
look(monitor, P, _) -> R = monitor(process, P), receive {'DOWN', R, _, _, Why} -> Why end;
look(link, P, _) ->
    process_flag(trap_exit, true),
    try link(P) of true -> receive {'EXIT', P, Why} -> Why end catch error:noproc -> noproc end;
look(names, _, _) -> lists:member(p, registered());
look(processes, P, _) -> lists:member(P, processes());
look(watch_name, _, _) ->
    R = monitor(process, p),
    receive {'DOWN', R, _, _, Why} -> Why after 5 -> still end;
look(drop_name, _, _) -> try unregister(p) catch error:badarg -> badarg end;
look(lookup, _, _) -> try ets:lookup(t1, k) catch error:badarg -> badarg end;
look(links, P, _) -> {links, Ps} = process_info(self(), links), lists:member(P, Ps);
look(monitors, P, _) -> {monitors, Ps} = process_info(self(), monitors), lists:member({process, P}, Ps);
look(linked, P, Q) -> among(P, process_info(Q, links));
look(watched, P, Q) -> among(P, process_info(Q, monitored_by));
look(messages, _, _) -> element(2, process_info(self(), message_queue_len)).

among(_, undefined) -> ended;
among(P, {_, Ps}) -> lists:member(P, Ps).

there(undefined) -> gone;
there(_) -> there.
