//! The engine around the search: several workers, searches that are saved, limits, random walks,
//! executions without an end.

mod support;

use std::collections::BTreeMap;

use explore::parallel::{self, Look};
use explore::random::{Walked, Walks, walk};
use explore::saved::Saved;
use explore::{Bounds, Delivery, Execution, Limit, Search, Statistics, bounded};
use machine::{Bound, Ending};
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
            let make = || Ok::<_, std::convert::Infallible>(machine(body));
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
    let error = result.err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("no Machine"));
}

#[test]
fn saved_and_resumed() {
    for body in [SENDERS, TABLE] {
        let one = explore_with(body, Bounds::default(), false);
        let mut outcomes = BTreeMap::new();
        let mut saved: Option<Saved> = None;
        let mut pieces = 0;
        loop {
            let make = || Ok::<_, std::convert::Infallible>(machine(body));
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
        let with_delays = |most| {
            let bounds = Bounds { limit: Limit::Delays(most), ..Bounds::default() };
            Search::new(machine(body), bounds).run(|_| true)
        };
        let with_preemptions = |most| {
            let mut count = Count { outcomes: BTreeMap::new(), left: u64::MAX };
            bounded::explore(&machine(body), &Bounds::default(), most, &mut count).statistics
        };
        for explore in [&with_delays as &dyn Fn(u32) -> Statistics, &with_preemptions] {
            let mut before = 0;
            let mut complete = false;
            for most in 0..20 {
                let statistics = explore(most);
                assert!(statistics.executions >= before, "{most} {statistics:?}");
                assert!(statistics.executions >= 1);
                before = statistics.executions;
                if statistics.complete {
                    complete = true;
                    break;
                }
            }
            assert!(complete);
            assert_eq!(before, all);
        }
    }
}

/// Where preemptions are bounded: the other bounds, and what is known when one of them stops it.
#[test]
fn bounded_preemptions_stop() {
    let explore = |bounds: &Bounds, left: u64| {
        let mut count = Count { outcomes: BTreeMap::new(), left };
        let explored = bounded::explore(&machine(TABLE), bounds, 2, &mut count);
        (explored, count.outcomes.values().sum::<u64>())
    };
    let (whole, told) = explore(&Bounds::default(), u64::MAX);
    assert_eq!((whole.all_with, whole.statistics.executions), (Some(2), told));
    // The three processes one after the other.
    let (six, told) = explore(&Bounds { max_executions: 6, ..Bounds::default() }, u64::MAX);
    assert_eq!((six.all_with, six.statistics.executions, told), (Some(0), 6, 6));
    assert!(!six.statistics.complete);
    let (stopped, told) = explore(&Bounds::default(), 3);
    assert_eq!((stopped.all_with, stopped.statistics.executions, told), (None, 3, 3));
    assert!(!stopped.statistics.complete);
    let (short, _) = explore(&Bounds { max_depth: 8, ..Bounds::default() }, u64::MAX);
    assert!(short.statistics.too_deep > 0 && !short.statistics.complete, "{short:?}");
}

/// Nothing new is found for long, and whoever looks has enough.
#[test]
fn bounded_preemptions_ask() {
    struct Patience(u32);
    impl Look for Patience {
        fn look(&mut self, _: &Execution<'_>) -> bool {
            true
        }
        fn goes_on(&mut self) -> bool {
            self.0 -= 1;
            self.0 > 0
        }
    }
    // One execution, but many beginnings of it.
    let body = "main() -> S = self(), [spawn(fun() -> S ! I end) || I <- [1, 2, 3, 4, 5, 6, 7]],\n\
                [receive I -> ok end || I <- [7, 6, 5, 4, 3, 2, 1]].";
    let mut patience = Patience(2);
    let explored = bounded::explore(&machine(body), &Bounds::default(), 5, &mut patience);
    assert_eq!(patience.0, 0);
    assert_eq!(explored.statistics.executions, 1);
    assert!(!explored.statistics.complete, "{explored:?}");
}

fn walks(delivery: Delivery) -> Walks {
    let (depth, max_depth) = (3, 1000);
    Walks { executions: 300, seed: 1, depth, max_depth, after_limit: u64::MAX, delivery }
}

fn walked(body: &str, walks: &Walks) -> (Walked, BTreeMap<String, u64>) {
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    let walked = walk(&machine(body), walks, |execution| {
        *outcomes.entry(outcome(execution)).or_default() += 1;
        let mut machine = machine(body);
        walks.delivery.set(&mut machine);
        let told = explore::story::run(&mut machine, &execution.schedule(), None, "");
        assert!(told.whole);
        true
    });
    (walked, outcomes)
}

#[test]
fn random_walks() {
    let walks = walks(Delivery::Instant);
    let (walk, outcomes) = walked(TABLE, &walks);
    assert_eq!(walked(TABLE, &walks), (walk, outcomes.clone()), "the same seed");
    let Walked { executions, different, .. } = walk;
    assert_eq!(executions, 300);
    assert!(different > 10, "{walk:?}");
    let all = explore_with(TABLE, Bounds::default(), false);
    assert!(outcomes.keys().all(|outcome| all.outcomes.contains_key(outcome)));
    assert!(outcomes.len() > 3, "{outcomes:?}");
}

/// What is on its way for long is found at random, too: all outcomes, and no others.
#[test]
fn random_deliveries() {
    let body = "main() -> R = spawn(fun() -> receive X -> exit(X) end end),\n\
                P = spawn(fun() -> receive X -> R ! X end end), R ! one, P ! two, exit(R, kill).";
    let (_, outcomes) = walked(body, &walks(Delivery::Any));
    let all = explore_with(body, Bounds { delivery: Delivery::Any, ..Bounds::default() }, false);
    assert!(outcomes.keys().eq(all.outcomes.keys()), "{outcomes:?} {:?}", all.outcomes);
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
    assert!(matches!(&again[..], [Ending::Repeats(repeat)] if repeat.every == 2), "{again:?}");
    let two = ends(
        "main() -> P = spawn(fun() -> pong() end), ping(P).\n\
         ping(P) -> P ! {ping, self()}, receive pong -> ping(P) end.\n\
         pong() -> receive {ping, P} -> P ! pong, pong() end.",
    );
    assert!(matches!(&two[..], [Ending::Repeats(repeat)] if repeat.every == 4), "{two:?}");
    // It goes on and on, but never comes back to a state.
    let counts =
        ends("main() -> count(0).\ncount(N) -> self() ! N, receive N -> count(N + 1) end.");
    assert!(matches!(&counts[..], [Ending::Bound { bound: Bound::Events(_), .. }]), "{counts:?}");
    let table = ends(
        "main() -> ets:new(x, [named_table]), loop().\n\
         loop() -> ets:insert(x, {make_ref()}), loop().",
    );
    assert!(matches!(&table[..], [Ending::Bound { bound: Bound::Events(_), .. }]), "{table:?}");
}

/// Ends that nobody notices are left out of a search. If one is noticed after all, the search says
/// that it has to be done again.
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
