%% Tables: two processes work on one table at the same time; what each gets, and what is in it at the end.
-module(race_tables).
-export([calls/0, both/3, owners/2]).

operations() ->
    [insert, insert_other, insert_new, insert_two, lookup, member, delete, delete_object, take, count, element,
     first, size, all, match_delete, delete_all, delete_table, rename, replace, fold, safe, info].

calls() ->
    [{both, [Type, A, B]} || Type <- [set, ordered_set], A <- operations(), B <- operations(), A =< B]
        ++ [{both, [bag, A, B]} || A <- [insert, insert_other, delete_object, lookup, take, all],
               B <- [insert, insert_other, delete_object, lookup, take, all], A =< B]
        ++ [{owners, [A, B]} || A <- gives(), B <- gives(), A =< B].

gives() -> [give, give_other, heir, no_heir, finish, kill_heir, ask_owner, delete].

both(Type, A, B) ->
    Main = self(),
    ets:new(t, [named_table, public, Type]),
    ets:insert(t, [{k, 1}, {l, 5}]),
    X = spawn(fun() -> receive go -> Main ! {a, attempt(A, 2)} end end),
    Y = spawn(fun() -> receive go -> Main ! {b, attempt(B, 3)} end end),
    X ! go,
    Y ! go,
    RA = receive {a, R1} -> R1 end,
    RB = receive {b, R2} -> R2 end,
    {RA, RB, attempt(all, 0)}.

attempt(What, N) -> try operate(What, N) catch error:badarg -> badarg end.

operate(insert, N) -> ets:insert(t, {k, N});
operate(insert_other, N) -> ets:insert(t, {{new, N}, N});
operate(insert_new, N) -> ets:insert_new(t, {m, N});
operate(insert_two, N) -> ets:insert(t, [{k, N}, {l, N}]);
operate(lookup, _) -> ets:lookup(t, k);
operate(member, _) -> ets:member(t, m);
operate(delete, _) -> ets:delete(t, k);
operate(delete_object, _) -> ets:delete_object(t, {k, 1});
operate(take, _) -> ets:take(t, k);
operate(count, N) -> ets:update_counter(t, k, N, {k, 0});
operate(element, N) -> ets:update_element(t, k, {2, N});
operate(first, _) -> case ets:first(t) of '$end_of_table' -> none; _ -> some end;
operate(size, _) -> ets:info(t, size);
operate(all, _) -> lists:sort(ets:tab2list(t));
operate(match_delete, _) -> ets:match_delete(t, {'_', 1});
operate(delete_all, _) -> ets:delete_all_objects(t);
operate(delete_table, _) -> ets:delete(t);
operate(rename, N) -> ets:rename(t, list_to_atom("t" ++ integer_to_list(N))), renamed;
operate(replace, N) -> ets:select_replace(t, [{{k, '$1'}, [], [{{k, {'+', '$1', N}}}]}]);
operate(fold, _) -> ets:foldl(fun({_, V}, Sum) -> V + Sum end, 0, t);
operate(safe, _) -> ets:safe_fixtable(t, true);
operate(info, _) -> ets:info(t, fixed).

%% Who has the table in the end: its owner gives it away or ends while the heir ends or is asked for.
owners(A, B) ->
    Main = self(),
    Heir = spawn(fun() -> receive never -> ok end end),
    Owner = spawn(fun() ->
        ets:new(t, [named_table, public, {heir, Heir, x}]),
        Main ! ready,
        serve(Main)
    end),
    receive ready -> ok end,
    Context = {Main, Owner, Heir},
    X = spawn(fun() -> receive go -> Main ! {a, hand(A, Context)} end end),
    Y = spawn(fun() -> receive go -> Main ! {b, hand(B, Context)} end end),
    X ! go,
    Y ! go,
    RA = receive {a, R1} -> R1 end,
    RB = receive {b, R2} -> R2 end,
    Owner ! {ask, Main, finish},
    R = monitor(process, Owner),
    receive {'DOWN', R, _, _, _} -> ok end,
    {RA, RB, owner_name(ets:info(t, owner), Context)}.

serve(Main) ->
    receive
        {ask, _, finish} -> ok;
        {ask, From, What} -> From ! {answer, What, try serve(What, Main) catch error:badarg -> badarg end}, serve(Main)
    end.

serve(give, Main) -> ets:give_away(t, Main, y);
serve(give_other, _) -> ets:give_away(t, spawn(fun() -> receive never -> ok end end), y);
serve(heir, Main) -> ets:setopts(t, {heir, Main, z});
serve(no_heir, _) -> ets:setopts(t, {heir, none});
serve(delete, _) -> ets:delete(t).

hand(kill_heir, {_, _, Heir}) -> exit(Heir, kill);
hand(ask_owner, Context) -> owner_name(ets:info(t, owner), Context);
hand(finish, {_, Owner, _}) -> Owner ! {ask, self(), finish}, sent;
hand(What, {_, Owner, _}) -> Owner ! {ask, self(), What}, receive {answer, What, R} -> R after 2 -> late end.

owner_name(undefined, _) -> gone;
owner_name(P, {P, _, _}) -> main;
owner_name(P, {_, P, _}) -> owner;
owner_name(P, {_, _, P}) -> heir;
owner_name(_, _) -> other.
