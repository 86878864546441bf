//! Numbers of processes and references: they depend on who makes them and on what that process made
//! before, not on what others did.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use term::{Pid, Ref};

use super::Stepping;
use crate::machine::Machine;

/// How many processes and references a process has made, and how many signals it has sent that
/// travel.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counters {
    spawned: u32,
    made: u32,
    set_off: u32,
}

/// The process identifier of the n-th process that a process starts: the same in every run that
/// shares this table, whatever else happens.
#[derive(Clone, Default, Debug)]
pub struct PidTable(Arc<Mutex<PidNames>>);

impl PidTable {
    /// A table for processes from this number on.
    pub(super) fn new(next: u64) -> PidTable {
        PidTable(Arc::new(Mutex::new(PidNames::from(next))))
    }

    /// Whether the two are the same table.
    pub(super) fn is(&self, other: &PidTable) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Who started a process, and as which of its processes. `None` for one that was there before.
    pub fn maker(&self, pid: Pid) -> Option<(Pid, u32)> {
        let names = self.names();
        names.makers.get(usize::try_from(pid.0.checked_sub(names.first)?).ok()?).copied()
    }

    fn names(&self) -> MutexGuard<'_, PidNames> {
        // What is in the table is always whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default, Debug)]
struct PidNames {
    names: FxHashMap<(Pid, u32), Pid>,
    /// Who has which number: the first of them, and from there on who started it.
    first: u64,
    makers: Vec<(Pid, u32)>,
}

impl PidNames {
    fn from(first: u64) -> PidNames {
        PidNames { first, ..PidNames::default() }
    }

    /// The number of the n-th process that a process starts.
    fn number(&mut self, maker: (Pid, u32)) -> Pid {
        let next = Pid(self.first + self.makers.len() as u64);
        let pid = *self.names.entry(maker).or_insert(next);
        if pid == next {
            self.makers.push(maker);
        }
        pid
    }
}

impl Stepping {
    /// The pid of the next process that `parent` makes.
    pub(crate) fn new_pid(&mut self, parent: Option<Pid>) -> Option<Pid> {
        let names = self.pids.as_ref()?;
        let parent = parent.unwrap_or(Pid(0));
        let number = self.own.spawned;
        self.own.spawned += 1;
        Some(names.names().number((parent, number)))
    }

    /// A number that no other process makes.
    pub(crate) fn new_number(&mut self, maker: Option<Pid>) -> Option<u64> {
        if !self.is_on() {
            return None;
        }
        self.own.made += 1;
        Some(number_of(maker, self.own.made))
    }

    /// The number of a signal. It does not depend on what the process made between visible actions,
    /// which it may not have done yet when it ends.
    pub(crate) fn new_signal(&mut self, sender: Pid) -> Option<Ref> {
        if !self.is_on() {
            return None;
        }
        self.own.set_off += 1;
        Some(Ref(number_of(Some(sender), self.own.set_off)))
    }
}

fn number_of(maker: Option<Pid>, nth: u32) -> u64 {
    (maker.map_or(0, |pid| pid.0) + 1) << 32 | u64::from(nth)
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

    /// Which processes were given numbers, in the order of the numbers: who started them, and as
    /// which of its processes.
    pub fn pid_names(&self) -> Vec<(Pid, u32)> {
        let Some(names) = &self.state.step.pids else { return Vec::new() };
        names.names().makers.clone()
    }

    /// From now on processes are numbered as they are started, whatever numbers they had in other
    /// runs. Those that are there keep theirs.
    pub fn forget_pid_names(&mut self) {
        let next = self.next_pid();
        if let Some(names) = &mut self.state.step.pids {
            let mut anew = PidNames::from(names.names().first);
            let known = names.names().makers.clone();
            let there = next.saturating_sub(anew.first) as usize;
            for maker in known.into_iter().take(there) {
                anew.number(maker);
            }
            *names = PidTable(Arc::new(Mutex::new(anew)));
        }
    }

    /// The number after those of the processes that are there.
    pub fn next_pid(&self) -> u64 {
        self.state.node.pids().last().map_or(0, |pid| pid.0 + 1)
    }

    /// Gives processes the numbers that they had in another run.
    pub fn set_pid_names(&mut self, makers: &[(Pid, u32)]) {
        let Some(names) = &self.state.step.pids else { return };
        let mut names = names.names();
        for maker in makers {
            names.number(*maker);
        }
    }
}
