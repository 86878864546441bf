//! Runs that are too long to be kept whole, against the same runs kept whole: what is kept says the
//! same and hangs where it should, clusters are small and together hold everything, and a search
//! through them comes to a statement that is to blame.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use code::lower::lower;
use debug::record::Statement;
use debug::zoom::Target;
use debug::{Answer, Next, NodeIx, Recording, Run, Search, Strategy, Window};
use machine::Machine;
use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use runner::library;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, format};

struct Sources(&'static str);

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let source = match module.as_str() {
            "t" => {
                let text = format!("-module(t). -compile(export_all).\n{}", self.0);
                library::read_source(Path::new("t.erl"), &text)
            }
            other => library::tree(other)?,
        };
        let code = lower(&source).unwrap_or_else(|problems| panic!("{module}: {problems:?}"));
        Some(Loaded { code, source: Arc::new(source).into() })
    }
}

/// Programs with calls in tail position and not, funs, comprehensions, exceptions, messages.
const PROGRAMS: &[&str] = &[
    "main() -> fib(12). fib(N) when N < 2 -> N; fib(N) -> fib(N - 1) + fib(N - 2).",
    "main() -> {loop(300, 0), len(lists:seq(1, 200))}.
     loop(0, A) -> A; loop(N, A) -> loop(N - 1, add(A, N)). add(A, B) -> A + B.
     len([]) -> 0; len([_ | T]) -> 1 + len(T).",
    "main() -> lists:sum([sq(X) || X <- lists:seq(1, 100), odd(X)]).
     odd(X) -> X rem 2 =:= 1. sq(X) -> lists:foldl(fun(Y, A) -> add(Y, A) end, X, [1, 2, 3]).
     add(A, B) -> A + B.",
    "main() -> go(60). go(0) -> ok; go(N) -> catch fail(N), go(N - 1).
     fail(N) when N rem 3 =:= 0 -> throw(N); fail(N) -> id(N). id(X) -> X.",
    "main() -> P = spawn(t, server, [0]), ask(P, 40).
     ask(P, 0) -> P ! {self(), get}, receive {sum, S} -> S end;
     ask(P, N) -> P ! {add, twice(N)}, ask(P, N - 1).
     server(S) -> receive {add, N} -> server(plus(S, N)); {From, get} -> From ! {sum, S} end.
     plus(A, B) -> id(A) + id(B). twice(X) -> 2 * X. id(X) -> X.",
    "main() -> Me = self(), P = spawn(fun() -> echo(Me, 30) end), talk(P, 30, []).
     talk(_, 0, L) -> rev(L, []);
     talk(P, N, L) -> P ! {n, N}, R = wait(), talk(P, N - 1, [R | L]).
     wait() -> receive {r, X} -> id(X) end. id(X) -> X.
     rev([], A) -> A; rev([H | T], A) -> rev(T, [H | A]).
     echo(_, 0) -> ok; echo(To, N) -> receive {n, X} -> To ! {r, dbl(X)}, echo(To, N - 1) end.
     dbl(X) -> id(X) * 2.",
];

fn run(program: &'static str, recording: &Recording) {
    let mut machine = Machine::new(Rc::new(Sources(program)), Rc::new(Sealed::default()));
    machine.observe(Some(recording.observer()));
    let pid = machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
    machine.run_to_end(pid, 1_000_000);
    machine.observe(None);
}

fn own() -> [Atom; 1] {
    [Atom::new("t")]
}

/// A run, or a part of it, of which so many statements are kept whole.
fn recorded(program: &'static str, within: Option<Window>, most: usize) -> Run {
    let recording = Recording::with_room(own(), within, most);
    run(program, &recording);
    recording.finish().unwrap_or_else(|kept| {
        let again = Recording::of(own(), kept);
        run(program, &again);
        again.finish().unwrap_or_else(|_| panic!("what is kept fits"))
    })
}

fn says(statement: &Statement) -> String {
    let terms = |terms: &[term::Term]| -> Vec<String> {
        terms.iter().map(format::pretty::to_string).collect()
    };
    let taken = statement.after.as_ref().map(|after| format!("{:?}", after.taken));
    let taken = taken.map(|taken| taken.split("sender").next().unwrap_or_default().to_owned());
    let (args, outcome) = (terms(&statement.args), &statement.outcome);
    format!("{} {:?} {args:?} {taken:?} {outcome:?}", statement.pid.0, statement.function)
}

/// The targets of the statements above each one, itself first.
fn paths(run: &Run) -> FxHashMap<Target, Vec<Target>> {
    let mut paths: FxHashMap<Target, Vec<Target>> = FxHashMap::default();
    for node in run.shape.nodes() {
        let Some(statement) = run.statement(node) else { continue };
        let mut path = vec![statement.target];
        let above = run.statement(run.shape.parent(node)).map(|above| above.target);
        path.extend(above.and_then(|above| paths.get(&above)).into_iter().flatten());
        paths.insert(statement.target, path);
    }
    paths
}

#[test]
fn an_outline_is_the_tree_with_some_left_out() {
    for program in PROGRAMS {
        let whole = recorded(program, None, usize::MAX);
        let (all, above) = (&whole.statements, paths(&whole));
        for most in [1, 2, 7, 40] {
            let outline = recorded(program, None, most);
            let kept: FxHashSet<Target> = outline.statements.iter().map(|one| one.target).collect();
            assert!(kept.len() < all.len() || all.len() < 60, "{program}: {}", kept.len());
            let mut folded: FxHashMap<Target, u32> = FxHashMap::default();
            for statement in all {
                let path = &above[&statement.target];
                let top = path.iter().find(|target| kept.contains(target));
                let top = top.unwrap_or_else(|| panic!("{program}: {path:?} is nowhere"));
                *folded.entry(*top).or_default() += u32::from(*top != statement.target);
            }
            let paths = paths(&outline);
            for statement in &outline.statements {
                let target = statement.target;
                let same = all.iter().find(|other| other.target == target);
                assert_eq!(same.map(says), Some(says(statement)), "{program}");
                let right: Vec<Target> =
                    above[&target].iter().copied().filter(|one| kept.contains(one)).collect();
                assert_eq!(paths[&target], right, "{program}: {}", says(statement));
                let expected = folded.get(&target).copied().unwrap_or_default();
                assert_eq!(statement.folded, expected, "{program}: {}", says(statement));
            }
        }
    }
}

#[test]
fn a_search_goes_through_clusters() {
    for program in PROGRAMS {
        let whole = recorded(program, None, usize::MAX);
        let above = paths(&whole);
        let said: FxHashMap<Target, String> =
            whole.statements.iter().map(|one| (one.target, says(one))).collect();
        let step = (whole.statements.len() / 12).max(1);
        for fault in whole.statements.iter().step_by(step) {
            // Wrong is what says the same, and everything above that.
            let fault = says(fault);
            let same = whole.statements.iter().filter(|one| says(one) == fault);
            let wrong: FxHashSet<String> = same
                .flat_map(|one| &above[&one.target])
                .map(|target| said[target].clone())
                .collect();
            for strategy in [Strategy::Informed, Strategy::DivideAndQuery, Strategy::TopDown] {
                let blamed = search(program, strategy, &wrong);
                assert!(wrong.contains(&blamed), "{program} {strategy:?} {fault}: {blamed}");
                let is_above = above.values().any(|path| match &path[..] {
                    [one, above, ..] => said[above] == blamed && wrong.contains(&said[one]),
                    _ => false,
                });
                assert!(!is_above, "{program} {strategy:?} {fault}: {blamed}");
            }
        }
    }
}

/// What is to blame, by a search through an outline and then through its clusters.
fn search(program: &'static str, strategy: Strategy, wrong: &FxHashSet<String>) -> String {
    let most = 9;
    let mut run = recorded(program, None, most);
    let mut known: Vec<(NodeIx, Answer)> = Vec::new();
    loop {
        let mut search = Search::new(&run.shape, strategy);
        search.narrow();
        for (node, answer) in known.drain(..) {
            let _ = search.answer(node, answer);
        }
        let buggy = loop {
            match search.next() {
                Next::Ask(node) | Next::Confirm(node) => {
                    let is_wrong =
                        run.statement(node).is_some_and(|one| wrong.contains(&says(one)));
                    let answer = if is_wrong { Answer::Wrong } else { Answer::Right };
                    search.answer(node, answer).expect("nothing else was said of it");
                }
                Next::Buggy(node) => break node,
                other => panic!("{program}: {other:?}"),
            }
        };
        let Some(window) = run.window(buggy) else {
            return run.statement(buggy).map(says).unwrap_or_default();
        };
        let top = window.top;
        let part = recorded(program, Some(window), most);
        for node in part.shape.nodes().skip(1) {
            let Some(inner) = part.statement(node) else { continue };
            let said = match run.find(inner.target) {
                _ if inner.target == top => Some(Answer::Wrong),
                _ if part.shape.parent(node) == NodeIx::ROOT => Some(Answer::Right),
                Some(outer) => search.known(outer),
                None => None,
            };
            known.extend(said.map(|said| (node, said)));
        }
        assert!(part.find(top).is_some(), "{program}");
        run = part;
    }
}
