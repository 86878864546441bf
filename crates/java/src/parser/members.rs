//! Members of classes: fields, methods, constructors, initialisers; parameters.

use crate::token::TokenKind;
use crate::tree::{ClassKind, Kind, List, Method, MethodKind, NodeId, PartId};

use super::Parser;
use super::classes::Owner;

impl Parser {
    /// A member, pushed. What is none is skipped.
    pub(super) fn member(&mut self, owner: Owner) {
        let start = self.start();
        let modifiers = self.modifiers();
        let member = if self.is_class() {
            self.class_declaration(modifiers, start)
        } else if self.kind == TokenKind::OpenBrace {
            let body = self.block();
            self.node(Kind::Initializer { modifiers, body }, start)
        } else {
            match self.method_or_fields(owner, modifiers, start) {
                Some(member) => member,
                None => return,
            }
        };
        self.push(member);
    }

    fn method_or_fields(
        &mut self,
        owner: Owner,
        modifiers: Option<NodeId>,
        start: u32,
    ) -> Option<NodeId> {
        let type_parameters = self.type_parameters();
        let annotations = match type_parameters.is_empty() {
            true => List::default(),
            false => self.annotations(),
        };
        let is_constructor = self.kind == TokenKind::Ident
            && (self.ahead(1) == TokenKind::OpenParen
                || owner.which == ClassKind::Record && self.ahead(1) == TokenKind::OpenBrace);
        if is_constructor {
            let (name, name_at) = self.name();
            if Some(name) != owner.name {
                let message = "a method needs the type of its result";
                self.error_here("invalid.meth.decl.ret.type.req", message);
            }
            let which = match self.kind {
                TokenKind::OpenParen => MethodKind::Constructor,
                _ => MethodKind::Compact,
            };
            let method =
                Method { which, type_parameters, annotations, ..empty(modifiers, name, name_at) };
            return Some(self.method(method, start));
        }
        let is_type = self.kind == TokenKind::Void
            || self.kind.is_primitive()
            || matches!(self.kind, TokenKind::Ident | TokenKind::Underscore | TokenKind::At);
        if !is_type {
            self.error_here("illegal.start.of.type", "expected a member of a class");
            // What opens here is not the end of the class.
            self.skip_to_boundary();
            return None;
        }
        let ty = self.result_type();
        if !self.kind.is_name() {
            self.expected("an identifier");
            self.skip_to_boundary();
            let variables = List::default();
            return Some(self.node(Kind::Variables { modifiers, ty, variables }, start));
        }
        if self.ahead(1) == TokenKind::OpenParen {
            let (name, name_at) = self.name();
            let which = MethodKind::Method;
            let result = Some(ty);
            let parts = empty(modifiers, name, name_at);
            let method = Method { which, type_parameters, annotations, result, ..parts };
            return Some(self.method(method, start));
        }
        let variables = self.variables();
        if !self.expect(TokenKind::Semicolon) {
            self.skip_to_boundary();
        }
        Some(self.node(Kind::Variables { modifiers, ty, variables }, start))
    }

    /// A method from its parameters on.
    fn method(&mut self, mut method: Method, start: u32) -> NodeId {
        if method.which != MethodKind::Compact {
            self.parameters(&mut method);
            method.dims = self.dims();
            if self.eat(TokenKind::Throws) {
                method.throws = self.types();
            }
        }
        if self.kind == TokenKind::OpenBrace {
            method.body = Some(self.block());
        } else {
            if self.eat(TokenKind::Default) {
                method.default = Some(self.annotation_value());
            }
            if !self.expect(TokenKind::Semicolon) {
                self.skip_to_boundary();
            }
        }
        let id = PartId(self.tree.methods.len() as u32);
        self.tree.methods.push(method);
        self.node(Kind::Method(id), start)
    }

    fn parameters(&mut self, method: &mut Method) {
        self.expect(TokenKind::OpenParen);
        let mark = self.mark();
        while !matches!(self.kind, TokenKind::CloseParen | TokenKind::End) {
            let before = self.at;
            let parameter = self.parameter();
            if matches!(self.tree.kind(parameter), Kind::Receiver { .. }) {
                method.receiver = Some(parameter);
            } else {
                self.push(parameter);
            }
            if !self.eat(TokenKind::Comma) || self.at == before {
                break;
            }
        }
        self.expect(TokenKind::CloseParen);
        method.parameters = self.list(mark);
    }

    /// A parameter with its type, or the receiver.
    pub(super) fn parameter(&mut self) -> NodeId {
        let start = self.start();
        let modifiers = self.modifiers();
        let mut ty = self.local_type();
        let varargs = self.behind_annotations(self.at);
        let is_varargs = self.kind_at(varargs) == TokenKind::Ellipsis;
        if is_varargs {
            let at = self.start_of(ty);
            let annotations = self.annotations();
            self.bump();
            ty = self.node(Kind::ArrayType { element: ty }, at);
            if !annotations.is_empty() {
                ty = self.node(Kind::AnnotatedType { annotations, ty }, at);
            }
        }
        if let Some(name) = self.receiver_name() {
            return self.node(Kind::Receiver { modifiers, ty, name }, start);
        }
        let (name, name_at) = self.name();
        let dims = self.dims();
        let ty = Some(ty);
        self.node(Kind::Parameter { modifiers, ty, name, name_at, dims, is_varargs }, start)
    }

    /// `this` or `Outer.this` where the name of a parameter is expected.
    fn receiver_name(&mut self) -> Option<NodeId> {
        let start = self.start();
        if self.eat(TokenKind::This) {
            return Some(self.node(Kind::This { qualifier: None }, start));
        }
        if self.kind != TokenKind::Ident || self.ahead(1) != TokenKind::Dot {
            return None;
        }
        let qualifier = self.qualified_name();
        self.expect(TokenKind::Dot);
        self.expect(TokenKind::This);
        Some(self.node(Kind::This { qualifier: Some(qualifier) }, start))
    }

    /// Names with brackets and values, between commas.
    pub(super) fn variables(&mut self) -> List {
        let mark = self.mark();
        loop {
            let variable = self.variable();
            self.push(variable);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.list(mark)
    }

    pub(super) fn variable(&mut self) -> NodeId {
        let start = self.start();
        let (name, name_at) = self.name();
        let dims = self.dims();
        let value = self.eat(TokenKind::Assign).then(|| self.variable_value());
        self.node(Kind::Variable { name, name_at, dims, value }, start)
    }

    /// An expression, or the elements of an array.
    pub(super) fn variable_value(&mut self) -> NodeId {
        if self.kind == TokenKind::OpenBrace { self.array_initializer() } else { self.expression() }
    }

    pub(super) fn array_initializer(&mut self) -> NodeId {
        self.deeper(|parser| {
            let start = parser.start();
            parser.bump();
            let mark = parser.mark();
            parser.bracketed(|parser| {
                if parser.eat(TokenKind::Comma) {
                    parser.expect(TokenKind::CloseBrace);
                    return;
                }
                while !matches!(parser.kind, TokenKind::CloseBrace | TokenKind::End) {
                    let before = parser.at;
                    let value = parser.variable_value();
                    parser.push(value);
                    if !parser.eat(TokenKind::Comma) || parser.at == before {
                        break;
                    }
                }
                parser.expect(TokenKind::CloseBrace);
            });
            let values = parser.list(mark);
            parser.node(Kind::ArrayInitializer { values }, start)
        })
    }
}

/// A method with nothing but a name.
fn empty(modifiers: Option<NodeId>, name: atom::Atom, name_at: u32) -> Method {
    Method {
        modifiers,
        name,
        name_at,
        which: MethodKind::Method,
        type_parameters: List::default(),
        annotations: List::default(),
        result: None,
        receiver: None,
        parameters: List::default(),
        dims: List::default(),
        throws: List::default(),
        body: None,
        default: None,
    }
}
