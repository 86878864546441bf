//! Patterns of `instanceof` and `case`.

use crate::token::TokenKind;
use crate::tree::{Kind, List, NodeId};

use super::Parser;

impl Parser {
    pub(super) fn pattern(&mut self) -> NodeId {
        self.deeper(|parser| {
            let start = parser.start();
            let modifiers = parser.modifiers();
            let ty = parser.local_type();
            if parser.kind == TokenKind::OpenParen {
                return parser.record_pattern(ty, start);
            }
            let (name, name_at) = parser.name();
            let dims = List::default();
            let kind =
                Kind::Parameter { modifiers, ty: Some(ty), name, name_at, dims, is_varargs: false };
            let variable = parser.node(kind, start);
            parser.node(Kind::BindingPattern { variable }, start)
        })
    }

    fn record_pattern(&mut self, ty: NodeId, start: u32) -> NodeId {
        self.bump();
        let mark = self.mark();
        while !matches!(self.kind, TokenKind::CloseParen | TokenKind::End) {
            let before = self.at;
            let pattern = self.pattern();
            self.push(pattern);
            if !self.eat(TokenKind::Comma) || self.at == before {
                break;
            }
        }
        self.expect(TokenKind::CloseParen);
        let patterns = self.list(mark);
        self.node(Kind::RecordPattern { ty, patterns }, start)
    }
}
