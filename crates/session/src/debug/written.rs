//! Answers as tests: an EUnit module that passes on a program that is right, and fails on this one.

use std::fmt::Write as _;

use ::debug::record::{Outcome, Statement, StatementId};
use atom::quote;
use program::index::ModuleIndex;
use term::Term;

use super::same::is_data;
use super::{Answer, Debugged, NodeIx, RightValue, shown};

/// Assertions that the answers of a session come to, each once.
#[derive(Default)]
pub struct Tests(Vec<String>);

impl Tests {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of a module with this name.
    pub fn module(&self, name: &str) -> String {
        let mut text = format!(
            "-module({}).\n-include_lib(\"eunit/include/eunit.hrl\").\n",
            quote::atom(name)
        );
        for (number, assertion) in (1..).zip(&self.0) {
            let _ = write!(text, "\ndebugged_{number}_test() ->\n    {assertion}.\n");
        }
        text
    }
}

impl Debugged {
    /// Adds what answers about calls of exported functions with plain values say.
    pub fn write(
        &self,
        tests: &mut Tests,
        answers: &[(NodeIx, Answer)],
        rights: &[(NodeIx, RightValue)],
    ) {
        // That the run is wrong as a whole is why anybody asks; its call is the first.
        let wrong = answers.iter().filter(|(_, answer)| *answer == Answer::Wrong);
        let first =
            self.run.shape.number(0).filter(|first| {
                wrong.clone().any(|(node, _)| self.run.shape.is_within(*node, *first))
            });
        let whole = first.map(|first| (first, Answer::Wrong));
        for (node, answer) in whole.iter().chain(answers) {
            let does = |id| !self.run.doings(StatementId(id as u32)).is_empty();
            if self.run.shape.given(*node).is_none_or(does) {
                continue;
            }
            let statement = self.run.statement(*node);
            let right = rights.iter().find(|(known, _)| known == node).map(|(_, right)| &right.0);
            let assertion =
                statement.and_then(|statement| self.assertion(statement, *answer, right));
            if let Some(assertion) = assertion.filter(|assertion| !tests.0.contains(assertion)) {
                tests.0.push(assertion);
            }
        }
    }

    fn assertion(
        &self,
        statement: &Statement,
        answer: Answer,
        right: Option<&Term>,
    ) -> Option<String> {
        let (module, name, arity) = statement.function;
        let is_plain = statement.after.is_none() && statement.args.iter().all(is_data);
        let tree = self.tree(statement.site).filter(|_| is_plain)?;
        if !ModuleIndex::of(tree).is_exported((name, arity)) {
            return None;
        }
        let args: Vec<String> = statement.args.iter().map(shown).collect();
        let (module, name) = (quote::atom(module.as_str()), quote::atom(name.as_str()));
        let call = format!("{module}:{name}({})", args.join(", "));
        if let Some(right) = right.filter(|right| answer == Answer::Wrong && is_data(right)) {
            return Some(format!("?assertEqual({}, {call})", shown(right)));
        }
        match (&statement.outcome, answer) {
            (Outcome::Value(value), Answer::Right) if is_data(value) => {
                Some(format!("?assertEqual({}, {call})", shown(value)))
            }
            (Outcome::Value(value), Answer::Wrong) if is_data(value) => {
                Some(format!("?assertNotEqual({}, {call})", shown(value)))
            }
            // It should have given something.
            (Outcome::Exception { .. }, Answer::Wrong) => Some(call),
            _ => None,
        }
    }
}
