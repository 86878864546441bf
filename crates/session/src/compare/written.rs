//! What was found as tests: an EUnit module that passes on the old version. Tests of differences
//! fail on the new one; those of other inputs, as few as reach everything that was reached, pass.

use std::fmt::Write as _;

use atom::quote;

use super::{Answer, Side};
use crate::run::Ending;

impl Answer {
    /// The text of a module of tests with this name, and how many there are.
    pub fn tests(&self, name: &str) -> (String, usize) {
        let mut text = format!(
            "-module({}).\n-include_lib(\"eunit/include/eunit.hrl\").\n",
            quote::atom(name)
        );
        let mut number = 0;
        let mut add = |kind: &str, call: &str, side: &Side| {
            if let Some(assertion) = assertion(call, &side.ending, side.is_plain) {
                number += 1;
                let _ = write!(text, "\n{kind}_{number}_test() ->\n    {assertion}.\n");
            }
        };
        for (_, difference) in self.differences() {
            add("different", &difference.old_call, &difference.old);
        }
        for entry in &self.entries {
            for (call, side) in &entry.kept {
                add("same", call, side);
            }
        }
        (text, number)
    }
}

/// What a program does with a call; none if that cannot be written.
pub(crate) fn assertion(call: &str, ending: &Ending, is_plain: bool) -> Option<String> {
    // Stand-ins are only there while inputs are run; sequences are several calls.
    if !is_plain || call.contains("erlscope_inputs") || call.contains('\n') {
        return None;
    }
    match ending {
        Ending::Returned(value) => Some(format!("?assertEqual({value}, {call})")),
        Ending::Raised(raised) => {
            let exception = &raised.exception;
            let reason = match exception.reason.contains("#{") {
                // Maps are other patterns than values.
                true => "_",
                false => &exception.reason,
            };
            Some(format!("?assertException({}, {reason}, {call})", exception.class))
        }
        _ => None,
    }
}
