//! One form: an attribute or a function, and the full stop.

use crate::ast::NodeId;
use crate::token::TokenKind;

use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn form(&mut self) -> Parsed<NodeId> {
        let (form, expected) = match self.kind {
            TokenKind::Minus => (self.attribute()?, "the full stop of the attribute"),
            TokenKind::Atom => {
                (self.function()?.node, "an operator, ',', ';' or the full stop of the function")
            }
            _ => return self.unexpected("an attribute or a function"),
        };
        let dot = self.expect(TokenKind::Dot, expected)?;
        self.module.nodes[form.0 as usize].last = dot;
        Ok(form)
    }
}
