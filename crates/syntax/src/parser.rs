//! Tokens of one form to nodes.

use std::ops::Range;

use crate::ast::{Module, NodeId};

/// Reads one form: the tokens `range` of `module.tokens`, the last of which is the full stop.
/// Whatever the tokens, a node comes back; if they are no form it is an
/// [`crate::ast::Kind::ErrorForm`] and `module.diagnostics` says why.
pub(crate) fn parse_form(_module: &mut Module, _range: Range<u32>) -> NodeId {
    NodeId(0)
}

/// Reads expressions separated by commas and ended by a full stop (the condition of `-if`, a value
/// of `-D`). On failure nothing is left behind in `module.nodes`.
#[allow(dead_code, reason = "used by the preprocessor")]
pub(crate) fn parse_expressions(
    _module: &mut Module,
    _range: Range<u32>,
) -> Result<Vec<NodeId>, crate::diagnostic::Diagnostic> {
    Ok(Vec::new())
}
