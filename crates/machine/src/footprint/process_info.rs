//! What `process_info/1,2` looks at, item by item.
//!
//! Sizes, reductions and the like are taken as they happen to be: they are not the same in any two
//! runs on the BEAM either. Where a process is in its code (`status`, `current_function`, …)
//! depends on all that it does.

use term::{Pid, Term, View};

use super::ends::asks;
use super::{Class, Footprint, Look, Object};

pub(crate) fn footprint(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(pid) = args[0].as_pid() else { return };
    asks(pid, f);
    let Some(items) = args.get(1) else {
        for name in ["message_queue_len", "links", "registered_name", "group_leader", "trap_exit"] {
            item(look, pid, name, f);
        }
        item(look, pid, "dictionary", f);
        item(look, pid, "status", f);
        return;
    };
    for each in items.to_vec().unwrap_or_else(|| vec![items.clone()]) {
        match each.view() {
            View::Atom(name) => item(look, pid, name.as_str(), f),
            // `{dictionary, Key}`.
            _ => item(look, pid, "dictionary", f),
        }
    }
}

fn item(look: &Look<'_>, pid: Pid, name: &str, f: &mut Footprint) {
    if name == "messages" {
        // Two that look must see the same order: one decides it, the other has to follow.
        f.write(Object::of(Class::MailboxOrder, pid));
    }
    f.read(match name {
        "messages" | "message_queue_len" => Object::of(Class::Mailbox, pid),
        "links" => Object::links(pid),
        "monitors" | "monitored_by" => Object::monitors(pid),
        "registered_name" => Object::name_of(pid),
        "group_leader" => Object::of(Class::Leader, pid),
        "trap_exit" => Object::of(Class::Trap, pid),
        "dictionary" if pid != look.p.pid => Object::of(Class::Dictionary, pid),
        "status" | "current_function" | "current_location" | "current_stacktrace" | "backtrace"
        | "priority"
            if pid != look.p.pid =>
        {
            Object::of(Class::Local, pid)
        }
        _ => return,
    });
}
