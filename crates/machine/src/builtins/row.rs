//! A row of a table of builtins: what the function does, and all that others know of it.
//!
//! ```text
//! builtins!(ERLANG, HIDDEN;                  a table: module, and what is known of every row
//!     "make_ref"/0 => make_ref,
//!     "hibernate"/0 [HIDDEN.since(28)] => …, a row that has something of its own
//! );
//! builtins!(ERLANG;                          a table in which every row has something of its own
//!     "link"/1 [visible(touches::link)] => link,
//! );
//! ```
//!
//! The columns are the fields of [`Facts`], and those of [`Module`] for
//! what holds for a whole module. Who schedules, records, tells or raises asks the row and knows no
//! names of functions. A row without facts does not compile; one that others can see has a
//! footprint, because
//! [`visible`] wants one.

use term::Term;

use super::modules::Module;
use super::{Ctx, Return};
use crate::footprint::{FootprintFn, touches};

/// The arguments are the builtin's own: it may take them out to change them in place. One that
/// fails must leave them as they were, because the stack trace shows them.
pub type BuiltinFn = fn(&mut Ctx<'_>, &mut [Term]) -> Return;

/// A builtin that only looks at its arguments.
pub type ReadingFn = fn(&mut Ctx<'_>, &[Term]) -> Return;

#[derive(Clone, Copy)]
pub struct Builtin {
    pub module: &'static str,
    pub name: &'static str,
    pub arity: u32,
    pub(crate) run: BuiltinFn,
    pub(crate) entry: Entry,
    pub(crate) errors: Option<&'static str>,
    pub(crate) facts: Facts,
}

/// Who can see that a builtin was called: then it is a point of choice for a scheduler.
#[derive(Clone, Copy)]
pub(crate) enum Seen {
    /// The process itself.
    Hidden,
    /// Others, by what it touches of what is shared.
    Visible(FootprintFn),
    /// Others, where the order of readings of clocks is looked at: see `step/time.rs`.
    Clock,
    /// Others, where they look at the dictionaries of processes that change them: see
    /// `step/dictionary.rs`.
    Dictionary,
}

/// How a builtin that fails is seen in the stack trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Above the function that called it.
    Builtin,
    /// It is Erlang code in OTP: called in tail position it takes the place of its caller.
    Library,
    /// Not at all: it exists to raise an exception, or is part of a library function.
    None,
}

/// What a builtin asks the process that is its first argument, which answers itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    Nothing,
    /// Whether it is alive.
    Life,
    /// Anything, the messages in its mailbox included.
    State,
}

/// Whether a builtin sends a signal: then a monitor that its process holds back leaves before
/// (`step/held.rs`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sends {
    Nothing,
    Signals,
    /// If its first argument is another process: that answers itself.
    ToOthers,
}

/// What a call does, where that is told as such and not by its name and arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// By its name and arguments.
    Call,
    Send,
    Register,
    Unregister,
    LookUp,
    Link,
    Unlink,
    Monitor,
    Demonitor,
    ExitSignal,
    AskWhetherAlive,
    /// `process_flag`: if the flag is `trap_exit`.
    Flag,
    SetTimer,
    CancelTimer,
}

/// What is known of a builtin beside what it does.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) seen: Seen,
    entry: Option<Entry>,
    /// Whether its arguments alone decide that it fails: then it fails whatever others do, and has
    /// touched nothing. Others may fail because of what others did (a name that is taken, a table
    /// that is gone), and have read that; for these it is not known which of the two it was.
    pub(crate) fails_by_arguments: bool,
    pub(crate) asks: Asks,
    pub(crate) sends: Sends,
    pub(crate) told: Told,
    /// Whether it is no function but what an expression does: nobody is told of a call.
    pub(crate) is_operation: bool,
    /// Whether what it gives depends on more than its arguments, though nobody else sees that.
    pub(crate) depends: bool,
    /// The release after OTP 25 that has it first.
    pub(crate) since: Option<u32>,
}

/// Nobody else can see that it was called.
pub(crate) const HIDDEN: Facts = Facts {
    seen: Seen::Hidden,
    entry: None,
    fails_by_arguments: false,
    asks: Asks::Nothing,
    sends: Sends::Nothing,
    told: Told::Call,
    is_operation: false,
    depends: false,
    since: None,
};

/// It reads a clock, which others may have to see.
pub(crate) const CLOCK: Facts = Facts { seen: Seen::Clock, ..HIDDEN };

/// It changes the dictionary of its process, which others may look at.
pub(crate) const DICTIONARY: Facts = Facts { seen: Seen::Dictionary, ..HIDDEN };

/// Others can see that it was called, by what it touches.
pub(crate) const fn visible(touches: FootprintFn) -> Facts {
    Facts { seen: Seen::Visible(touches), ..HIDDEN }
}

impl Facts {
    /// Its arguments alone decide whether it fails.
    pub(crate) const fn fails_by_arguments(self) -> Facts {
        Facts { fails_by_arguments: true, ..self }
    }

    /// In stack traces it is not seen as others of its module are.
    pub(crate) const fn entry(self, entry: Entry) -> Facts {
        Facts { entry: Some(entry), ..self }
    }

    /// It asks the process that is its first argument.
    pub(crate) const fn asks(self, asks: Asks) -> Facts {
        Facts { asks, sends: Sends::ToOthers, ..self }
    }

    /// It sends signals.
    pub(crate) const fn sends(self) -> Facts {
        Facts { sends: Sends::Signals, ..self }
    }

    pub(crate) const fn told(self, told: Told) -> Facts {
        Facts { told, ..self }
    }

    /// What it gives depends on more than its arguments.
    pub(crate) const fn depends(self) -> Facts {
        Facts { depends: true, ..self }
    }

    pub(crate) const fn operation(self) -> Facts {
        Facts { is_operation: true, ..self }
    }

    pub(crate) const fn since(self, release: u32) -> Facts {
        Facts { since: Some(release), ..self }
    }
}

impl Builtin {
    pub(crate) const fn new(
        module: &Module,
        name: &'static str,
        arity: u32,
        facts: Facts,
        run: BuiltinFn,
    ) -> Builtin {
        let entry = match facts.entry {
            Some(entry) => entry,
            None => module.entry,
        };
        let (module, errors) = (module.name, module.errors);
        Builtin { module, name, arity, run, entry, errors, facts }
    }

    /// Whether others can always see that it was called.
    pub fn is_visible(&self) -> bool {
        matches!(self.facts.seen, Seen::Visible(_))
    }

    pub fn told(&self) -> Told {
        self.facts.told
    }

    /// Whether it asks a process whether that is alive.
    pub fn asks_for_life(&self) -> bool {
        self.facts.asks == Asks::Life
    }

    /// Whether it does more than to make a value of its arguments.
    pub fn acts(&self) -> bool {
        self.facts.depends || !matches!(self.facts.seen, Seen::Hidden)
    }

    /// What it touches of what is shared, if others can see it.
    pub(crate) fn footprint(&self) -> Option<FootprintFn> {
        match self.facts.seen {
            Seen::Hidden => None,
            Seen::Visible(touches) => Some(touches),
            Seen::Clock => Some(touches::clock),
            Seen::Dictionary => Some(touches::dictionary),
        }
    }
}

/// Makes a table of builtins: see the header of this file. A function is a [`ReadingFn`], or in a
/// table that says `in_place`, a [`BuiltinFn`].
macro_rules! builtins {
    (@facts $all:expr, [$own:expr]) => { $own };
    (@facts $all:expr,) => { $all };
    (
        $module:ident;
        $($name:literal / $arity:literal [$facts:expr] => $run:expr),* $(,)?
    ) => {
        &[$($crate::builtins::Builtin::new(
            &$crate::builtins::modules::$module,
            $name,
            $arity,
            $facts,
            |cx, args| {
                let run: $crate::builtins::ReadingFn = $run;
                run(cx, args)
            },
        )),*]
    };
    (
        $module:ident, $all:expr, in_place;
        $($name:literal / $arity:literal $([$own:expr])? => $run:expr),* $(,)?
    ) => {
        &[$($crate::builtins::Builtin::new(
            &$crate::builtins::modules::$module,
            $name,
            $arity,
            builtins!(@facts $all, $([$own])?),
            $run,
        )),*]
    };
    (
        $module:ident, $all:expr;
        $($name:literal / $arity:literal $([$own:expr])? => $run:expr),* $(,)?
    ) => {
        &[$($crate::builtins::Builtin::new(
            &$crate::builtins::modules::$module,
            $name,
            $arity,
            builtins!(@facts $all, $([$own])?),
            |cx, args| {
                let run: $crate::builtins::ReadingFn = $run;
                run(cx, args)
            },
        )),*]
    };
}
pub(crate) use builtins;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::builtins::all;

    #[test]
    fn every_builtin_has_one_row() {
        let mut seen = BTreeSet::new();
        for builtin in all() {
            let mfa = (builtin.module, builtin.name, builtin.arity);
            assert!(seen.insert(mfa), "{mfa:?} has two rows");
        }
    }
}
