//! The calls of a run: an observer that keeps, for each function of the program, with what it was
//! called and what it returned.
//!
//! Each process has a stack of calls; one in tail position stands beside the one whose place it
//! takes, for it gives that one's result, too. An exception that is caught forgets the stack: calls
//! that are open then are no samples, and none is told wrongly.

use std::cell::RefCell;
use std::collections::BTreeMap;

use atom::Atom;
use machine::observe::{Event, Interest, Moment, Observer};
use machine::{Pid, Term};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) type Function = (Atom, Atom, u32);

/// A call that returned.
pub(super) struct Sample {
    pub(super) args: Vec<Term>,
    pub(super) result: Term,
    /// Whether it was made from outside of the program's own functions.
    pub(super) is_from_outside: bool,
}

/// So many samples of a function are kept.
const MOST: usize = 2_000;

struct Open {
    function: Function,
    args: Vec<Term>,
    is_from_outside: bool,
}

#[derive(Default)]
struct Kept {
    /// Frames, and the calls of the program that end with each.
    stacks: FxHashMap<Pid, Vec<Vec<Open>>>,
    samples: BTreeMap<Function, Vec<Sample>>,
}

pub(super) struct Sampler {
    own: FxHashSet<Atom>,
    kept: RefCell<Kept>,
}

impl Sampler {
    pub(super) fn new(own: FxHashSet<Atom>) -> Sampler {
        Sampler { own, kept: RefCell::default() }
    }

    /// A run is over: what is open is forgotten.
    pub(super) fn end(&self) {
        self.kept.borrow_mut().stacks.clear();
    }

    pub(super) fn samples(&self) -> BTreeMap<Function, Vec<Sample>> {
        std::mem::take(&mut self.kept.borrow_mut().samples)
    }
}

impl Observer for Sampler {
    fn interest(&self) -> Interest {
        Interest::CALLS.and(Interest::EXCEPTIONS).and(Interest::PROCESSES)
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        let Some(pid) = moment.pid() else { return };
        let mut kept = self.kept.borrow_mut();
        let Kept { stacks, samples } = &mut *kept;
        match event {
            Event::Call { callee, args, tail } => {
                let stack = stacks.entry(pid).or_default();
                let mfa = callee.mfa;
                // Funs and functions without parameters have no samples, but they are its own.
                let is_wanted = self.own.contains(&mfa.module);
                let open = is_wanted.then(|| Open {
                    function: (mfa.module, mfa.name, mfa.arity),
                    args: args.to_vec(),
                    is_from_outside: stack.iter().all(Vec::is_empty),
                });
                match stack.last_mut() {
                    Some(frame) if *tail => frame.extend(open),
                    _ => stack.push(open.into_iter().collect()),
                }
            }
            Event::Return { value } => {
                let over = stacks.get_mut(&pid).and_then(Vec::pop).unwrap_or_default();
                let has_samples =
                    |open: &Open| open.function.2 > 0 && !open.function.1.as_str().starts_with('-');
                for Open { function, args, is_from_outside } in over.into_iter().filter(has_samples)
                {
                    let samples = samples.entry(function).or_default();
                    if samples.len() < MOST {
                        samples.push(Sample { args, result: (*value).clone(), is_from_outside });
                    }
                }
            }
            Event::Catch { .. } | Event::Exit { .. } => {
                stacks.remove(&pid);
            }
            _ => {}
        }
    }
}
