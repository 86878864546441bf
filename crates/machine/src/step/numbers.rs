//! Numbers of processes and references: they depend on who makes them and on what that process made before,
//! not on what others did.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use term::Pid;

use super::Stepping;
use crate::machine::Machine;

/// How many processes and references a process has made.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counters {
    spawned: u32,
    made: u32,
}

/// The process identifier of the n-th process that a process starts: the same in every run that
/// shares this table, whatever else happens.
#[derive(Clone, Default, Debug)]
pub struct PidTable(Arc<Mutex<PidNames>>);

impl PidTable {
    /// A table for processes from this number on.
    pub(super) fn new(next: u64) -> PidTable {
        PidTable(Arc::new(Mutex::new(PidNames { names: FxHashMap::default(), next })))
    }

    /// Whether the two are the same table.
    pub(super) fn is(&self, other: &PidTable) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn names(&self) -> MutexGuard<'_, PidNames> {
        // What is in the table is always whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default, Debug)]
struct PidNames {
    names: FxHashMap<(Pid, u32), Pid>,
    next: u64,
}

impl Stepping {
    /// The pid of the next process that `parent` makes.
    pub(crate) fn new_pid(&mut self, parent: Option<Pid>) -> Option<Pid> {
        let names = self.pids.as_ref()?;
        let parent = parent.unwrap_or(Pid(0));
        let number = self.own.spawned;
        self.own.spawned += 1;
        let mut names = names.names();
        let next = names.next;
        let pid = *names.names.entry((parent, number)).or_insert(Pid(next));
        if pid.0 == next {
            names.next += 1;
        }
        Some(pid)
    }

    /// A number that no other process makes.
    pub(crate) fn new_number(&mut self, maker: Option<Pid>) -> Option<u64> {
        if !self.is_on() {
            return None;
        }
        self.own.made += 1;
        Some((maker.map_or(0, |pid| pid.0) + 1) << 32 | u64::from(self.own.made))
    }
}

impl Machine {
    /// The table that gives processes their numbers, for other Machines that are to give the same.
    pub fn pid_table(&self) -> Option<PidTable> {
        self.state.step.pids.clone()
    }

    /// Takes over the numbers of another Machine that began in the same way.
    pub fn use_pid_table(&mut self, table: PidTable) {
        self.state.step.pids = Some(table);
    }

    /// Which processes were given numbers, in the order of the numbers: who started them, and as which
    /// of its processes.
    pub fn pid_names(&self) -> Vec<(Pid, u32)> {
        let Some(names) = &self.state.step.pids else { return Vec::new() };
        let names = names.names();
        let mut list: Vec<(Pid, (Pid, u32))> =
            names.names.iter().map(|(maker, pid)| (*pid, *maker)).collect();
        list.sort_unstable();
        list.into_iter().map(|(_, maker)| maker).collect()
    }

    /// Gives processes the numbers that they had in another run.
    pub fn set_pid_names(&mut self, makers: &[(Pid, u32)]) {
        let Some(names) = &self.state.step.pids else { return };
        let mut names = names.names();
        for maker in makers {
            if !names.names.contains_key(maker) {
                let pid = Pid(names.next);
                names.names.insert(*maker, pid);
                names.next += 1;
            }
        }
    }
}
