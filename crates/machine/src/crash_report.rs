//! What the runtime says when a process ends by an exception that nobody caught.
//!
//! As in OTP the runtime sends the process `logger` a message, which that formats and hands to the
//! handlers. Before the node is up there is no such process, and nothing is said. A process that
//! ends by `exit/1`, or by a signal, ends silently.

use std::rc::Rc;

use atom::{Atom, known};
use term::{Map, Term};

use crate::code_space::CodeSpace;
use crate::exception::{Class, Crash};
use crate::process::Process;
use crate::signals::Node;
use crate::state::State;

/// Notes the crash of a process, has it reported, and gives the reason why the process ends.
pub(crate) fn ended(code: &CodeSpace, s: &mut State, p: &mut Process, crash: Crash) -> Term {
    let (reason, trace) = (crash.reason.clone(), crash.trace.clone());
    let reason = match crash.class {
        Class::Exit => reason,
        Class::Error => Term::tuple([reason, trace]),
        Class::Throw => Term::tuple([Term::tuple([Term::from(known::NOCATCH), reason]), trace]),
    };
    // Driven step by step, whoever drives tells about crashes.
    if crash.class != Class::Exit && s.host.quiet != Some(p.pid) && !s.is_driven() {
        report(code, s, p, &reason);
    }
    s.host.crash = Some(Rc::new(crash));
    reason
}

fn report(code: &CodeSpace, s: &mut State, p: &mut Process, reason: &Term) {
    let Some(&logger) = s.node.registry.get(&Atom::new("logger")) else { return };
    let entry = |name: &str| Term::atom(name);
    let time = Term::from((s.node.start_time + s.node.now) / 1000);
    let old_style =
        Map::from_iter([(entry("emulator"), Term::TRUE), (entry("tag"), Term::from(known::ERROR))]);
    let meta = Map::from_iter([
        (entry("pid"), Term::from(p.pid)),
        (entry("gl"), Term::from(p.group_leader)),
        (entry("time"), time),
        (entry("error_logger"), Term::map(old_style)),
    ]);
    let message = Term::tuple([
        Term::atom("log"),
        Term::from(known::ERROR),
        Term::string("Error in process ~p with exit value:~n~p~n"),
        Term::list([Term::from(p.pid), reason.clone()]),
        Term::map(meta),
    ]);
    Node { code, s, me: Some(p) }.send(logger, message);
}
