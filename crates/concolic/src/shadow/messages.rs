//! What depends on the inputs goes from process to process: messages, exceptions, what processes
//! begin with.

use code::instr::{Instr, Slot};
use machine::observe::{Event, MessageId, Moment, Sender};
use machine::process::Process;

use super::calls::Called;
use super::{Here, Lane, State};

impl State {
    pub(super) fn send(&mut self, here: Here<'_>, instr: &Instr) {
        let Instr::Send { dst, to, message } = *instr else { return };
        let values = [self.value(here, to.index()), self.value(here, message.index())];
        let result = here.process.base + dst.0 as usize;
        self.lane.set(result, values[1].expr);
        if values.iter().any(|value| value.expr.is_some()) {
            if values[0].expr.is_some() {
                self.lose("a message to an unknown process".to_owned());
                self.pin(&values[..1]);
            }
            self.wait(here, Called::Send, values.to_vec(), result);
        }
    }

    /// A `receive` looks at the next message.
    pub(super) fn peek(&mut self, here: Here<'_>, moment: &Moment<'_>, dst: Slot) {
        if let Some(id) = self.looked_at(moment) {
            let expr = self.messages.get(&id).copied();
            self.lane.set(here.process.base + dst.0 as usize, expr);
        }
    }

    pub(super) fn told(&mut self, moment: &Moment<'_>, event: &Event<'_>) {
        let process = moment.process;
        match event {
            Event::Send { id, sender, to, message } => {
                self.sent.push((*to, *id, (*message).clone()));
                match sender {
                    Sender::Process(_) => self.goes_along(*id, message),
                    sender => self.hears(*sender, *id, message),
                }
            }
            Event::Raise { .. } => {
                self.lane.answer = None;
                if let Some(process) = process {
                    let here = Here { code: moment.code, process, pc: process.pc };
                    self.commit(here, None);
                }
            }
            Event::Catch { at } => {
                if let Some(process) = process {
                    self.caught(moment, process, *at);
                }
            }
            Event::Spawn { child, entry } => {
                let start = self.started(entry);
                self.lanes.insert(*child, Lane { start, ..Lane::default() });
            }
            Event::Exit { pid, reason } => {
                let is_heard = process.is_some_and(|process| !process.monitored_by.is_empty());
                self.ended(*pid, reason, is_heard || self.main != Some(*pid));
            }
            Event::ExitSignal { from, to, linked: true, .. } => self.signalled(*from, *to),
            _ => {}
        }
    }

    /// A message is sent: what it depends on goes with it.
    fn goes_along(&mut self, id: MessageId, message: &machine::Term) {
        let Some(pending) = &self.lane.pending else { return };
        // The message is the argument that is sent: nothing else is the same term.
        let sent = pending
            .args
            .iter()
            .find(|arg| arg.expr.is_some() && term::order::exact_eq(&arg.term, message));
        if let Some(expr) = sent.and_then(|arg| arg.expr) {
            self.messages.insert(id, expr);
        }
    }

    /// An exception was caught: its reason is in the second of three slots.
    fn caught(&mut self, moment: &Moment<'_>, process: &Process, at: Option<u32>) {
        let reason = self.lane.raising.take();
        let Some(Instr::Try { at, .. }) = at.and_then(|pc| moment.code.instruction(pc)) else {
            return;
        };
        let first = process.base + at.0 as usize;
        self.lane.set(first, None);
        self.lane.set(first + 1, reason);
        self.lane.set(first + 2, None);
    }
}
