//! Sending a message, and what a `receive` does with those that are there.

use atom::known;
use code::instr::Pc;
use term::{Boxed, Term, View};

use super::ops::operator_failed;
use crate::builtins::Ctx;
use crate::code_space::CodeSpace;
use crate::exception::Exception;
use crate::observe::{self, Event, Interest};
use crate::process::{Deadline, Process};
use crate::state::{State, Timer};
use crate::step;

/// `To ! Message`; a failure is told as that of `erlang:send/2`.
pub(crate) fn send(cx: &mut Ctx<'_>, to: &Term, message: Term) -> Result<(), Exception> {
    let bad = |message| Err(operator_failed("send", known::BADARG, vec![to.clone(), message]));
    match to.view() {
        View::Pid(pid) => cx.node().send(pid, message),
        View::Atom(name) => match cx.s.node.registry.get(&name) {
            Some(&pid) => cx.node().send(pid, message),
            None => return bad(message),
        },
        View::Ref(alias) => cx.node().send_to_alias(alias, message),
        View::Port(port) => {
            if let Some(pid) = cx.s.node.behind_port(port) {
                cx.node().send(pid, message);
            }
        }
        // Another node, which is not there.
        View::Boxed(Boxed::Foreign(_)) => {}
        View::Tuple([name, node]) => {
            let (Some(name), Some(node)) = (name.as_atom(), node.as_atom()) else {
                return bad(message);
            };
            // A name of this node; other nodes are not there.
            if node == known::NONODE
                && let Some(&pid) = cx.s.node.registry.get(&name)
            {
                cx.node().send(pid, message);
            }
        }
        _ => return bad(message),
    }
    Ok(())
}

/// A `receive` takes only messages that have the reference at this place of the stack in them, and
/// need not look at those that came before it was made.
#[inline(always)]
pub(super) fn skip_older(s: &State, p: &mut Process, at: usize) {
    if !step::note_receive_of(s, p, at)
        && !p.marks.is_empty()
        && let Some(reference) = p.stack[at].as_ref()
    {
        p.looked = p.marks.position(reference);
    }
}

/// The `receive` at this instruction takes the message that it looks at.
#[inline(always)]
pub(super) fn take<const WATCHED: bool>(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    receive: Pc,
) {
    let message = p.mailbox.remove(p.looked);
    p.marks.removed(p.looked);
    if WATCHED && let Some(message) = &message {
        let id = p.message_ids.remove(p.looked).unwrap_or_default();
        let event = Event::Receive { id, message, receive };
        observe::tell(code, s, Some(p), Interest::MESSAGES, &event);
    }
    step::note_taken(s, p, message);
    end_receive(s, p);
}

/// The first time that a `receive` finds no message: until when it waits. The timeout is at this
/// place of the stack.
pub(super) fn set_timeout(s: &mut State, p: &mut Process, at: usize) -> Result<(), Exception> {
    if p.timeout.is_none() {
        let timeout = p.stack[at].clone();
        p.timeout = Some(deadline(s, p, &timeout)?);
    }
    Ok(())
}

/// When a `receive … after Timeout` that starts to wait now gives up.
fn deadline(s: &mut State, p: &mut Process, timeout: &Term) -> Result<Deadline, Exception> {
    match timeout.view() {
        View::Atom(atom) if atom == known::INFINITY => Ok(Deadline::Never),
        View::Int(0) => Ok(Deadline::Expired),
        View::Int(ms) if (1..=0xFFFF_FFFF).contains(&ms) => {
            let at = s.node.now + ms as u64 * 1_000_000;
            let (at, number) = s.add_timer(at, Timer::Receive(p.pid));
            Ok(Deadline::At(at, number))
        }
        _ => {
            // The next `receive` looks at all messages again.
            p.looked = 0;
            Err(Exception::atom(known::TIMEOUT_VALUE))
        }
    }
}

/// A `receive` is over: the next one looks at all messages again.
pub(super) fn end_receive(s: &mut State, p: &mut Process) {
    p.looked = 0;
    if let Some(Deadline::At(at, number)) = p.timeout.take() {
        s.remove_timer((at, number));
    }
}

/// Before a process waits, possibly for long: releases what lies above its frames. (The frame of a
/// caller may reach further than that of what it called, which begins inside of it.) Of a deep
/// stack some is kept, or a process that waits again and again would let it go and get it back each
/// time.
pub(super) fn trim(code: &CodeSpace, p: &mut Process) {
    const SPARE: usize = 1024;
    if p.stack.len() > 2 * p.base + SPARE {
        let end = |pc, base| base + code.function_at(pc).map_or(0, |f| f.frame_size as usize);
        let callers = p.frames.iter().map(|frame| end(frame.pc, frame.base as usize));
        let top = callers.fold(end(p.pc, p.base), usize::max);
        p.stack.truncate(top);
        p.stack.shrink_to(p.stack.len() + SPARE);
    }
}
