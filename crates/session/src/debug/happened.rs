//! What happened between processes, in the order of the run: for diagrams, and for who should have
//! sent a message that did not come.

use std::collections::BTreeMap;

use ::debug::record::{Outcome, Taken};
use machine::Pid;
use term::print;

use super::{Debugged, NodeIx, shown};

/// Something that a process did to another, or took from it.
#[derive(Clone, Debug)]
pub struct Happened {
    /// Its place in the run; questions refer to it.
    pub number: u32,
    pub process: String,
    pub what: What,
    /// The call that it was part of.
    pub call: String,
}

#[derive(Clone, Debug)]
pub enum What {
    Sent {
        to: String,
        message: String,
        id: u64,
    },
    Started {
        process: String,
    },
    Took {
        message: String,
        id: u64,
    },
    GaveUp,
    /// It waited when the run was over.
    Waits,
}

impl Debugged {
    /// What happened between processes, in its order, at most so much of it.
    pub fn happened(&self, most: usize) -> Vec<Happened> {
        let mut all = Vec::new();
        let mut waiting: BTreeMap<Pid, String> = BTreeMap::new();
        for statement in &self.run.statements {
            let process = print::pid(statement.pid);
            let call = self.call(statement);
            let mut add = |number: u32, what: What| {
                all.push(Happened { number, process: process.clone(), what, call: call.clone() });
            };
            match statement.after.as_ref().map(|after| (after.number, &after.taken)) {
                Some((number, Taken::Message { message, id, .. })) => {
                    add(number, What::Took { message: shown(message), id: id.0 });
                }
                Some((number, Taken::TimeOut { .. })) => add(number, What::GaveUp),
                None => {}
            }
            for sent in &statement.sent {
                let (to, message) = (print::pid(sent.to), shown(&sent.message));
                add(sent.number, What::Sent { to, message, id: sent.id.0 });
            }
            for new in &statement.spawned {
                add(new.number, What::Started { process: print::pid(new.pid) });
            }
            if matches!(statement.outcome, Outcome::Unfinished) {
                waiting.insert(statement.pid, call);
            }
        }
        all.sort_by_key(|event| event.number);
        // Several parts of a process may have begun with the same message.
        all.dedup_by(|a, b| a.number == b.number && a.process == b.process);
        all.truncate(most);
        for (pid, call) in waiting {
            let (number, process) = (0, print::pid(pid));
            all.push(Happened { number, process, what: What::Waits, call });
        }
        all
    }

    /// The statements to ask about if a message did not come that somebody waited for: the last of
    /// each other process, or of this one; first of those that were told something by who waits.
    pub fn should_have_sent(&self, node: NodeIx, process: Option<&str>) -> Vec<NodeIx> {
        let Some(waits) = self.run.statement(node).map(|statement| statement.pid) else {
            return Vec::new();
        };
        let mut last: BTreeMap<Pid, NodeIx> = BTreeMap::new();
        let mut told: Vec<Pid> = Vec::new();
        for node in self.run.shape.nodes() {
            let Some(statement) = self.run.statement(node) else { continue };
            if statement.pid == waits {
                told.extend(statement.sent.iter().map(|sent| sent.to));
            } else if process.is_none_or(|process| print::pid(statement.pid) == process) {
                // Later nodes of a process began later; the outermost call says most.
                let is_top = self.run.shape.parent(node) == NodeIx::ROOT;
                if is_top || !last.contains_key(&statement.pid) {
                    last.insert(statement.pid, node);
                }
            }
        }
        let mut all: Vec<(Pid, NodeIx)> = last.into_iter().collect();
        let rank = |pid: &Pid| told.iter().rev().position(|told| told == pid);
        all.sort_by_key(|(pid, _)| rank(pid).unwrap_or(usize::MAX));
        all.into_iter().map(|(_, node)| node).collect()
    }
}
