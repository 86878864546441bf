//! What commutes and what does not, by the number of executions; each program is compared with the
//! enumeration of all interleavings, too.

mod support;

use explore::{Bounds, Delivery};
use support::{compare, compare_in, explore_with, let_readings_tie};

#[track_caller]
fn count(body: &str, expected: u64) {
    let found = explore_with(body, Bounds::default(), false);
    assert_eq!(found.statistics.executions, expected, "{:?}", found.outcomes);
    assert!(compare(body, 500_000), "too many interleavings");
}

#[test]
fn flushed_monitors() {
    // Whether the process ends before or after does not matter with `flush`.
    let program = |options: &str| {
        format!(
            "main() -> {{_, M}} = spawn_monitor(fun() -> ok end), R = demonitor(M, {options}),\n\
             receive X -> exit({{R, X}}) after 0 -> exit(R) end."
        )
    };
    count(&program("[flush]"), 1);
    count(&program("[]"), 2);
    count(&program("[info]"), 2);
    count(&program("[flush, info]"), 2);
    // A receive before it may take the message all the same.
    count(
        "main() -> {_, M} = spawn_monitor(fun() -> ok end),\n\
         R = receive {'DOWN', M, _, _, _} -> down after 0 -> none end, demonitor(M, [flush]), exit(R).",
        2,
    );
}

#[test]
fn equal_values() {
    let program = |a: &str, b: &str| {
        format!(
            "main() -> T = ets:new(t, [public]), spawn(fun() -> ets:{a} end), spawn(fun() -> ets:{b} end),\n\
             receive after infinity -> T end."
        )
    };
    count(&program("insert(T, {k, 1})", "insert(T, {k, 1})"), 1);
    count(&program("insert(T, {k, 1})", "insert(T, {k, 2})"), 2);
    count(&program("insert(T, {k, 1})", "insert(T, {k, 1.0})"), 2);
    count(&program("delete(T, k)", "delete(T, k)"), 1);
    count(&program("delete(T, k)", "insert(T, {k, 1})"), 2);
    count(&program("insert_new(T, {k, 1})", "insert_new(T, {k, 1})"), 2);
    count(&program("match(T, {a, '_'})", "insert(T, {b, 1})"), 1);
    count(&program("match(T, {'_', 1})", "insert(T, {b, 1})"), 2);
    // An object that does not match is of no interest,
    count(&program("match(T, {'_', 2})", "insert(T, {b, 1})"), 1);
    count(&program("select(T, [{{'_', 2}, [], ['$_']}])", "insert(T, [{b, 1}, {c, 3}])"), 1);
    count(&program("match_object(T, {'_', '_', x})", "insert(T, {b, 1})"), 1);
    // unless it takes the place of one that does.
    let overwrites = |new: &str| {
        format!(
            "main() -> T = ets:new(t, [public]), ets:insert(T, {{b, 2}}), spawn(fun() -> ets:insert(T, {new}) end),\n\
             spawn(fun() -> ets:insert(T, {new}) end),\n\
             R = ets:match(T, {{'$1', 2}}), receive after infinity -> R end."
        )
    };
    count(&overwrites("{b, 1}"), 4);
    count(&overwrites("{c, 1}"), 1);
    count(
        "main() -> T = ets:new(t, [public]), ets:insert(T, {b, 2}),\n\
         spawn(fun() -> ets:update_element(T, b, {2, 3}), ets:delete(T, b) end),\n\
         R = ets:match(T, {'$1', 3}), receive after infinity -> R end.",
        3,
    );
    // A table of one's own is nobody else's business.
    count(&program("new(a, [])", "insert(T, {b, 1})"), 1);
    count(&program("new(a, [named_table])", "new(a, [named_table])"), 4);
}

#[test]
fn keys_that_are_there() {
    let program = |a: &str, b: &str| {
        format!(
            "main() -> T = ets:new(t, [public]), ets:insert(T, {{k, 1}}), spawn(fun() -> ets:{a} end),\n\
             spawn(fun() -> ets:{b} end), receive after infinity -> T end."
        )
    };
    let change = "update_counter(T, k, 1)";
    // Whether a key is there does not depend on its value,
    count(&program("insert_new(T, {k, 2})", change), 1);
    count(&program("member(T, k)", change), 1);
    count(&program("member(T, k)", "update_element(T, k, {2, 2})"), 1);
    count(&program("first(T)", change), 1);
    count(&program("info(T, size)", change), 1);
    count(&program("insert_new(T, {k, 2})", "insert_new(T, {k, 3})"), 1);
    // but on whether it was deleted,
    count(&program("member(T, k)", "delete(T, k)"), 2);
    count(&program("insert_new(T, {k, 2})", "take(T, k)"), 2);
    count(&program("next(T, k)", "insert(T, {l, 1})"), 2);
    // and a counter with a default makes one.
    count(&program("member(T, l)", "update_counter(T, l, 1, {l, 0})"), 2);
    count(&program("lookup(T, k)", change), 2);
    count(&program(change, change), 2);
    // What is deleted in either order is gone, unless it is counted.
    count(&program("match_delete(T, {'_', 1})", "match_delete(T, {k, '_'})"), 1);
    count(&program("match_delete(T, {'_', 1})", "delete(T, k)"), 1);
    count(&program("delete_all_objects(T)", "delete_all_objects(T)"), 1);
    let counted = "select_delete(T, [{{'_', 1}, [], [true]}])";
    count(&program(counted, counted), 2);
    let counted = "select_delete(T, [{'_', [], [true]}])";
    count(&program(counted, counted), 2);
}

#[test]
fn in_vain() {
    // What fails whatever others do touches nothing.
    count("main() -> {_, R} = spawn_monitor(fun() -> ok end), catch demonitor(R, [ban]).", 1);
    count("main() -> P = spawn(fun() -> ok end), catch erlang:monitor(process, P, [nothing]).", 1);
    count("main() -> P = spawn(fun() -> ok end), catch process_info(P, nothing).", 1);
    // Who was never linked is not unlinked.
    count("main() -> P = spawn(fun() -> ok end), unlink(P).", 1);
    count("main() -> P = spawn_link(fun() -> exit(bad) end), unlink(P).", 2);
    // An heir counts when the owner ends, or somebody asks for it.
    let heir = |then: &str| {
        format!(
            "main() -> H = spawn(fun() -> ok end), T = ets:new(t, [{{heir, H, x}}]), {then},\n\
             receive after infinity -> T end."
        )
    };
    count(&heir("ok"), 1);
    count(&heir("ets:info(T, size)"), 1);
    count(&heir("ets:info(T, heir)"), 2);
    count(&heir("exit(now)"), 2);
}

#[test]
fn clocks() {
    let program = |readings: &str| {
        format!(
            "main() -> S = self(), [A, B] = [spawn(fun() -> S ! {{self(), {readings}}} end) || _ <- [1, 2]],\n\
             receive {{A, X}} -> ok end, receive {{B, Y}} -> ok end, exit(X < Y)."
        )
    };
    // Each may be the first.
    for clock in
        ["erlang:monotonic_time()", "erlang:system_time()", "os:timestamp()", "erlang:now()"]
    {
        count(&program(clock), 2);
        let found = explore_with(&program(clock), Bounds::default(), false);
        assert_eq!(found.outcomes.len(), 2, "{:?}", found.outcomes);
    }
    count(&program("os:system_time(microsecond) - os:system_time(microsecond)"), 6);
    // Those that count microseconds may be equal, where that is asked for.
    let_readings_tie(true);
    for (clock, executions) in [
        ("erlang:monotonic_time()", 2),
        ("erlang:monotonic_time(microsecond)", 3),
        ("erlang:timestamp()", 3),
        ("erlang:now()", 2),
        ("{erlang:timestamp(), erlang:timestamp()}", 13),
    ] {
        count(&program(clock), executions);
    }
    let three = "main() -> S = self(), Ps = [spawn(fun() -> S ! {self(), os:timestamp()} end) || _ <- [1, 2, 3]],\n\
         Ts = [receive {P, T} -> T end || P <- Ps], exit([A == B || A <- Ts, B <- Ts]).";
    let found = explore_with(three, Bounds::default(), false);
    assert_eq!((found.statistics.executions, found.outcomes.len()), (13, 5));
    let_readings_tie(false);
    // Clocks of one process cost nothing, nor do those of the library.
    count(
        "main() -> [spawn(fun() -> ok end) || _ <- [1, 2]], exit(erlang:now() < erlang:now()).",
        1,
    );
    count(&program("element(1, timer:tc(fun() -> ok end)) >= 0"), 1);
    // Who was told of a reading comes later.
    count(
        "main() -> S = self(), spawn(fun() -> S ! erlang:monotonic_time() end),\n\
         receive X -> exit(X < erlang:monotonic_time()) end.",
        1,
    );
}

#[test]
fn signals() {
    // The first of several exit signals counts.
    count(
        "main() -> P = spawn(fun() -> receive after infinity -> ok end end),\n\
         [spawn(fun() -> exit(P, R) end) || R <- [a, b, a]].",
        3,
    );
    // Ends of linked processes commute if both are normal.
    count("main() -> spawn_link(fun() -> ok end).", 1);
    count("main() -> spawn_link(fun() -> ok end), exit(bad).", 2);
    count("main() -> spawn_link(fun() -> exit(worse) end), exit(bad).", 2);
    // Setting a flag to what it is.
    count(
        "main() -> P = spawn(fun() -> process_flag(trap_exit, false), receive a -> ok end end), exit(P, normal).",
        1,
    );
    count(
        "main() -> P = spawn(fun() -> process_flag(trap_exit, true), receive _ -> ok end end), exit(P, normal).",
        2,
    );
    // A process is alive until a signal ends it.
    count(
        "main() -> P = spawn(fun() -> receive a -> ok end end), spawn(fun() -> exit(P, kill) end), exit(is_process_alive(P)).",
        2,
    );
}

#[test]
fn looks_at_others() {
    // Two messages, before or after the look, in either order.
    let look = |item: &str| {
        format!(
            "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n\
             exit(process_info(S, {item}))."
        )
    };
    count(&look("messages"), 5);
    count(&look("message_queue_len"), 4);
    count(&look("links"), 1);
    // What was seen binds the receives that follow.
    count(
        "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n\
         {messages, L} = process_info(S, messages), receive X -> exit({L, X}) end.",
        6,
    );
    // Numbers that grow show who asked first, other numbers do not.
    count(
        "main() -> S = self(), [spawn(fun() -> S ! erlang:unique_integer([monotonic]) end) || _ <- [1, 2]],\n\
         receive A -> receive B -> exit(A < B) end end.",
        4,
    );
    count(
        "main() -> [spawn(fun() -> erlang:unique_integer([positive]) end) || _ <- [1, 2]], ok.",
        1,
    );
    // The dictionary is looked at, not where the process is.
    count(
        "main() -> P = spawn(fun() -> ets:whereis(x), put(k, 1), ets:whereis(y), receive a -> ok end end),\n\
         exit(process_info(P, {dictionary, k})).",
        2,
    );
    // It could be looked at before the process has changed it, whatever it did before that.
    count(
        "main() -> P = spawn(fun() -> put(k, 1), put(k, 2), receive a -> ok end end),\n\
         exit(process_info(P, {dictionary, k})).",
        3,
    );
    count(
        "main() -> S = self(), P = spawn(fun() -> put(k, 1), S ! a, erase(k), receive a -> ok end end),\n\
         receive a -> exit(process_info(P, {dictionary, k})) end.",
        2,
    );
    // A question that is none shows nothing.
    count(
        "main() -> P = spawn(fun() -> put(k, 1), receive a -> ok end end),\n\
         catch process_info(P, [dictionary, nothing]), ok.",
        1,
    );
    count(
        "main() -> {P, _} = spawn_monitor(fun() -> ok end), catch process_info(P, nothing), ok.",
        1,
    );
    // Nobody looks at it but the process itself: its changes cost nothing.
    count(
        "main() -> [spawn(fun() -> put(k, 1), exit(process_info(self(), dictionary)) end) || _ <- [1, 2]].",
        1,
    );
    count(
        "main() -> S = self(), P = spawn(fun() -> ets:whereis(x), r(group_leader() =:= S), ets:whereis(y) end),\n\
         catch group_leader(S, P). r(X) -> X.",
        3,
    );
}

#[test]
fn deliveries() {
    #[track_caller]
    fn any(body: &str, expected: u64) {
        let bounds = Bounds { delivery: Delivery::Any, ..Bounds::default() };
        let found = explore_with(body, bounds, false);
        assert_eq!(found.statistics.executions, expected, "{:?}", found.outcomes);
        assert!(compare_in(body, 500_000, Delivery::Any), "too many interleavings");
    }
    // What was sent first, by a way round, arrives second.
    let round = "main() -> R = spawn(fun() -> receive X -> exit(X) end end),\n\
                 P = spawn(fun() -> receive X -> R ! X end end), R ! one, P ! two.";
    count(round, 1);
    any(round, 2);
    // Between two processes there is an order.
    any("main() -> S = self(), spawn(fun() -> S ! a, S ! b end), receive X -> exit(X) end.", 1);
    // It may still be on its way,
    let late = "main() -> R = spawn(fun() -> receive go -> receive a -> exit(a) after 0 -> exit(none) end end end),\n\
                P = spawn(fun() -> receive X -> R ! X end end), R ! a, P ! go.";
    count(late, 1);
    any(late, 2);
    // but not from a process to itself.
    any("main() -> self() ! a, receive a -> exit(a) after 0 -> exit(none) end.", 1);
    // What has arrived is known from what came after it.
    any(
        "main() -> S = self(), spawn(fun() -> S ! a, S ! b end), receive b -> ok end, S ! c,\n\
          receive X -> exit(X) end.",
        1,
    );
    // An exit signal, too, may be overtaken by a message that comes by a way round,
    let round = "main() -> P = spawn(fun() -> receive late -> exit(late) end end), exit(P, kill),\n\
                 spawn(fun() -> P ! late end).";
    count(round, 1);
    any(round, 3); // it ends by itself, or is killed before or after it takes the message
    // but not by one of the same process, nor does it overtake one.
    any("main() -> P = spawn(fun() -> receive X -> exit(X) end end), exit(P, kill), P ! a.", 1);
    any("main() -> P = spawn(fun() -> receive X -> exit(X) end end), P ! a, exit(P, kill).", 3);
    // Whoever asks about a process has to wait for what it sent to it.
    any(
        "main() -> P = spawn(fun() -> receive a -> ok end end), exit(P, kill), exit(is_process_alive(P)).",
        1,
    );
    // Whether exits are trapped is asked when the signal arrives.
    let traps = "main() -> S = self(), P = spawn(fun() -> process_flag(trap_exit, true), S ! go,\n\
                 receive {'EXIT', _, R} -> exit({got, R}) end end), receive go -> exit(P, x) end.";
    count(traps, 1);
    any(traps, 1);
    any(
        "main() -> S = self(), P = spawn(fun() -> process_flag(trap_exit, true), S ! go,\n\
          process_flag(trap_exit, false), receive {'EXIT', _, R} -> exit({got, R}) end end),\n\
          receive go -> exit(P, x) end.",
        2,
    );
    // The news of an end may come after the monitor is gone, or wait to be flushed.
    let down = "main() -> {P, M} = spawn_monitor(fun() -> receive a -> ok end end), P ! a,\n\
                r(demonitor(M, [info])), receive X -> exit(X) after 0 -> exit(none) end. r(X) -> X.";
    any(down, 2);
    // A message to an alias that is given up meanwhile.
    any(
        "main() -> A = alias(), spawn(fun() -> A ! a end), r(unalias(A)),\n\
          receive X -> exit(X) after 0 -> exit(none) end. r(X) -> X.",
        2,
    );
    // Signals that have no effect, whenever they arrive, are no race.
    let links = "main() -> S = self(), Ps = [spawn_link(fun() -> S ! {self(), X} end) || X <- [1]],\n\
                 [receive {P, _} -> ok end || P <- Ps].";
    any(links, 1);
    any("main() -> {_, R} = spawn_monitor(fun() -> ok end), demonitor(R).", 2);
    any("main() -> P = spawn_link(fun() -> ok end), unlink(P).", 1);
    any("main() -> P = spawn_link(fun() -> exit(bad) end), unlink(P).", 2);
    any("main() -> process_flag(trap_exit, true), P = spawn_link(fun() -> ok end), unlink(P).", 2);
    // A reply comes before the news that who replied has ended, also where these are not wanted any
    // more then.
    any(
        "main() -> P = spawn(fun() -> receive {A, R} -> A ! {R, ok} end end),\n\
          M = monitor(process, P, [{alias, demonitor}]), P ! {M, M},\n\
          receive {M, ok} -> demonitor(M, [flush]), ok; {'DOWN', M, _, _, R} -> exit({down, R}) end.",
        1,
    );
}
