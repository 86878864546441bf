//! Who answers before a person does, and says so.

use super::{Answer, Debugged, NodeIx, Reference};

/// Who gave an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Who {
    Person,
    Reference,
}

impl Who {
    pub const ALL: [Who; 2] = [Who::Person, Who::Reference];

    /// A stable word, for machines.
    pub fn name(self) -> &'static str {
        match self {
            Who::Person => "person",
            Who::Reference => "reference",
        }
    }
}

/// All who can be asked before a person is.
#[derive(Default)]
pub struct Oracles {
    pub reference: Option<Reference>,
}

impl Oracles {
    /// What is known of a statement, and who says so.
    pub fn judge(&self, debugged: &Debugged, node: NodeIx) -> Option<(Answer, Who)> {
        let reference = self.reference.as_ref()?;
        Some((debugged.judged(reference, node)?, Who::Reference))
    }
}
