//! What statements say beside calls and values: builtins that read and write what is outside of the
//! tree, and library code that talks to other processes. One row of [`affects`] a builtin; the
//! calls of library code are those of [`crate::library`].

use follow::{Acting, How, Role};
use machine::Pid;
use machine::observe::{Callee, Moment, Site};
use term::Term;

use super::{Effect, Recorder, Shadow, StatementId};
use crate::library::Talk;

/// Whether a builtin is about state outside of calls and messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Affects {
    Never,
    /// If the program calls it, not the library.
    Own,
    Always,
}

fn affects(callee: &Callee) -> Affects {
    match (callee.mfa.module.as_str(), callee.mfa.name.as_str()) {
        ("ets" | "persistent_term" | "counters" | "atomics", _) => Affects::Always,
        (
            "erlang",
            "put" | "get" | "erase" | "get_keys" | "register" | "unregister" | "whereis"
            | "send_after" | "start_timer" | "cancel_timer" | "exit" | "link" | "unlink"
            | "monitor" | "demonitor" | "process_flag" | "group_leader" | "make_ref" | "alias"
            | "unalias" | "is_process_alive" | "spawn_monitor",
        ) => Affects::Own,
        _ => Affects::Never,
    }
}

impl Effect {
    /// Whether it is worth telling: that a reference was made is not, nor what is told as a
    /// process that was started.
    pub fn is_told(&self) -> bool {
        !matches!(self.function.1.as_str(), "make_ref" | "spawn_monitor")
    }
}

impl Recorder {
    /// A builtin is called.
    pub(super) fn affect(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        (builtin, callee, args): (u32, &Callee, &[Term]),
        by: Option<Acting<Site>>,
    ) {
        let Some(pid) = moment.pid() else { return };
        if self.outline.is_some() {
            return;
        }
        shadow.stack(pid).data.affecting = None;
        if callee.mfa.module.as_str() == "erlang" {
            match (callee.mfa.name.as_str(), args) {
                ("register", [name, named]) => {
                    self.processes.named(name, named.as_pid(), self.done);
                }
                ("unregister", [name]) => self.processes.named(name, None, self.done),
                _ => {}
            }
        }
        let Some(role) = by.map(|by| by.role) else { return };
        // `exit/1` is how the statement ends.
        if args.len() == 1 && callee.mfa.name.as_str() == "exit" {
            return;
        }
        match self.affects_of(builtin, callee) {
            Affects::Always => {}
            Affects::Own if role == Role::Own => {}
            _ => return,
        }
        if let Some(statement) = self.acting(shadow, Some(pid), by) {
            let function = (callee.mfa.module, callee.mfa.name, callee.mfa.arity);
            self.done += 1;
            let number = self.done;
            if let Some(said) = self.said_more(statement) {
                let effect = Effect { function, args: args.into(), result: None, number };
                said.effects.push(effect);
                shadow.stack(pid).data.affecting = Some(statement);
            }
        }
    }

    fn affects_of(&mut self, builtin: u32, callee: &Callee) -> Affects {
        let at = builtin as usize;
        if self.affects.len() <= at {
            self.affects.resize(at + 1, None);
        }
        *self.affects[at].get_or_insert_with(|| affects(callee))
    }

    /// The builtin that was called last gave this.
    pub(super) fn affected(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, value: &Term) {
        let affecting = moment.pid().and_then(|pid| shadow.stack(pid).data.affecting.take());
        if let Some(statement) = affecting
            && let Some(effect) = self.said(statement).and_then(|said| said.effects.last_mut())
        {
            effect.result = Some(value.clone());
        }
    }

    /// Code of the program calls library code.
    pub(super) fn call_library(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        (callee, args, how): (&Callee, &[Term], How),
    ) {
        let Some(pid) = moment.pid() else { return };
        let stack = shadow.stack(pid);
        let depth = stack.frames().len() - usize::from(how == How::Tail);
        let function = (callee.mfa.module, callee.mfa.name, callee.mfa.arity);
        // An outline holds no values.
        let args = if self.outline.is_some() { &[] } else { args };
        stack.data.library.call(depth, function, args);
    }

    /// Library code that the program called sends or receives. Gives the statement, and whether
    /// that is said of it.
    pub(super) fn talk(
        &mut self,
        shadow: &mut Shadow,
        pid: Pid,
        by: Acting<Site>,
    ) -> Option<(StatementId, bool)> {
        let statement = self.acting(shadow, Some(pid), Some(by))?;
        if by.role != Role::Called {
            return Some((statement, false));
        }
        let number = self.done + 1;
        let process = &mut shadow.stack(pid).data;
        match process.library.talks(number) {
            Talk::Unknown => return Some((statement, false)),
            Talk::Known => {}
            Talk::New { function, args } => {
                process.talking.insert(number, statement);
                self.done = number;
                if let Some(said) = self.said_more(statement) {
                    said.effects.push(Effect { function, args, result: None, number });
                }
            }
        }
        Some((statement, true))
    }

    /// Whether library code waits, of which is said that it was called.
    pub(super) fn is_talk(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        by: Option<Acting<Site>>,
    ) -> bool {
        let (Some(pid), Some(by)) = (moment.pid(), by) else { return false };
        if by.role != Role::Called {
            return false;
        }
        match self.talk(shadow, pid, by) {
            Some((_, is_said)) => is_said,
            // Nothing is kept of who called it. How often a process waited does not depend on that.
            None => {
                let library = &mut shadow.stack(pid).data.library;
                !matches!(library.talks(self.done), Talk::Unknown)
            }
        }
    }

    /// A frame is left, with a value or without one: it may be that of library code.
    pub(super) fn leave_library(&mut self, shadow: &mut Shadow, pid: Pid, value: Option<&Term>) {
        let stack = shadow.stack(pid);
        let depth = stack.frames().len();
        let Some(number) = stack.data.library.left(depth) else { return };
        let Some(statement) = stack.data.talking.remove(&number) else { return };
        let Some(said) = self.said(statement) else { return };
        if let Some(effect) = said.effects.iter_mut().rfind(|effect| effect.number == number) {
            effect.result = value.cloned();
        }
    }
}
