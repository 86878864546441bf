//! Small programs, each compared with the enumeration of all interleavings.

mod support;

use explore::Delivery;
use support::{compare, compare_in, explore};

#[track_caller]
fn same(body: &str) {
    assert!(compare(body, 500_000), "too many interleavings");
}

#[test]
fn messages() {
    same(
        "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end), receive X -> exit(X) end.",
    );
    same(
        "main() -> S = self(), spawn(fun() -> S ! a, S ! b end), spawn(fun() -> S ! c end),\n\
          receive X -> receive Y -> exit({X, Y}) end end.",
    );
    same(
        "main() -> S = self(), spawn(fun() -> S ! a end), receive X -> exit(X) after 0 -> exit(none) end.",
    );
    same(
        "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n\
          X = receive a -> 1 after 0 -> 2 end, Y = receive b -> 1 after 10 -> 2 end, exit({X, Y}).",
    );
    // Two mailboxes whose orders exclude each other.
    same(
        "main() -> A = spawn(fun rec/0), B = spawn(fun rec/0),\n\
          spawn(fun() -> A ! 1, B ! 1 end), spawn(fun() -> B ! 2, A ! 2 end).\n\
          rec() -> receive X -> exit(X) end.",
    );
    // The order of one pair is known through a third message.
    same(
        "main() -> S = self(), P = spawn(fun() -> S ! y, S ! x1 end), spawn(fun() -> S ! x end),\n\
          A = receive x1 -> 1; x -> 2 end, B = receive x -> 1; y -> 2 end, exit({P, A, B}).",
    );
}

/// How many different ends a program can have.
#[track_caller]
fn outcomes(body: &str, expected: usize) {
    same(body);
    let found = explore(body);
    assert_eq!(found.outcomes.len(), expected, "{:?}", found.outcomes);
}

/// Whether anybody is to be told decides how many steps an end has: who takes the last link or
/// monitor away, or that the end begins, comes first.
#[test]
fn an_end_that_is_to_tell_somebody_or_not() {
    same(
        "main() -> put(p, spawn(fun() -> put(p, whereis(a)), link(get(p)) end)),\n\
          ets:new(tab, [named_table]), unlink(get(p)), catch register(a, self()), ok.",
    );
    same(
        "main() -> S = self(), ets:new(tab, [named_table, public]),\n\
          P = spawn(fun() -> catch link(S), ok end), unlink(P), catch register(a, self()), ok.",
    );
    same(
        "main() -> S = self(), ets:new(u, [named_table, public, {heir, self(), mine}]), register(a, S),\n\
          spawn(fun() -> catch link(S), ok end), {_, M} = spawn_monitor(fun() -> ok end), demonitor(M), ok.",
    );
}

/// Who keeps a table fixed is seen by who asks, and by who goes on from a key that is gone; others
/// need not look at the order.
#[test]
fn tables_that_are_fixed() {
    let table = "S = self(), ets:new(t, [named_table, public]), ets:insert(t, [{1}, {2}])";
    outcomes(
        &format!(
            "main() -> {table}, spawn(fun() -> ets:safe_fixtable(t, true), S ! done end),\n\
              F = ets:info(t, fixed), receive done -> exit({{F, ets:info(t, fixed)}}) end."
        ),
        4,
    );
    outcomes(
        &format!(
            "main() -> {table}, spawn(fun() -> ets:safe_fixtable(t, true), ets:delete(t, 1), S ! done,\n\
              ets:safe_fixtable(t, false) end), receive done -> ok end,\n\
              exit(try ets:next(t, 1) of _ -> goes_on catch error:badarg -> gone end)."
        ),
        3,
    );
    same(&format!(
        "main() -> {table}, P = spawn(fun() -> ets:safe_fixtable(t, true), receive x -> ok end end),\n\
          spawn(fun() -> ets:delete(t) end), exit(P, kill), ok."
    ));
    let walk = "ets:safe_fixtable(t, true), ets:next(t, ets:first(t)), ets:safe_fixtable(t, false)";
    let walkers = format!(
        "main() -> {table}, spawn(fun() -> {walk}, S ! a end), spawn(fun() -> {walk}, S ! b end),\n\
          receive a -> ok end, receive b -> ok end."
    );
    same(&walkers);
    assert_eq!(explore(&walkers).statistics.executions, 1);
}

/// Others may act between the parts of a walk through a large table.
#[test]
fn walks_in_parts() {
    let walk = |size: u32, walk: &str| {
        format!(
            "main() -> S = self(), ets:new(t, [ordered_set, named_table, public]),\n\
              ets:insert(t, [{{N}} || N <- lists:seq(1, {size})]),\n\
              spawn(fun() -> ets:insert(t, {{{size} + 1}}), ets:insert(t, {{0}}), S ! done end),\n\
              L = {walk}, receive done -> ok end,\n\
              exit({{lists:member([0], L), lists:member([{size} + 1], L)}})."
        )
    };
    outcomes(&walk(900, "ets:match(t, {'$1'})"), 3);
    outcomes(&walk(1_500, "ets:match(t, {'$1'})"), 4);
    outcomes(&walk(2_100, "ets:match(t, {'$1'})"), 4);
    // The other way round what is put last is found first.
    outcomes(&walk(1_500, "ets:select_reverse(t, [{{'$1'}, [], [['$1']]}])"), 3);
    // It is one look where the key is given.
    outcomes(&walk(1_500, "[[0] || _ <- ets:match(t, {0})]"), 2);
    let spec = "[{{'_', a}, [], [true]}]";
    for (how, expected) in [("select_count", 2), ("select_delete", 2)] {
        outcomes(
            &format!(
                "main() -> S = self(), ets:new(t, [named_table, public]),\n\
                  ets:insert(t, [{{N, a}} || N <- lists:seq(1, 1200)]),\n\
                  spawn(fun() -> ets:insert(t, {{7, b}}), S ! done end),\n\
                  Count = ets:{how}(t, {spec}), receive done -> exit(Count) end."
            ),
            expected,
        );
    }
    same(
        "main() -> ets:new(t, [named_table, public]), ets:insert(t, [{N, a} || N <- lists:seq(1, 1200)]),\n\
          spawn(fun() -> ets:delete(t) end),\n\
          exit(try ets:select_replace(t, [{{'$1', a}, [], [{{'$1', b}}]}]) catch error:R -> R end).",
    );
}

#[test]
fn a_question_that_fails_asks_nobody() {
    // It need not wait for the end of the process that it names.
    outcomes(
        "main() -> S = self(), spawn_link(fun() -> exit(S, a), catch process_info(S, nothing), ok end),\n\
          ok.",
        3,
    );
}

#[test]
fn moments_inside_of_ends() {
    // It is gone, and has not told of that.
    outcomes(
        "main() -> {P, M} = spawn_monitor(fun() -> ok end), A = is_process_alive(P),\n\
          exit({A, receive {'DOWN', M, _, _, _} -> told after 0 -> none end}).",
        4,
    );
    // Who has heard of it asks in vain.
    outcomes(
        "main() -> {P, M} = spawn_monitor(fun() -> ok end), receive {'DOWN', M, _, _, _} -> ok end,\n\
          exit(is_process_alive(P)).",
        1,
    );
    // Its table is gone, and it is not.
    outcomes(
        "main() -> S = self(), P = spawn(fun() -> ets:new(t, [named_table]), S ! a end), receive a -> ok end,\n\
          exit({ets:whereis(t) =:= undefined, lists:member(P, processes())}).",
        4,
    );
    // It has begun to end, and has its table; or it has not, and is linked already.
    let doomed = "main() -> S = self(), process_flag(trap_exit, true),\n\
          P = spawn(fun() -> ets:new(t, [named_table]), S ! a, receive never -> ok end end), receive a -> ok end,\n";
    outcomes(
        &format!(
            "{doomed} exit(P, kill), link(P), receive {{'EXIT', P, R}} -> ok end, exit({{R, ets:whereis(t) =:= undefined}})."
        ),
        2,
    );
    outcomes(
        &format!(
            "{doomed} link(P), exit(P, kill), link(P), receive {{'EXIT', P, R}} -> ok end,\n\
              exit({{R, receive {{'EXIT', P, Q}} -> Q after 0 -> none end}})."
        ),
        4,
    );
    // Who looks at where a process is waits for the end of one that is killed, or looks before.
    same(
        "main() -> S = self(), P = spawn(fun() -> [ets:new(t, []) || _ <- [1, 2]], S ! a, receive never -> ok end end),\n\
          receive a -> ok end, spawn(fun() -> exit(P, kill) end), exit(process_info(P, status)).",
    );
}

#[test]
fn ends() {
    same(
        "main() -> P = spawn(fun() -> ok end), monitor(process, P), receive {'DOWN', _, _, _, R} -> exit(R) end.",
    );
    same(
        "main() -> P = spawn(fun() -> receive stop -> ok end end), exit(P, kill), P ! stop, exit(is_process_alive(P)).",
    );
    same(
        "main() -> process_flag(trap_exit, true), P = spawn_link(fun() -> exit(bad) end), receive {'EXIT', P, R} -> exit(R) end.",
    );
    same("main() -> spawn_link(fun() -> exit(bad) end), receive never -> ok end.");
    same(
        "main() -> P = spawn(fun() -> receive _ -> ok end end), link(P), P ! x, unlink(P), exit(done).",
    );
    same(
        "main() -> S = self(), spawn(fun() -> exit(S, one) end), spawn(fun() -> exit(S, two) end), receive x -> ok end.",
    );
}

/// Nobody does anything after the node was halted; but all could have been before.
#[test]
fn halts() {
    same("main() -> spawn(fun() -> error(bug) end), erlang:halt(0).");
    same(
        "main() -> S = self(), spawn(fun() -> S ! x, error(bug) end), receive x -> erlang:halt(0) end.",
    );
    same(
        "main() -> spawn(fun() -> erlang:halt(1) end), spawn(fun() -> erlang:halt(2) end), receive x -> ok end.",
    );
    same(
        "main() -> P = spawn(fun() -> receive x -> exit(x); y -> exit(y) after 10 -> ok end end),\n\
          spawn(fun() -> P ! x end), erlang:send_after(5, P, y), erlang:halt(0).",
    );
}

#[test]
fn names() {
    same("main() -> register(ping_pong, spawn(fun() -> ok end)), exit(done).");
    same(
        "main() -> spawn(fun() -> catch register(a, self()) end), spawn(fun() -> catch register(a, self()) end), exit(whereis(a)).",
    );
    same(
        "main() -> spawn(fun() -> catch register(a, self()), receive X -> exit(X) after 5 -> ok end end), catch (a ! hello), exit(done).",
    );
}

#[test]
fn tables() {
    same(
        "main() -> ets:new(x, [named_table, public]), ets:insert(x, {k, 0}),\n\
          spawn(fun inc/0), spawn(fun inc/0), exit(ets:lookup(x, k)).\n\
          inc() -> [{k, V}] = ets:lookup(x, k), ets:insert(x, {k, V + 1}).",
    );
    same(
        "main() -> ets:new(x, [named_table, public]), spawn(fun() -> exit(catch ets:insert(x, {k, 1})) end), exit(ets:lookup(x, k)).",
    );
    // A change of what is not there is none.
    same(
        "main() -> ets:new(x, [named_table, public]), spawn(fun() -> ets:update_element(x, k, {2, b}) end),\n\
          ets:match_delete(x, {'_', a}).",
    );
}

#[test]
fn timers() {
    same(
        "main() -> erlang:send_after(10, self(), a), erlang:send_after(20, self(), b), receive X -> exit(X) end.",
    );
    same(
        "main() -> T = erlang:send_after(10, self(), a), C = erlang:cancel_timer(T), R = receive a -> got after 0 -> none end, exit({C, R}).",
    );
}

/// What an action does must not depend on what it is said to be independent of.
#[test]
fn what_is_gone_already() {
    // The owner of a table that somebody else deleted has less to do when it ends.
    same(
        "main() -> ets:new(tab, [named_table, public]), spawn(fun w0/0), spawn_monitor(fun w0/0), exit(done).\n\
         w0() -> catch ets:delete(tab), catch ets:new(tab, [named_table, public]).",
    );
    // So has the owner of an alias that served once,
    same(
        "main() -> S = self(), spawn(fun() -> S ! {alias, alias([reply])} end),\n\
         receive {alias, X} -> X ! b, X ! a after 0 -> ok end.",
    );
    same(
        "main() -> S = self(), P = spawn(fun() -> receive X -> exit(X) end end),\n\
         spawn(fun() -> M = monitor(process, P, [{alias, reply_demonitor}]), S ! {alias, M}, receive Y -> exit(Y) end end),\n\
         receive {alias, A} -> A ! b, A ! a, P ! c end.",
    );
    // and of a name that somebody else took away.
    same(
        "main() -> register(a, self()), spawn(fun() -> catch unregister(a), catch (a ! x) end),\n\
         spawn(fun() -> catch unregister(a) end).",
    );
}

/// Two customers and one account: messages that overtake each other on different ways.
/// A process that looks at its group leader before or after another one changes that.
#[test]
fn group_leaders() {
    same(
        "main() -> P = self(), Q = spawn(fun() -> L = group_leader(), receive ok -> P ! L end end),\n\
          spawn(fun() -> group_leader(self(), Q), P ! ok end), receive ok -> ok end, Q ! ok,\n\
          receive L -> exit(L =:= group_leader()) end.",
    );
}

/// One that gives up takes nothing out of the mailbox that another looks at.
#[test]
fn giving_up_before_a_look_at_the_mailbox() {
    same(
        "main() -> S = self(), spawn_link(fun() -> exit(c) end),\n\
          spawn_link(fun() -> process_info(S, messages) end), receive a -> ok after 0 -> ok end.",
    );
}

/// A race that was turned round before, and is to be turned round again in an execution with other
/// events.
#[test]
fn second_of_a_race_does_something_else() {
    // Giving the table away fails after the end of B, and conflicts with A's look at it before
    // that.
    same(
        "main() -> ets:new(t, [named_table, public]),\n\
          spawn_link(fun() -> catch ets:match(t, {'$1', c}) end), B = spawn(fun() -> ok end),\n\
          catch ets:give_away(t, B, gift), exit(bye).",
    );
}

#[test]
fn bank() {
    let found = explore(
        "main() -> A = spawn(fun() -> loop(100) end), B = self(),\n\
         Cs = [spawn(fun() -> B ! {self(), take(A, 80)} end) || _ <- [1, 2]],\n\
         Rs = [receive {C, R} -> R end || C <- Cs], L = balance(A), A ! close, exit({Rs, L}).\n\
         balance(A) -> A ! {balance, self()}, receive {A, B} -> B end.\n\
         take(A, N) -> case balance(A) of B when B >= N -> A ! {set, B - N}, ok; _ -> poor end.\n\
         loop(B) -> receive {balance, F} -> F ! {self(), B}, loop(B); {set, N} -> loop(N); close -> ok end.",
    );
    assert_eq!((found.statistics.executions, found.problem), (6, None));
}

#[test]
fn giving_up_before_who_looks() {
    // What is done after giving up is seen by one that knows of the message: then it was there.
    same(
        "main() -> S = self(), spawn(fun() -> S ! b, exit(process_info(S, {dictionary, r})) end),\n\
          receive X -> put(r, X) after 10 -> put(r, none) end.",
    );
    same(
        "main() -> P = spawn(fun w/0), P ! b, exit(process_info(P, {dictionary, r})).\n\
          w() -> receive X -> put(r, X) after 10 -> put(r, none) end.",
    );
    // Only giving up touches what the other looks at.
    same(
        "main() -> P = spawn(fun w/0), P ! b, exit(process_info(P, {dictionary, r})).\n\
          w() -> receive _ -> ok after 10 -> put(r, none) end.",
    );
    same(
        "main() -> P = spawn(fun w/0), P ! b, R = process_info(P, {dictionary, r}), P ! c, exit(R).\n\
          w() -> receive c -> ok; b -> put(r, b) after 10 -> put(r, none) end.",
    );
}

#[test]
fn two_who_look() {
    same(
        "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b, w(S) end), w(S).\n\
          w(P) -> exit(process_info(P, messages)).",
    );
    same(
        "main() -> P = spawn(fun() -> receive x -> ok end end), spawn(fun() -> P ! a end), spawn(fun() -> P ! b end),\n\
          spawn(fun() -> w(P) end), spawn(fun() -> w(P) end).\n\
          w(P) -> exit(process_info(P, messages)).",
    );
    // Who has ended has no mailbox any more, whatever came in which order.
    same(
        "main() -> S = self(), spawn(fun() -> S ! a, exit(process_info(S, messages)) end), S ! b.",
    );
    // Two messages of one event are next to each other.
    same(
        "main() -> process_flag(trap_exit, true), S = self(), spawn(fun() -> S ! b end),\n\
          {_, _} = spawn_opt(fun() -> ok end, [link, monitor]), exit(process_info(S, messages)).",
    );
    // Who gives up before the look forces an order.
    same(
        "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> exit(process_info(S, messages)) end),\n\
          S ! c, receive a -> exit(a) after 0 -> exit(none) end.",
    );
}

#[test]
fn monitors_not_wanted() {
    // Somebody asks who could see that an end would have told.
    same(
        "main() -> S = self(), {_, M} = spawn_monitor(fun() -> is_process_alive(S) end),\n\
          spawn(fun() -> process_info(S, monitored_by) end), demonitor(M, [flush]).",
    );
    // The watcher has ended, too, when the message would come.
    same(
        "main() -> {_, M} = spawn_monitor(fun w/0), demonitor(M, [flush]), w().\n\
          w() -> receive {'DOWN', _, _, _, R} -> exit(R) after 0 -> none end.",
    );
}

/// Two mailboxes whose orders exclude each other, with all messages sent before the first is taken:
/// to have one receive take another message, the other has to change first.
#[test]
fn choices_that_exclude_each_other() {
    let found = explore(
        "main() -> F = spawn(fun() -> receive {A, B} -> A ! 1, B ! 1 end end),\n\
          G = spawn(fun() -> receive {A, B} -> B ! 2, A ! 2 end end),\n\
          A = spawn(fun rec/0), B = spawn(fun rec/0), F ! {A, B}, G ! {A, B}.\n\
          rec() -> receive X -> exit(X) end.",
    );
    assert!(found.problem.is_none(), "{:?}", found.problem);
    assert_eq!(found.statistics.executions, 3, "{:?}", found.outcomes);
}

/// Ends that nobody notices are left out; not those that only a step which never comes would
/// notice.
#[test]
fn quiet_ends() {
    same(
        "main() -> S = self(), spawn(fun() -> exit(S, c) end), P = spawn(fun() -> ok end), exit(P, kill), ok.",
    );
    same(
        "main() -> S = self(), P = spawn(fun() -> ok end), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n\
          receive a -> receive b -> ok end; b -> exit(is_process_alive(P)) end.",
    );
}

/// Others see the links and monitors of a process, also those that it has from starting another.
#[test]
fn links_and_monitors_of_others() {
    same(
        "main() -> S = self(), W = spawn(fun() -> monitor(process, S), w() end), exit(process_info(W, monitors)).\n\
          w() -> receive x -> ok end.",
    );
    same(
        "main() -> S = self(), W = spawn(fun() -> P = spawn(fun w/0), monitor(process, P), S ! P, w() end),\n\
          P = receive Q -> Q end, P ! x, exit(process_info(W, monitors)).\n\
          w() -> receive x -> ok end.",
    );
    same(
        "main() -> W = spawn(fun() -> spawn_link(fun() -> ok end), w() end), exit(process_info(W, links)).\n\
          w() -> receive x -> ok end.",
    );
    same(
        "main() -> W = spawn(fun() -> {_, R} = spawn_monitor(fun() -> ok end), demonitor(R), w() end), exit(process_info(W, monitors)).\n\
          w() -> receive x -> ok end.",
    );
    same(
        "main() -> P = spawn(fun w/0), spawn(fun() -> monitor(process, P) end), exit(process_info(P, [links, monitored_by])).\n\
          w() -> receive x -> ok end.",
    );
}

/// Who is doomed answers no signal any more, though it has its name and its tables until it ends.
#[test]
fn signals_to_the_doomed() {
    let waits = "\nw() -> receive x -> ok end.";
    let one_outcome = |body: &str| {
        let body = format!("{body}{waits}");
        same(&body);
        assert_eq!(explore(&body).statistics.executions, 1, "{body}");
    };
    one_outcome("main() -> P = spawn(fun w/0), exit(P, kill), exit(process_info(P, links)).");
    one_outcome(
        "main() -> P = spawn(fun w/0), exit(P, kill), R = monitor(process, P), receive {'DOWN', R, _, _, W} -> exit(W) end.",
    );
    one_outcome(
        "main() -> process_flag(trap_exit, true), P = spawn(fun w/0), exit(P, kill), link(P), receive {'EXIT', P, W} -> exit(W) end.",
    );
    one_outcome(
        "main() -> P = spawn(fun w/0), exit(P, kill), exit(catch group_leader(self(), P)).",
    );
    same(&format!(
        "main() -> P = spawn(fun w/0), register(n, P), spawn(fun() -> exit(P, kill) end), monitor(process, n), exit(whereis(n)).{waits}"
    ));
    same(&format!(
        "main() -> P = spawn(fun w/0), spawn(fun() -> exit(P, kill) end), spawn(fun() -> link(P) end), unlink(P).{waits}"
    ));
}

/// The signal of a monitor is held back until its process sends something or lets others run; where
/// it does so next that costs nothing.
#[test]
fn held_monitors() {
    let count = |body: &str, expected: u64| {
        same(body);
        assert!(compare_in(body, 100_000, Delivery::Any), "too many interleavings");
        assert_eq!(explore(body).statistics.executions, expected, "{body}");
    };
    let w = "w() -> receive go -> exit(done) end.\n\
             d(R) -> receive {'DOWN', R, _, _, W} -> exit(W) end.";
    // The other may have seen what was done after the call, and not be monitored.
    count(
        &format!(
            "main() -> ets:new(t, [named_table, public]), P = spawn(fun() -> exit({{seen, ets:member(t, f)}}) end),\n\
             R = monitor(process, P), ets:insert(t, {{f}}), d(R).\n{w}"
        ),
        4,
    );
    count(
        &format!(
            "main() -> P = spawn(fun w/0), R = monitor(process, P), spawn(fun() -> P ! go end), d(R).\n{w}"
        ),
        2,
    );
    // What is sent takes it along.
    count(&format!("main() -> P = spawn(fun w/0), R = monitor(process, P), P ! go, d(R).\n{w}"), 1);
    count(
        &format!(
            "main() -> P = spawn(fun w/0), monitor(process, P), R = monitor(process, P), P ! go, d(R).\n{w}"
        ),
        1,
    );
    count(
        &format!(
            "main() -> {{P, R}} = spawn_monitor(fun w/0), spawn(fun() -> P ! go end), d(R).\n{w}"
        ),
        1,
    );
    // Who waits lets it go, and hears of it; who only looks need not.
    count(
        "main() -> P = spawn(fun() -> ok end), monitor(process, P), receive {'DOWN', _, _, _, W} -> exit(W) after 10 -> exit(none) end.",
        3,
    );
    count(
        "main() -> P = spawn(fun() -> ok end), monitor(process, P), receive {'DOWN', _, _, _, W} -> exit(W) after 0 -> exit(none) end.",
        4,
    );
}

/// Tables, name, links and monitors of an end are steps of their own; where nobody looks they cost
/// nothing.
#[test]
fn steps_of_ends() {
    let count = |body: &str, expected: u64| {
        same(body);
        assert!(compare_in(body, 500_000, Delivery::Any), "too many interleavings");
        assert_eq!(explore(body).statistics.executions, expected, "{body}");
    };
    let owner = "o() -> register(n, self()), [ets:new(T, [named_table, public]) || T <- [t, u]], ok.\n\
                 w(P) -> R = monitor(process, P), receive {'DOWN', R, _, _, W} -> exit(W) end.";
    count(&format!("main() -> spawn(fun o/0), receive after infinity -> ok end.\n{owner}"), 1);
    // Each look comes before or after what it looks for is gone.
    count(
        &format!(
            "main() -> o(), spawn(fun() -> exit({{ets:whereis(t) =:= undefined, ets:whereis(u) =:= undefined, whereis(n) =:= undefined}}) end).\n{owner}"
        ),
        8,
    );
    // It hears the reason, or that there is no such process: before it is gone, or after.
    count(&format!("main() -> o(), S = self(), spawn(fun() -> w(S) end).\n{owner}"), 3);
    // Two who hear of an end have nothing to do with each other.
    count(
        &format!(
            "main() -> P = spawn(fun() -> receive go -> ok end end), S = self(),\n\
          [spawn(fun() -> R = monitor(process, P), S ! R, receive {{'DOWN', R, _, _, _}} -> ok end end) || _ <- [1, 2]],\n\
          receive R1 when is_reference(R1) -> ok end, receive R2 when is_reference(R2) -> ok end, P ! go.\n{owner}"
        ),
        2,
    );
    // Each for its own reason, or one for that of the other.
    same("main() -> P = spawn_link(fun() -> exit(a) end), monitor(process, P), exit(b).");
    // Links hear of it before monitors.
    let body = "main() -> P = spawn(fun() -> receive go -> ok end end), S = self(),\n\
         L = spawn(fun() -> process_flag(trap_exit, true), link(P), S ! ready, receive X -> exit(X) end end), receive ready -> ok end,\n\
         R = monitor(process, P), P ! go, receive {'DOWN', R, _, _, _} -> L ! late end.";
    count(body, 1);
}

/// A timer that fires for a process that has ended does so in vain.
#[test]
fn timers_of_the_ended() {
    let count = |body: &str, expected: u64| {
        same(body);
        assert_eq!(explore(body).statistics.executions, expected, "{body}");
    };
    count("main() -> erlang:send_after(10, self(), a), erlang:send_after(20, self(), b), ok.", 1);
    count("main() -> P = spawn(fun() -> ok end), erlang:send_after(10, P, a).", 1);
    same(
        "main() -> P = spawn(fun() -> ok end), T = erlang:send_after(10, P, a), exit({erlang:read_timer(T), erlang:cancel_timer(T)}).",
    );
    same(
        "main() -> P = spawn(fun() -> receive a -> ok end end), T = erlang:start_timer(10, P, a), exit(P, kill), exit(erlang:cancel_timer(T)).",
    );
    same(
        "main() -> S = self(), spawn(fun() -> S ! erlang:send_after(10, self(), a) end), T = receive R -> R end, exit(erlang:cancel_timer(T)).",
    );
}

/// Somebody who computes on and on keeps nobody else from failing.
#[test]
fn spinning_beside_others() {
    let found = explore(
        "main() -> spawn(fun spin/0), spawn(fun() -> exit(bug) end), exit(done).\nspin() -> spin().",
    );
    assert!(found.outcomes.keys().all(|outcome| outcome.contains("bug")), "{:?}", found.outcomes);
}

/// One that asks again and again lets the others go on: what they do is seen.
#[test]
fn asking_again_and_again() {
    let bounds = || explore::Bounds { max_depth: 300, ..explore::Bounds::default() };
    for body in [
        "main() -> ets:new(x, [named_table, public]), spawn(fun() -> ets:insert(x, {k, 1}) end), ask().\n\
          ask() -> case ets:lookup(x, k) of [] -> ask(); _ -> exit(seen) end.",
        "main() -> ask(spawn(fun() -> ok end)).\n\
          ask(P) -> case is_process_alive(P) of true -> receive after 10 -> ask(P) end; false -> exit(seen) end.",
    ] {
        let found = support::explore_with(body, bounds(), false);
        assert!(found.outcomes.keys().any(|outcome| outcome.contains("seen")), "{body}");
    }
}

/// Time passes for who waits, and for who hears from him.
#[test]
fn times() {
    let outcomes = |body: &str| {
        same(body);
        let found = explore(body).outcomes;
        assert!(found.keys().all(|outcome| outcome.contains("passed")), "{body}\n{found:?}");
    };
    let now = "\nnow(passed, From) -> case erlang:monotonic_time(millisecond) - From of T when T >= 10 -> exit(passed); T -> exit(T) end.\n\
        now() -> erlang:monotonic_time(millisecond).";
    let with_now = |body: &str| outcomes(&format!("{body}{now}"));
    with_now("main() -> T = now(), receive after 10 -> ok end, now(passed, T).");
    with_now(
        "main() -> T = now(), erlang:send_after(10, self(), x), receive x -> now(passed, T) end.",
    );
    with_now(
        "main() -> T = now(), S = self(), spawn(fun() -> receive after 20 -> S ! x end end), spawn(fun() -> S ! y end),\n\
          receive x -> now(passed, T) end.",
    );
    with_now(
        "main() -> T = now(), receive after 10 -> ok end, P = spawn(fun() -> receive go -> now(passed, T) end end), P ! go, exit(passed).",
    );
    with_now(
        "main() -> T = now(), P = spawn(fun() -> receive after 10 -> exit(passed) end end), monitor(process, P),\n\
          receive {'DOWN', _, _, _, passed} -> now(passed, T); {'DOWN', _, _, _, noproc} -> exit(passed) end.",
    );
    // Who waits until a time is over comes to an end.
    let found = explore(
        "main() -> wait(erlang:monotonic_time(millisecond) + 100).\n\
          wait(Till) -> case erlang:monotonic_time(millisecond) of T when T >= Till -> exit(over); _ -> receive after 10 -> wait(Till) end end.",
    );
    assert_eq!(found.statistics.executions, 1);
}
