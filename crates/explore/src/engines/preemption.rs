//! What a preemption is: a process that could go on has to stop for another actor.
//!
//! * A process that waits for a message is not stopped, whether or not its `receive` could give up;
//!   one whose `receive` could take a message is. (With delivery `any` also if that message is
//!   still on its way: when it arrives is nobody's decision.)
//! * A process that is about to end normally, which tells nobody, is not stopped: nothing is left
//!   for it to do.
//! * A process that computes on and on without a visible action is not stopped either: it has no
//!   next action.
//! * That a signal arrives stops nobody: it is as if it had been a moment earlier or later.
//! * Timers do one thing and are never stopped; a process is, where it could go on and a timer
//!   fires.
//!
//! This is the count of iterative context bounding (Musuvathi, Qadeer: PLDI 2007), where a process
//! that is blocked is not preempted.

use machine::step::{Actor, Glance};
use machine::{Machine, Pid};

/// Whether a process that could go on has to stop for this actor, if `last` acted last.
pub(crate) fn stops(machine: &Machine, last: Option<Actor>, actor: Actor) -> bool {
    match (last, actor) {
        (_, Actor::Signal(_)) => false,
        (Some(Actor::Process(last)), _) => {
            actor != Actor::Process(last) && could_go_on(machine, last)
        }
        _ => false,
    }
}

fn could_go_on(machine: &Machine, pid: Pid) -> bool {
    match machine.glance(pid) {
        Glance::End => !machine.ends_alone(pid),
        Glance::Act => true,
        Glance::Receive { matching, .. } => !matching.is_empty(),
        Glance::Spins | Glance::Stopped | Glance::Gone => false,
    }
}
