//! What follows an operand (members, calls, indices, references), and what `new` makes.

use crate::token::TokenKind;
use crate::tree::{ClassKind, Kind, List, NodeId, UnaryOp};

use super::Parser;

impl Parser {
    /// Everything that is selected from an operand.
    pub(super) fn selectors(&mut self, mut node: NodeId) -> NodeId {
        let start = self.start_of(node);
        loop {
            let kind = self.kind;
            node = match kind {
                TokenKind::Dot => self.member_of(node, start),
                TokenKind::OpenBracket if self.ahead(1) == TokenKind::CloseBracket => {
                    self.brackets(node)
                }
                TokenKind::At if self.behind_brackets(self.at) > self.at => self.brackets(node),
                TokenKind::OpenBracket => {
                    self.bump();
                    let index = self.bracketed(Parser::expression);
                    self.expect(TokenKind::CloseBracket);
                    self.node(Kind::ArrayAccess { array: node, index }, start)
                }
                TokenKind::OpenParen if self.is_callable(node) => {
                    let args = self.args();
                    let type_args = List::default();
                    self.node(Kind::Call { type_args, function: node, args }, start)
                }
                TokenKind::ColonColon => self.reference(node, start),
                TokenKind::Less if self.is_path(node) && self.is_generic_reference() => {
                    let args = self.type_args();
                    self.node(Kind::ParameterizedType { base: node, args }, start)
                }
                TokenKind::PlusPlus | TokenKind::MinusMinus => {
                    let op = match self.kind {
                        TokenKind::PlusPlus => UnaryOp::PostIncrement,
                        _ => UnaryOp::PostDecrement,
                    };
                    self.bump();
                    self.node(Kind::Unary { op, operand: node }, start)
                }
                _ => return node,
            }
        }
    }

    fn is_callable(&self, node: NodeId) -> bool {
        matches!(
            self.tree.kind(node),
            Kind::Name(_) | Kind::Select { .. } | Kind::This { .. } | Kind::Super { .. }
        )
    }

    /// Whether a node may be the name of a class.
    fn is_path(&self, node: NodeId) -> bool {
        matches!(
            self.tree.kind(node),
            Kind::Name(_) | Kind::Select { .. } | Kind::AnnotatedType { .. }
        )
    }

    /// The dot here and what is behind it.
    fn member_of(&mut self, target: NodeId, start: u32) -> NodeId {
        self.bump();
        match self.kind {
            TokenKind::This => {
                self.bump();
                self.node(Kind::This { qualifier: Some(target) }, start)
            }
            TokenKind::Super => {
                self.bump();
                self.node(Kind::Super { qualifier: Some(target) }, start)
            }
            TokenKind::Class => {
                self.bump();
                self.node(Kind::ClassLiteral { ty: target }, start)
            }
            TokenKind::New => {
                self.bump();
                self.creation(Some(target), start)
            }
            TokenKind::Less => {
                let type_args = self.type_args();
                let function = if self.eat(TokenKind::Super) {
                    self.node(Kind::Super { qualifier: Some(target) }, start)
                } else {
                    let (name, _) = self.name();
                    self.node(Kind::Select { target, name }, start)
                };
                let args = self.args();
                self.node(Kind::Call { type_args, function, args }, start)
            }
            _ => {
                let annotations = self.annotations();
                let (name, _) = self.name();
                let ty = self.node(Kind::Select { target, name }, start);
                if annotations.is_empty() {
                    return ty;
                }
                self.node(Kind::AnnotatedType { annotations, ty }, start)
            }
        }
    }

    /// `<T>this(…)`, `<T>super(…)`.
    pub(super) fn generic_call(&mut self, start: u32) -> NodeId {
        let type_args = self.type_args();
        let at = self.start();
        let function = match self.kind {
            TokenKind::This => {
                self.bump();
                self.node(Kind::This { qualifier: None }, at)
            }
            TokenKind::Super => {
                self.bump();
                self.node(Kind::Super { qualifier: None }, at)
            }
            _ => {
                self.error_here("illegal.start.of.expr", "expected `this` or `super`");
                let (name, _) = self.name();
                self.node(Kind::Name(name), at)
            }
        };
        let args = self.args();
        self.node(Kind::Call { type_args, function, args }, start)
    }

    fn reference(&mut self, target: NodeId, start: u32) -> NodeId {
        self.bump();
        let type_args = self.type_args_if_any();
        if self.eat(TokenKind::New) {
            return self.node(Kind::ConstructorReference { target, type_args }, start);
        }
        let (name, _) = self.name();
        self.node(Kind::MethodReference { target, type_args, name }, start)
    }

    /// Arguments in parentheses.
    pub(super) fn args(&mut self) -> List {
        let mark = self.mark();
        if !self.expect(TokenKind::OpenParen) {
            return List::default();
        }
        self.bracketed(|parser| {
            while !matches!(parser.kind, TokenKind::CloseParen | TokenKind::End) {
                let before = parser.at;
                let arg = parser.expression();
                parser.push(arg);
                if !parser.eat(TokenKind::Comma) || parser.at == before {
                    break;
                }
                if parser.kind == TokenKind::CloseParen {
                    parser.error_here("illegal.start.of.expr", "expected an expression");
                }
            }
            parser.expect(TokenKind::CloseParen);
        });
        self.list(mark)
    }

    /// What stands behind `new`.
    pub(super) fn creation(&mut self, outer: Option<NodeId>, start: u32) -> NodeId {
        let type_args = self.type_args_if_any();
        let class = self.ty_without_brackets(true);
        match self.kind {
            TokenKind::OpenParen => {
                let args = self.args();
                let body = (self.kind == TokenKind::OpenBrace)
                    .then(|| self.anonymous_class(ClassKind::Class));
                self.node(Kind::New { outer, type_args, class, args, body }, start)
            }
            TokenKind::OpenBracket | TokenKind::At => self.array(class, start),
            _ => {
                self.expected("`(` or `[`");
                let args = List::default();
                self.node(Kind::New { outer, type_args, class, args, body: None }, start)
            }
        }
    }

    /// The brackets of a new array, and its elements.
    fn array(&mut self, element: NodeId, start: u32) -> NodeId {
        let mark = self.mark();
        let mut has_sizes = false;
        let mut has_empty = false;
        while self.kind_at(self.behind_annotations(self.at)) == TokenKind::OpenBracket {
            let open = self.behind_annotations(self.at);
            let is_empty = self.kind_at(open + 1) == TokenKind::CloseBracket;
            // Behind empty brackets others are an index.
            if has_empty && !is_empty {
                break;
            }
            let at = self.start();
            let annotations = self.annotations();
            self.bump();
            let size = (!is_empty).then(|| self.bracketed(Parser::expression));
            has_sizes |= !is_empty;
            has_empty |= is_empty;
            self.expect(TokenKind::CloseBracket);
            let dimension = self.node(Kind::Dimension { annotations, size }, at);
            self.push(dimension);
        }
        let dims = self.list(mark);
        let value = (self.kind == TokenKind::OpenBrace && (!has_sizes || dims.is_empty()))
            .then(|| self.array_initializer());
        if !has_sizes && value.is_none() {
            self.expected("the elements of the array");
        }
        self.node(Kind::NewArray { element, dims, value }, start)
    }
}
