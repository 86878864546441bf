//! The processes of a run: who started whom, with what, and when they ended.
//!
//! A process is known across runs by its *path*: what the one that started it is, what it began
//! with, and which of those that were started alike it is. So it is the same process if another one
//! was started before it, which shifts all numbers.

use std::hash::Hasher;

use atom::Atom;
use machine::Pid;
use machine::control::Start;
use rustc_hash::{FxHashMap, FxHasher};
use term::order::exact_eq;
use term::{Fun, Term};

/// So many are remembered.
const MOST_PROCESSES: usize = 1_000_000;

/// A process, whoever started it.
#[derive(Clone, Debug)]
pub struct Process {
    pub pid: Pid,
    /// None for one that was started from outside.
    parent: Option<Pid>,
    /// Module and function that it begins with.
    begins: (Atom, Atom),
    /// So much had been done in the run when it ended.
    pub ended: Option<u32>,
}

/// Those of a run, in the order in which they were started.
#[derive(Clone, Default, Debug)]
pub struct Processes {
    all: Vec<Process>,
    places: FxHashMap<Pid, usize>,
    /// Their paths, as numbers, once the run is over.
    paths: FxHashMap<Pid, u64>,
    /// Names that were given to them, or taken away, when so much had been done.
    names: Vec<(u32, Term, Option<Pid>)>,
}

impl Processes {
    pub(super) fn started(&mut self, pid: Pid, parent: Option<Pid>, entry: &Start) {
        if self.all.len() < MOST_PROCESSES {
            let nothing = (Atom::new(""), Atom::new(""));
            let begins = match entry {
                Start::Apply { module, name, .. } => (*module, *name),
                Start::Fun { fun, .. } => match fun.as_fun() {
                    Some(Fun::Local(made)) => (made.module, made.name),
                    Some(Fun::External { module, name, .. }) => (*module, *name),
                    None => nothing,
                },
                Start::Raise(_) => nothing,
            };
            self.places.insert(pid, self.all.len());
            self.all.push(Process { pid, parent, begins, ended: None });
        }
    }

    /// A process ended when so much had been done.
    pub(super) fn ended(&mut self, pid: Pid, done: u32) {
        if let Some(&at) = self.places.get(&pid) {
            self.all[at].ended = Some(done);
        }
    }

    /// A name is given to a process, or taken away.
    pub(super) fn named(&mut self, name: &Term, pid: Option<Pid>, done: u32) {
        if self.names.len() < MOST_PROCESSES {
            self.names.push((done, name.clone(), pid));
        }
    }

    /// The names that processes had when so much had been done, each with its process.
    pub fn names_at(&self, done: u32) -> Vec<(Term, Pid)> {
        let mut names: Vec<(Term, Pid)> = Vec::new();
        for (_, name, pid) in self.names.iter().take_while(|(at, _, _)| *at <= done) {
            names.retain(|(known, _)| !exact_eq(known, name));
            names.extend(pid.map(|pid| (name.clone(), pid)));
        }
        names.retain(|(_, pid)| self.is_alive(*pid, done));
        names
    }

    /// Names that were given or taken away between two moments, each with when that was.
    pub fn names_between(
        &self,
        from: u32,
        until: u32,
    ) -> impl Iterator<Item = (u32, &Term, Option<Pid>)> {
        let named = self.names.iter().filter(move |(at, _, _)| from < *at && *at < until);
        named.map(|(at, name, pid)| (*at, name, *pid))
    }

    /// The run is over.
    pub(crate) fn finish(mut self) -> Processes {
        let mut alike: FxHashMap<(u64, Atom, Atom), u32> = FxHashMap::default();
        for process in &self.all {
            let parent = process.parent.and_then(|parent| self.paths.get(&parent).copied());
            let (module, name) = process.begins;
            let nth = alike.entry((parent.unwrap_or(0), module, name)).or_default();
            *nth += 1;
            let mut hasher = FxHasher::default();
            hasher.write_u64(parent.unwrap_or(0));
            hasher.write(module.as_str().as_bytes());
            hasher.write_u8(0xff);
            hasher.write(name.as_str().as_bytes());
            hasher.write_u32(*nth);
            self.paths.insert(process.pid, hasher.finish());
        }
        self
    }

    pub fn iter(&self) -> impl Iterator<Item = &Process> {
        self.all.iter()
    }

    /// Whether a process had not ended when so much had been done.
    pub fn is_alive(&self, pid: Pid, done: u32) -> bool {
        let process = self.places.get(&pid).map(|&at| &self.all[at]);
        process.is_some_and(|process| process.ended.is_none_or(|ended| ended >= done))
    }

    /// Whether a process is another one of another run. Those of the node itself have the same
    /// numbers in each.
    pub fn is_same(&self, pid: Pid, others: &Processes, other: Pid) -> bool {
        match (self.paths.get(&pid), others.paths.get(&other)) {
            (Some(path), Some(other)) => path == other,
            _ => pid == other,
        }
    }
}
