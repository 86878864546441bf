//! Who answers before a person does, and says so.

use ::debug::record::{Outcome, Statement};
use atom::Atom;

use super::asserted::Asserted;
use super::kept::Kept;
use super::specs::Specs;
use super::{Answer, Debugged, NodeIx, Reference, Request};
use crate::Error;

/// Who gave an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Who {
    Person,
    /// An earlier session.
    Earlier,
    /// A reference version.
    Reference,
    /// A spec.
    Spec,
    /// A test.
    Test,
}

impl Who {
    pub const ALL: [Who; 5] = [Who::Person, Who::Earlier, Who::Reference, Who::Spec, Who::Test];

    /// A stable word, for machines.
    pub fn name(self) -> &'static str {
        match self {
            Who::Person => "person",
            Who::Earlier => "earlier",
            Who::Reference => "reference",
            Who::Spec => "spec",
            Who::Test => "test",
        }
    }
}

/// All who can be asked before a person is.
#[derive(Default)]
pub struct Oracles {
    pub reference: Option<Reference>,
    pub kept: Option<Kept>,
    specs: Option<Specs>,
    asserted: Option<Asserted>,
    /// The module of the test that is debugged.
    tests: Option<Atom>,
}

impl Oracles {
    /// The specs and tests of a program. What cannot be read says nothing.
    pub fn of(request: &Request) -> Oracles {
        let call = request.call.as_deref().unwrap_or_default();
        let module = call.split_once(':').map(|(module, _)| Atom::new(module));
        Oracles {
            specs: Specs::open(request).ok(),
            asserted: Asserted::open(request).ok(),
            tests: module.filter(|_| request.with_tests),
            ..Oracles::default()
        }
    }

    /// What is known of a statement, and who says so.
    pub fn judge(&self, debugged: &Debugged, node: NodeIx) -> Option<(Answer, Who)> {
        let statement = debugged.run.statement(node)?;
        let earlier = self.kept.as_ref().and_then(|kept| kept.judge(&debugged.question(node)?));
        if let Some(answer) = earlier {
            return Some((answer, Who::Earlier));
        }
        let reference = self.reference.as_ref();
        if let Some(answer) = reference.and_then(|known| debugged.judged(known, node)) {
            return Some((answer, Who::Reference));
        }
        let asserted = self.asserted.as_ref().and_then(|asserted| asserted.judge(statement));
        if let Some(answer) = asserted.or_else(|| self.fails(statement)) {
            return Some((answer, Who::Test));
        }
        Some((self.specs.as_ref()?.judge(statement)?, Who::Spec))
    }

    /// A test whose assertion failed is wrong. What it does after a message is judged by what it
    /// was sent.
    fn fails(&self, statement: &Statement) -> Option<Answer> {
        let Outcome::Exception { reason, .. } = &statement.outcome else { return None };
        let failed = reason.as_tuple()?.first()?.as_atom()?;
        let is_of_test = Some(statement.function.0) == self.tests && statement.after.is_none();
        (is_of_test && failed.as_str().starts_with("assert")).then_some(Answer::Wrong)
    }

    /// Whether kept answers are about this run, where there are any.
    pub fn check_kept(&self, debugged: &Debugged) -> Result<(), Error> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let mut questions = debugged.shape().nodes().filter_map(|node| debugged.question(node));
        if kept.is_empty() || questions.any(|question| kept.judge(&question).is_some()) {
            return Ok(());
        }
        Err(kept.error("none of its answers is about this run"))
    }
}
