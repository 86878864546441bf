//! What belongs to being driven one visible action at a time: whether a process is to stop, what
//! the action that goes on has done so far, signals on their way, and what is remembered of
//! processes, monitors, aliases and objects that are no more.
//!
//! * That is remembered so that actions which commute touch the same, and leave the same, in either
//!   order.
//! * Running freely, all of it is empty, but for signals on their way ([`Flight`]).
//! * The rest of the Machine meets it in `hook.rs`.

use std::collections::{BTreeMap, BTreeSet};

use atom::Atom;
use term::{Pid, Ref, Term};

use super::apart::Ends;
use super::dictionary::Dictionaries;
use super::numbers::{Counters, PidTable};
use super::time::Readings;
use super::{Effect, Ghost, Log};
use crate::flight::Flight;
use crate::footprint::tables::Ever;
use crate::footprint::{Kind, Object};
use crate::process::AliasKind;
use crate::sparse::Sparse;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Mode {
    /// Running freely.
    #[default]
    Off,
    /// The next visible action is not to be done.
    Stop,
    /// It is to be done, and the one after it not.
    Go,
    /// Only to see whether a `receive` takes a message.
    Probe,
}

/// What belongs to being driven.
#[derive(Clone, Default)]
pub(crate) struct Stepping {
    pub(super) mode: Mode,
    /// What the current action has done so far.
    pub(crate) log: Log,
    pub(super) pids: Option<PidTable>,
    /// Counters of the process that runs now.
    pub(super) own: Counters,
    /// Monitors that are no more: whom they watch tells them still, in vain.
    pub(crate) ghosts: Sparse<BTreeMap<Ref, Ghost>>,
    /// Aliases of processes that have ended: a message to one is in vain, like one to the process
    /// itself.
    pub(super) ghost_aliases: Sparse<BTreeMap<Ref, (Pid, AliasKind)>>,
    /// Aliases that serve no more, and whose they were: a message to one travels all the same
    /// (delivery `any`).
    pub(super) past_aliases: Sparse<BTreeMap<Ref, Pid>>,
    /// Processes whose tables somebody else deleted.
    pub(super) dispossessed: Sparse<BTreeSet<Pid>>,
    /// What was ever in which table.
    pub(super) ever: Ever,
    /// Whether logs have arguments.
    pub(super) detailed: bool,
    /// Processes that trapped exits when they ended: signals to them are still messages.
    pub(super) ended_trapping: Sparse<BTreeSet<Pid>>,
    /// Processes that have ended, and those they were linked to until then: signals of these may be
    /// on their way.
    pub(super) ended_linked: Sparse<BTreeSet<(Pid, Pid)>>,
    /// Processes that have ended and had a name or tables.
    pub(super) gave_up: Sparse<BTreeSet<Pid>>,
    /// Processes started by `proc_lib` that have ended.
    pub(super) ended_supervised: Sparse<BTreeSet<Pid>>,
    /// Processes that have ended themselves, in code of the module that had started them.
    pub(super) ended_helpers: Sparse<BTreeMap<Pid, Atom>>,
    /// Timers that are set to this time after the beginning, or later, never fire.
    pub(super) horizon: Option<u64>,
    /// How far a timer that fires, or a process that ends, is ahead.
    pub(crate) ahead: u64,
    /// Monitors that the next end need not tell about.
    pub(super) unheard: Sparse<Vec<Ref>>,
    /// Signals on their way.
    pub(crate) flight: Flight,
    /// Readings of clocks, and heirs of tables.
    pub(super) order: Readings,
    pub(super) dictionaries: Dictionaries,
    pub(super) ends: Ends,
}

impl Stepping {
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.mode != Mode::Off
    }

    /// Whether the process must stop before a visible action.
    #[inline]
    pub(crate) fn gate(&mut self) -> bool {
        self.mode != Mode::Off && self.closed()
    }

    #[cold]
    fn closed(&mut self) -> bool {
        match self.mode {
            Mode::Off => false,
            Mode::Go => {
                self.mode = Mode::Stop;
                false
            }
            Mode::Stop => true,
            Mode::Probe => true,
        }
    }

    /// The gate before a `receive` looks at a message.
    #[inline]
    pub(crate) fn receive_gate(&mut self) -> bool {
        self.mode != Mode::Off && self.mode != Mode::Probe && self.closed()
    }

    #[inline]
    pub(crate) fn is_probing(&self) -> bool {
        self.mode == Mode::Probe
    }

    pub(crate) fn touch(&mut self, kind: Kind, object: Object) {
        if self.is_on() {
            self.log.footprint.add(kind, object);
        }
    }

    pub(crate) fn assign(&mut self, object: Object, value: &Term) {
        if self.is_on() {
            self.log.footprint.assign(object, value);
        }
    }

    pub(crate) fn effect(&mut self, effect: Effect) {
        if self.is_on() {
            self.log.effects.push(effect);
        }
    }

    /// Becomes a copy of another, in the memory that it has.
    pub(crate) fn become_like(&mut self, other: &Stepping) {
        let Stepping {
            mode,
            log,
            pids,
            own,
            ghosts,
            ghost_aliases,
            past_aliases,
            dispossessed,
            ever,
            detailed,
            ended_trapping,
            ended_linked,
            gave_up,
            ended_supervised,
            ended_helpers,
            horizon,
            ahead,
            unheard,
            flight,
            order,
            dictionaries,
            ends,
        } = other;
        (self.mode, self.own, self.detailed) = (*mode, *own, *detailed);
        (self.ahead, self.horizon) = (*ahead, *horizon);
        if !(self.log.is_empty() && log.is_empty()) {
            self.log.clone_from(log);
        }
        let is_same = match (&self.pids, pids) {
            (Some(mine), Some(its)) => mine.is(its),
            _ => false,
        };
        if !is_same {
            self.pids.clone_from(pids);
        }
        self.ghosts.clone_from(ghosts);
        self.ghost_aliases.clone_from(ghost_aliases);
        self.past_aliases.clone_from(past_aliases);
        self.dispossessed.clone_from(dispossessed);
        if !self.ever.is(ever) {
            self.ever.clone_from(ever);
        }
        self.ended_trapping.clone_from(ended_trapping);
        self.ended_linked.clone_from(ended_linked);
        self.gave_up.clone_from(gave_up);
        self.ended_supervised.clone_from(ended_supervised);
        self.ended_helpers.clone_from(ended_helpers);
        self.unheard.clone_from(unheard);
        self.flight.clone_from(flight);
        (self.order, self.dictionaries) = (*order, *dictionaries);
        self.ends.become_like(ends);
    }
}
