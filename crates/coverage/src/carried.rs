//! What activations and processes carry while they are followed.
//!
//! A use that several definitions reach has the one that its activation came to last. A
//! comprehension is a function of its own for the Machine, and part of the function around it here.

use flow::def_use::{DefinitionId, UseId};
use flow::{FunctionId, Vertex};
use follow::{Follower, Stack};

/// Carried by an activation.
#[derive(Debug)]
pub(crate) struct OfActivation {
    /// The function that was called here: others may have taken its place.
    pub(crate) entered: FunctionId,
    /// It is part of the function below: a comprehension.
    pub(crate) is_inner: bool,
    /// For uses that several definitions reach: which one did, by the use.
    pub(crate) defined: Vec<(UseId, DefinitionId)>,
}

/// Carried by a process.
#[derive(Debug, Default)]
pub(crate) struct OfProcess {
    /// What the process began with.
    pub(crate) began_with: Option<FunctionId>,
    /// The callbacks that returned to library code that began the process, since it took a message.
    pub(crate) returned: Vec<FunctionId>,
    /// The callback that gets a message, until it has chosen a clause, and where the message is
    /// from.
    pub(crate) handed: Option<(FunctionId, Vec<Vertex>)>,
    /// Where the exception was raised that is on its way.
    pub(crate) raised: Option<Vertex>,
}

/// Notes which definition a use has.
pub(crate) fn define<F>(stack: &mut Stack<F>, using: UseId, definition: DefinitionId)
where
    F: Follower<Activation = OfActivation>,
{
    let Some(active) = stack.running() else { return };
    let defined = &mut active.data.defined;
    match defined.iter_mut().find(|(known, _)| *known == using) {
        Some((_, known)) => *known = definition,
        None => defined.push((using, definition)),
    }
}

/// Which definition a use has: that of the innermost frame of the same function.
pub(crate) fn defined<F>(stack: &Stack<F>, using: UseId) -> Option<DefinitionId>
where
    F: Follower<Activation = OfActivation>,
{
    for frame in stack.frames().iter().rev() {
        let OfActivation { defined, is_inner, .. } = &frame.running()?.data;
        if let Some((_, definition)) = defined.iter().find(|(known, _)| *known == using) {
            return Some(*definition);
        }
        if !is_inner {
            return None;
        }
    }
    None
}
