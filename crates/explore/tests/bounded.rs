//! Bounded preemptions: of generated programs exactly those classes are found that have an
//! interleaving with so few preemptions, each once, with a schedule that has the fewest; by
//! comparison with the enumeration of all interleavings.

mod programs;
mod support;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use arbtest::arbitrary::Unstructured;
use explore::parallel::Look;
use explore::{Bounds, Delivery, Execution, bounded, naive};
use machine::Machine;
use programs::{CLOCKS, ENDS, HELD, PATTERNS, Program};
use support::{
    Manner, class_of, explore_with, let_readings_tie, machine_in, noticing, number, replay,
    splitmix,
};

/// For each class how often it was found, and with how many preemptions.
struct Classes {
    start: Machine,
    delivery: Delivery,
    /// Which classes are told apart.
    manner: Manner,
    found: BTreeMap<String, (u64, usize)>,
    problem: Option<String>,
}

impl Look for Classes {
    fn look(&mut self, execution: &Execution<'_>) -> bool {
        let schedule = execution.schedule();
        let found = self.found.entry(class_of(execution)).or_insert((0, schedule.preemptions));
        found.0 += 1;
        let replayed = replay(&self.start, execution, self.delivery);
        self.problem = self.problem.take().or_else(|| replayed.err());
        true
    }
}

fn found(body: &str, bounds: &Bounds, most: u32) -> (Classes, bounded::Explored) {
    let manner = Manner::of(bounds);
    let start = machine_in(body, manner);
    let mut classes = Classes {
        start: start.clone(),
        delivery: bounds.delivery,
        manner,
        found: BTreeMap::new(),
        problem: None,
    };
    let explored = bounded::explore(&start, bounds, most, &mut classes);
    match explored.statistics.again {
        true => found(body, &bounds.again(explored.statistics), most),
        false => (classes, explored),
    }
}

/// For each class the least number of preemptions of its interleavings.
type Least = BTreeMap<String, usize>;

/// All classes. Nothing if there are too many interleavings.
fn least(body: &str, max: u64, delivery: Delivery, manner: Manner) -> Option<Least> {
    let mut least = Least::new();
    let start = machine_in(body, manner);
    let all = naive::enumerate(start, max, u64::MAX, delivery, |execution| {
        let preemptions = execution.schedule().preemptions;
        let known = least.entry(class_of(execution)).or_insert(preemptions);
        *known = preemptions.min(*known);
    });
    all.then_some(least)
}

/// Compares the two for several bounds. `false` if there are too many interleavings.
fn try_compare(body: &str, max: u64, delivery: Delivery) -> Result<bool, String> {
    let mut all: BTreeMap<Manner, Least> = BTreeMap::new();
    for leave_out_ends in [true, false] {
        let bounds = Bounds { delivery, leave_out_ends, ..noticing(&Bounds::default()) };
        let manner = found(body, &bounds, 0).0.manner;
        for manner in [Manner::of(&bounds), manner] {
            let Some(least) = least(body, max, delivery, manner) else { return Ok(false) };
            all.insert(manner, least);
        }
    }
    let most_needed = all.values().flat_map(Least::values).max().copied().unwrap_or(0) as u32;
    for leave_out_ends in [true, false] {
        let bounds = Bounds { delivery, leave_out_ends, ..noticing(&Bounds::default()) };
        for most in (0..=3).chain([most_needed.max(4), 1_000]) {
            let (classes, explored) = found(body, &bounds, most);
            let least = match all.entry(classes.manner) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => match least(body, max, delivery, classes.manner) {
                    Some(least) => place.insert(least),
                    None => return Ok(false),
                },
            };
            let statistics = explored.statistics;
            let about = |what: &str| {
                Err(format!(
                    "{what}, at most {most} preemptions, ends left out: {leave_out_ends}\n{body}\n{statistics:?}"
                ))
            };
            if let Some(problem) = classes.problem {
                return about(&problem);
            }
            let expected = least.iter().filter(|(_, fewest)| **fewest <= most as usize);
            for (class, fewest) in expected.clone() {
                match classes.found.get(class) {
                    None => return about(&format!("missing, with {fewest}:\n{class}\n")),
                    Some((1, with)) if with == fewest => {}
                    Some(other) => {
                        return about(&format!("found {other:?}, has {fewest}:\n{class}\n"));
                    }
                }
            }
            if classes.found.len() != expected.count()
                || statistics.executions != classes.found.len() as u64
            {
                return about("more than there should be");
            }
            let is_all = statistics.beyond == 0;
            if statistics.complete != is_all || (is_all && classes.found.len() != least.len()) {
                return about("not all");
            }
            if most == 1_000 && !is_all {
                return about("something is left out");
            }
        }
    }
    // The other search finds no others.
    let other = explore_with(body, Bounds { delivery, ..Bounds::default() }, true);
    match all.get(&other.manner).is_none_or(|least| other.classes.keys().eq(least.keys())) {
        true => Ok(true),
        false => Err(format!("the searches differ\n{body}")),
    }
}

/// How many programs are compared unless the environment says otherwise.
const PROGRAMS: u64 = 40;

/// Compares generated programs, one for each seed from `EXPLORE_RANDOM_SEED` on,
/// `EXPLORE_RANDOM_PROGRAMS` of them. Those with more interleavings than
/// `EXPLORE_RANDOM_INTERLEAVINGS` are left out.
fn compare_all(themes: &[u32], delivery: Delivery) {
    let first = number("EXPLORE_RANDOM_SEED").unwrap_or(1);
    let programs = number("EXPLORE_RANDOM_PROGRAMS").unwrap_or(PROGRAMS);
    let most = number("EXPLORE_RANDOM_INTERLEAVINGS").unwrap_or(400);
    let (mut compared, mut differ) = (0, Vec::new());
    let mut seed = first;
    while compared < programs && differ.len() < 10 {
        let bytes = splitmix(seed);
        let Ok(program) = Program::new(&mut Unstructured::new(&bytes), themes) else {
            panic!("too few bytes for a program");
        };
        match try_compare(&program.text(), most, delivery) {
            Ok(is_compared) => compared += u64::from(is_compared),
            Err(difference) => {
                let smallest = program.minimized(difference, |program| {
                    try_compare(&program.text(), 3_000, delivery).err()
                });
                eprintln!("seed {seed}: {smallest}\n");
                differ.push(seed);
            }
        }
        seed += 1;
    }
    eprintln!("{compared} programs compared, seeds {first} to {}", seed - 1);
    assert!(differ.is_empty(), "programs that differ, by their seeds: {differ:?}");
}

#[test]
fn exactly_those() {
    compare_all(&[0, 1, 2, 3, 4], Delivery::Instant);
}

#[test]
fn exactly_those_of_patterns() {
    compare_all(&[PATTERNS], Delivery::Instant);
}

#[test]
fn exactly_those_of_ends() {
    compare_all(&[ENDS], Delivery::Instant);
}

#[test]
fn exactly_those_of_held_monitors() {
    compare_all(&[HELD], Delivery::Instant);
}

#[test]
fn exactly_those_of_equal_clocks() {
    let_readings_tie(true);
    compare_all(&[CLOCKS], Delivery::Instant);
}

#[test]
fn exactly_those_of_all_deliveries() {
    compare_all(&[0, 1, 2, 4], Delivery::Any);
}

/// What generated programs have shown, and a few that they are unlikely to be.
#[test]
fn exactly_those_of_small_programs() {
    for body in [
        // A look at who has ended.
        "main() -> S = self(), spawn(fun() -> S ! a, exit(process_info(S, messages)) end), S ! b.",
        // One who waits for what comes last; who receives everything; and who gives up.
        "main() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end), receive b -> ok end, receive a -> ok end.",
        "main() -> S = self(), spawn(fun() -> S ! a, S ! c end), spawn(fun() -> S ! b end), exit([receive X -> X end || _ <- [1, 2, 3]]).",
        "main() -> S = self(), spawn(fun() -> S ! a end), exit(receive a -> a after 10 -> none end).",
        // The node stops.
        "main() -> S = self(), spawn(fun() -> halt(1) end), spawn(fun() -> S ! a end), exit(receive a -> a end).",
        // An end with a link to tell, and a monitor that was removed before.
        "main() -> register(a, S = self()), {_, M} = spawn_monitor(fun() -> exit(S, kill), catch link(S) end), demonitor(M, [flush]).",
        // An end that tells of a monitor, and had another that was removed before.
        "main() -> {P, M} = spawn_monitor(fun() -> receive a -> ok end end), demonitor(M, [flush]), monitor(process, P), link(P), P ! a, receive {'DOWN', _, _, _, R} -> exit({got, R}) end.",
        // A timer stops who could go on.
        "main() -> S = self(), erlang:send_after(1, S, a), spawn(fun() -> S ! b end), self() ! c, exit(receive X -> X end).",
    ] {
        match try_compare(body, 20_000, Delivery::Instant) {
            Ok(compared) => assert!(compared, "too many interleavings:\n{body}"),
            Err(difference) => panic!("{difference}"),
        }
    }
}
