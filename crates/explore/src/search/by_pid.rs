//! What the search knows of processes, timers and signals, by their numbers: processes have small
//! ones, so that they are looked up without hashing. Numbers that a program makes up can be large,
//! and are not: these are hashed.

use machine::Pid;
use machine::step::Actor;
use rustc_hash::FxHashMap;

use crate::event::{ActorNumber, MessageId};

/// The numbers of actors in the search.
#[derive(Default)]
pub(super) struct Numbers {
    /// By the number of the process; 0 if there is none, because that is the beginning's.
    processes: Vec<ActorNumber>,
    /// Timers and signals. Where one execution has a timer, another may have a signal with the same
    /// reference.
    others: FxHashMap<Actor, ActorNumber>,
}

impl Numbers {
    pub(super) fn get(&self, actor: Actor) -> Option<ActorNumber> {
        match actor {
            Actor::Process(pid) => {
                self.processes.get(pid.0 as usize).copied().filter(|number| *number != 0)
            }
            Actor::Timer(_) | Actor::Signal(_) => self.others.get(&actor).copied(),
        }
    }

    pub(super) fn insert(&mut self, actor: Actor, number: ActorNumber) {
        match actor {
            Actor::Process(pid) => *at(&mut self.processes, pid) = number,
            Actor::Timer(_) | Actor::Signal(_) => {
                self.others.insert(actor, number);
            }
        }
    }
}

/// Which messages are in which mailbox, in the order of the Machine's.
#[derive(Default)]
pub(super) struct Mailboxes {
    /// Of processes that have been there, by their numbers.
    known: Vec<Vec<MessageId>>,
    /// Of others. A program can make up any number and send to it (`list_to_pid/1`).
    others: FxHashMap<Pid, Vec<MessageId>>,
}

impl Mailboxes {
    /// A process is there, and its mailbox is empty.
    pub(super) fn begin(&mut self, pid: Pid) -> &mut Vec<MessageId> {
        let mailbox = at(&mut self.known, pid);
        mailbox.clear();
        mailbox
    }

    /// What is in the mailbox of a process; nothing if nobody ever sent it anything.
    pub(super) fn get(&self, pid: Pid) -> &[MessageId] {
        self.known.get(pid.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn of(&mut self, pid: Pid) -> &mut Vec<MessageId> {
        match self.known.get_mut(pid.0 as usize) {
            Some(mailbox) => mailbox,
            None => self.others.entry(pid).or_default(),
        }
    }
}

/// Only for processes that are there: the list gets as long as the number is large.
fn at<T: Default>(list: &mut Vec<T>, pid: Pid) -> &mut T {
    let place = pid.0 as usize;
    if list.len() <= place {
        list.resize_with(place + 1, T::default);
    }
    &mut list[place]
}
