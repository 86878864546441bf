//! Lints of our own: what OTP's compiler says nothing about.
//!
//! Each is a row of [`LINTS`]: a code, which begins with `erlscope_` so that nobody looks for it in
//! OTP, and a function that looks at a module that has no errors. All are off unless they are asked
//! for, as OTP's optional warnings are: by a compiler option of the module, of the project or of
//! the caller. `warn_erlscope` switches all of them, `warn_CODE` one; `nowarn_…` switches off, and
//! of several the last counts. (OTP's compiler passes over options that it does not know.)
//!
//! A lint belongs here if it is certain: what it reports is true in every run, whatever the values
//! are. Like the warnings of later passes ([`super::core`]) they are silent in modules with errors
//! and in those that a parse transform may change.
//!
//! To add one: a file beside this one, a row in the table, a page in `crates/registry`.

use syntax::diagnostic::{Diagnostic, Origin, Severity};

use super::term::Term;
use super::{Linter, NodeId};

mod repeated;
mod same_operands;

/// A lint: how it is called, and what looks for it.
pub(super) struct OwnLint {
    pub(super) code: &'static str,
    check: fn(&mut Linter<'_>),
}

/// All of them, in the order in which they look.
pub(super) const LINTS: &[OwnLint] = &[
    OwnLint { code: repeated::CODE, check: repeated::check },
    OwnLint { code: same_operands::CODE, check: same_operands::check },
];

/// The option that switches all lints of ours on.
pub const SWITCH: &str = "warn_erlscope";

/// The codes that a list of compiler options asks for.
pub(super) fn wanted(options: &[&Term]) -> Vec<&'static str> {
    let is_wanted = |code: &str| {
        options.iter().fold(false, |value, option| {
            let Term::Atom(atom) = option else { return value };
            let (name, on) = match atom.as_str().strip_prefix("no") {
                Some(name) => (name, false),
                None => (atom.as_str(), true),
            };
            let about = name == SWITCH || name.strip_prefix("warn_") == Some(code);
            if about { on } else { value }
        })
    };
    LINTS.iter().map(|lint| lint.code).filter(|code| is_wanted(code)).collect()
}

pub(super) fn check(linter: &mut Linter<'_>) {
    if linter.switches.own.is_empty() || linter.is_uncertain() {
        return;
    }
    for lint in LINTS {
        if linter.switches.own.contains(&lint.code) {
            (lint.check)(linter);
        }
    }
}

impl Linter<'_> {
    fn own_warning(&mut self, at: NodeId, code: &'static str, message: String) -> &mut Diagnostic {
        self.report(Severity::Warning, Origin::Erlscope, at, code, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted_by(options: &[&str]) -> Vec<&'static str> {
        let options: Vec<Term> = options.iter().map(|option| Term::atom(option)).collect();
        wanted(&options.iter().collect::<Vec<_>>())
    }

    #[test]
    fn nothing_is_on_unless_it_is_asked_for() {
        assert!(wanted_by(&[]).is_empty());
        assert!(wanted_by(&["warn_unused_vars", "nowarn_erlscope"]).is_empty());
        assert_eq!(wanted_by(&["warn_erlscope"]).len(), LINTS.len());
        assert_eq!(wanted_by(&["warn_erlscope_same_operands"]), [same_operands::CODE]);
    }

    #[test]
    fn of_several_options_the_last_counts() {
        let options = ["warn_erlscope", "nowarn_erlscope_same_operands"];
        assert_eq!(wanted_by(&options), [repeated::CODE]);
        assert!(wanted_by(&["warn_erlscope", "nowarn_erlscope"]).is_empty());
    }

    #[test]
    fn codes_say_that_they_are_ours() {
        assert!(LINTS.iter().all(|lint| lint.code.starts_with("erlscope_")));
    }
}
