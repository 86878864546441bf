//! The engine around the search: several workers, searches that are saved, limits, random walks,
//! executions without an end.

mod support;

use std::collections::BTreeMap;

use explore::outcome::Stop;
use explore::parallel::{self, Look};
use explore::random::{Walked, Walks, walk};
use explore::saved::Saved;
use explore::{Bounds, Execution, Limit, Search, Statistics};
use support::{explore_with, machine, outcome};

const SENDERS: &str = "main() -> S = self(), [spawn(fun() -> S ! I end) || I <- [1, 2, 3, 4, 5]],\n\
                       exit([receive X -> X end || _ <- [1, 2, 3, 4, 5]]).";

const TABLE: &str = "main() -> ets:new(x, [named_table, public]), ets:insert(x, {k, 0}),\n\
                     spawn(fun inc/0), spawn(fun inc/0), spawn(fun inc/0), receive after infinity -> ok end.\n\
                     inc() -> [{k, V}] = ets:lookup(x, k), ets:insert(x, {k, V + 1}), exit(V).";

/// Counts outcomes, and stops after so many executions.
struct Count {
    outcomes: BTreeMap<String, u64>,
    left: u64,
}

impl Look for Count {
    fn look(&mut self, execution: &Execution<'_>) -> bool {
        *self.outcomes.entry(outcome(execution)).or_default() += 1;
        self.left -= 1;
        self.left > 0
    }
}

fn counts(workers: usize, each: u64) -> Vec<Count> {
    (0..workers).map(|_| Count { outcomes: BTreeMap::new(), left: each }).collect()
}

fn add(all: &mut BTreeMap<String, u64>, looks: Vec<Count>) {
    for look in looks {
        for (outcome, count) in look.outcomes {
            *all.entry(outcome).or_default() += count;
        }
    }
}

#[test]
fn threads_find_the_same() {
    for body in [SENDERS, TABLE] {
        let one = explore_with(body, Bounds::default(), false);
        for workers in [1, 2, 3] {
            let make = || Ok(machine(body));
            let looks = counts(workers, u64::MAX);
            let found =
                parallel::explore(machine(body), &Bounds::default(), looks, &make, None).unwrap();
            let Statistics { executions, abandoned, complete, .. } = found.statistics;
            assert_eq!((executions, abandoned, complete), (one.statistics.executions, 0, true));
            assert!(found.left.is_done());
            let mut outcomes = BTreeMap::new();
            add(&mut outcomes, found.looks);
            assert_eq!(outcomes, one.outcomes);
        }
    }
}

#[test]
fn a_worker_that_cannot_begin() {
    let make = || Err("no Machine".to_owned());
    let result =
        parallel::explore(machine(SENDERS), &Bounds::default(), counts(2, u64::MAX), &make, None);
    assert_eq!(result.err().as_deref(), Some("no Machine"));
}

#[test]
fn saved_and_resumed() {
    for body in [SENDERS, TABLE] {
        let one = explore_with(body, Bounds::default(), false);
        let mut outcomes = BTreeMap::new();
        let mut saved: Option<Saved> = None;
        let mut pieces = 0;
        loop {
            let make = || Ok(machine(body));
            let bounds = Bounds { max_executions: 7, ..Bounds::default() };
            let looks = counts(1, u64::MAX);
            let found =
                parallel::explore(machine(body), &bounds, looks, &make, saved.take()).unwrap();
            add(&mut outcomes, found.looks);
            pieces += 1;
            if found.statistics.complete {
                assert_eq!(found.statistics.executions, one.statistics.executions);
                assert_eq!(found.statistics.abandoned, 0);
                break;
            }
            assert_eq!(found.statistics.executions, 7 * pieces);
            let text = found.left.to_text();
            let read = Saved::from_text(&text).unwrap();
            assert_eq!(read.to_text(), text);
            saved = Some(read);
        }
        assert_eq!(outcomes, one.outcomes);
    }
}

#[test]
fn broken_files() {
    for text in [
        "actors: 80\nnode: 0 - 0\nby:\nasleep:\nbegun:\nleft: 1 1.1;-;0.0;\n",
        "node: 1 - 0\nby:\nasleep:\nbegun:\nleft:\n",
        "actors: 80\nnode: 0 - 0\nby:\nasleep: 2.1;-;0.0;\nbegun:\nleft:\n",
        "actors: 80\nnode: 0 - 0\nby:\nasleep:\nbegun: 7 1.1;-;0.0; --\nleft:\n",
        "node: 0 0 0\nby: x\nasleep:\nbegun:\nleft:\n",
        "done: 1 2\n",
        "nothing",
        "pids: 5\n",
    ] {
        assert!(Saved::from_text(text).is_err(), "{text}");
    }
}

/// More is allowed, more is explored, and in the end everything.
#[test]
fn limits() {
    for body in [SENDERS, TABLE] {
        let all = explore_with(body, Bounds::default(), false).statistics.executions;
        for limit in [Limit::Preemptions as fn(u32) -> Limit, Limit::Delays] {
            let mut before = 0;
            let mut complete = false;
            for most in 0..20 {
                let bounds = Bounds { limit: limit(most), ..Bounds::default() };
                let mut search = Search::new(machine(body), bounds);
                let statistics = search.run(|_| true);
                assert!(statistics.executions >= before, "{:?} {statistics:?}", limit(most));
                assert!(statistics.executions >= 1);
                before = statistics.executions;
                if statistics.complete {
                    complete = true;
                    break;
                }
            }
            assert!(complete, "{:?}", limit(0));
            assert_eq!(before, all);
        }
    }
}

#[test]
fn random_walks() {
    let walks =
        Walks { executions: 300, seed: 1, depth: 3, max_depth: 1000, after_limit: u64::MAX };
    let run = |walks: &Walks| {
        let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
        let walked = walk(&machine(TABLE), walks, |execution| {
            *outcomes.entry(outcome(execution)).or_default() += 1;
            let mut machine = machine(TABLE);
            let told = explore::story::run(&mut machine, &execution.schedule(), None, "");
            assert!(told.whole);
            true
        });
        (walked, outcomes)
    };
    let (walked, outcomes) = run(&walks);
    assert_eq!(run(&walks), (walked, outcomes.clone()), "the same seed");
    let Walked { executions, different, .. } = walked;
    assert_eq!(executions, 300);
    assert!(different > 10, "{walked:?}");
    let all = explore_with(TABLE, Bounds::default(), false);
    assert!(outcomes.keys().all(|outcome| all.outcomes.contains_key(outcome)));
    assert!(outcomes.len() > 3, "{outcomes:?}");
}

#[test]
fn forever() {
    let ends = |body: &str| {
        let bounds = Bounds { max_depth: 60, ..Bounds::default() };
        let mut stops = Vec::new();
        Search::new(machine(body), bounds).run(|execution| {
            stops.push(execution.stop.clone());
            true
        });
        stops
    };
    let again = ends("main() -> self() ! again, receive again -> main() end.");
    assert!(matches!(&again[..], [Stop::Repeats(repeat)] if repeat.every == 2), "{again:?}");
    let two = ends(
        "main() -> P = spawn(fun() -> pong() end), ping(P).\n\
         ping(P) -> P ! {ping, self()}, receive pong -> ping(P) end.\n\
         pong() -> receive {ping, P} -> P ! pong, pong() end.",
    );
    assert!(matches!(&two[..], [Stop::Repeats(repeat)] if repeat.every == 4), "{two:?}");
    // It goes on and on, but never comes back to a state.
    let counts =
        ends("main() -> count(0).\ncount(N) -> self() ! N, receive N -> count(N + 1) end.");
    assert_eq!(counts, [Stop::TooDeep]);
    let table = ends(
        "main() -> ets:new(x, [named_table]), loop().\n\
         loop() -> ets:insert(x, {make_ref()}), loop().",
    );
    assert_eq!(table, [Stop::TooDeep]);
}

/// Ends that nobody notices are left out of a search. If one is noticed after all, the search says that it has
/// to be done again.
#[test]
fn quiet_ends() {
    let run = |body: &str, leave_out_ends: bool| {
        let mut ends = 0;
        let bounds = Bounds { leave_out_ends, ..Bounds::default() };
        let statistics = Search::new(machine(body), bounds).run(|execution| {
            ends += execution.ends().len();
            true
        });
        (statistics, ends)
    };
    let (with, none) = run(SENDERS, false);
    let (without, ends) = run(SENDERS, true);
    assert_eq!((with.executions, without.executions), (120, 120));
    assert!(without.complete && without.events < with.events);
    assert_eq!((none, ends), (0, 5 * 120));
    let late = "main() -> S = self(), P = spawn(fun() -> ok end),\n\
                spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n\
                receive a -> ok; b -> exit(is_process_alive(P)) end.";
    let (statistics, _) = run(late, true);
    assert!(statistics.again && !statistics.complete, "{statistics:?}");
    let (statistics, _) = run(late, false);
    assert!(statistics.complete && !statistics.again, "{statistics:?}");
}
