//! Messages that a `receive` passes over, on a Machine that is driven step by step.
//!
//! There a `receive` is asked which messages it would take before it takes one. Which they are is
//! decided by the inputs, so these decisions are noted when it is asked, be a message taken or not:
//! in another run whose messages are taken otherwise the path is another one.
//!
//! A message that comes after a `receive` has taken its own could have come before. Whoever
//! explores schedules asks whether it would have been taken; for other inputs the answer may be
//! another one. So when a run is over every such message is held against the `receive`
//! ([`Missed`]), and what that decides is noted behind everything else.

use machine::observe::{MessageId, Moment};
use machine::process::Process;
use machine::{Pid, Term};
use solver::ExprId;

use super::{Here, Lane, Shadow, State};

/// The slots of a `receive` before it was asked about a message.
pub(crate) struct Kept {
    base: usize,
    slots: Vec<Option<ExprId>>,
}

/// A `receive` that has taken a message, or waits, and how many messages had been sent then.
#[derive(Clone, Debug)]
pub struct Stood {
    pid: Pid,
    slots: Vec<Option<ExprId>>,
    sent: usize,
}

/// A message that came later than a `receive` was done with.
pub struct Missed {
    pub message: Term,
    id: MessageId,
}

impl Shadow {
    /// The `receive` before which a process stands: what of it depends on the inputs.
    pub fn stood(&self, process: &Process) -> Stood {
        let state = &mut *self.state.borrow_mut();
        state.turn_to(process);
        let slots = match &state.lane.kept {
            Some(kept) => kept.slots.clone(),
            None => state.lane.slots.get(process.base..).unwrap_or_default().to_vec(),
        };
        Stood { pid: process.pid, slots, sent: state.sent.len() }
    }

    /// The messages that came to a process after it stood there and depend on the inputs; all of
    /// them where what the `receive` asks for does.
    pub fn missed(&self, stood: &Stood) -> Vec<Missed> {
        let state = self.state.borrow();
        let asks = stood.slots.iter().any(Option::is_some);
        let later = state.sent[stood.sent.min(state.sent.len())..].iter();
        later
            .filter(|(to, id, _)| *to == stood.pid && (asks || state.messages.contains_key(id)))
            .map(|(_, id, message)| Missed { message: message.clone(), id: *id })
            .collect()
    }

    /// Which processes meet in tables is decided by keys: noted for those that did not meet, too.
    pub fn relate_keys(&self) {
        self.state.borrow_mut().relate_keys();
    }

    /// From now on probes are those of a `receive` that is asked about a message that it missed.
    pub fn ask_again(&self, stood: &Stood, missed: &Missed) {
        let state = &mut *self.state.borrow_mut();
        state.lanes.clear();
        state.current = Some(stood.pid);
        state.lane = Lane { slots: stood.slots.clone(), ..Lane::default() };
        state.missed = Some(missed.id);
    }
}

impl State {
    /// The slots are as they were before a `receive` was asked about messages.
    pub(super) fn forget_probes(&mut self) {
        if let Some(kept) = self.lane.kept.take() {
            self.lane.slots.truncate(kept.base);
            self.lane.slots.resize(kept.base, None);
            self.lane.slots.extend(kept.slots);
        }
    }

    /// A `receive` is asked about the next message.
    pub(super) fn begin_probe(&mut self, process: &Process) {
        self.forget_probes();
        let base = process.base;
        let slots = self.lane.slots.get(base..).unwrap_or_default().to_vec();
        self.lane.kept = Some(Kept { base, slots });
    }

    /// The message that a `receive` looks at.
    pub(super) fn looked_at(&self, moment: &Moment<'_>) -> Option<MessageId> {
        self.missed.or_else(|| moment.next_message())
    }

    pub(super) fn probe(
        &mut self,
        here: Here<'_>,
        moment: &Moment<'_>,
        instr: &code::instr::Instr,
    ) {
        use code::instr::Instr;
        match instr {
            // For how long it waits is looked at when it does.
            Instr::Wait { .. } | Instr::WaitTimeout { .. } => return,
            Instr::Peek { .. } => self.begin_probe(here.process),
            _ => {}
        }
        self.step(here, moment, instr);
    }
}
