//! Classes, interfaces, enums, records and annotation types, up to their members.

use atom::Atom;

use crate::token::TokenKind;
use crate::tree::{Class, ClassKind, Flags, Kind, List, NodeId, PartId};

use super::Parser;

/// The class whose members are being read.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    pub(super) which: ClassKind,
    pub(super) name: Option<Atom>,
}

impl Parser {
    /// Whether a class-like declaration begins here, behind its modifiers.
    pub(super) fn is_class(&self) -> bool {
        match self.kind {
            TokenKind::Class | TokenKind::Interface | TokenKind::Enum => true,
            TokenKind::At => self.ahead(1) == TokenKind::Interface,
            TokenKind::Ident => self.is_record(),
            _ => false,
        }
    }

    /// A declaration whose keyword is here.
    pub(super) fn class_declaration(&mut self, modifiers: Option<NodeId>, start: u32) -> NodeId {
        self.deeper(|parser| {
            let which = match parser.kind {
                TokenKind::Class => ClassKind::Class,
                TokenKind::Interface => ClassKind::Interface,
                TokenKind::Enum => ClassKind::Enum,
                TokenKind::At => {
                    parser.bump();
                    ClassKind::Annotation
                }
                _ => ClassKind::Record,
            };
            parser.bump();
            parser.check_type_name();
            let (name, name_at) = parser.name();
            let mut class = Class {
                which,
                modifiers,
                name: Some(name),
                name_at,
                type_parameters: parser.type_parameters(),
                components: List::default(),
                extends: None,
                implements: List::default(),
                permits: List::default(),
                members: List::default(),
            };
            if which == ClassKind::Record {
                class.components = parser.components();
            }
            parser.supertypes(&mut class);
            class.members = parser.class_body(Owner { which, name: Some(name) });
            parser.class_node(class, start)
        })
    }

    /// The body of a `new`, or of a constant of an enum.
    pub(super) fn anonymous_class(&mut self, which: ClassKind) -> NodeId {
        let start = self.start();
        self.deeper(|parser| {
            let members = parser.bracketed(|parser| parser.class_body(Owner { which, name: None }));
            let class = Class {
                which,
                modifiers: None,
                name: None,
                name_at: start,
                type_parameters: List::default(),
                components: List::default(),
                extends: None,
                implements: List::default(),
                permits: List::default(),
                members,
            };
            parser.class_node(class, start)
        })
    }

    fn class_node(&mut self, class: Class, start: u32) -> NodeId {
        let id = PartId(self.tree.classes.len() as u32);
        self.tree.classes.push(class);
        self.node(Kind::Class(id), start)
    }

    fn supertypes(&mut self, class: &mut Class) {
        if self.kind == TokenKind::Extends {
            self.bump();
            if class.which == ClassKind::Interface {
                class.implements = self.types();
            } else {
                class.extends = Some(self.ty());
            }
        }
        if self.eat(TokenKind::Implements) {
            class.implements = self.types();
        }
        if self.at_word("permits") {
            self.bump();
            class.permits = self.types();
        }
    }

    /// The parameters of a record.
    fn components(&mut self) -> List {
        self.expect(TokenKind::OpenParen);
        let mark = self.mark();
        while !matches!(self.kind, TokenKind::CloseParen | TokenKind::End) {
            let before = self.at;
            let component = self.parameter();
            self.check_component(component);
            self.push(component);
            if !self.eat(TokenKind::Comma) || self.at == before {
                break;
            }
        }
        self.expect(TokenKind::CloseParen);
        self.list(mark)
    }

    /// Words that are keywords in places cannot be the names of classes.
    fn check_type_name(&mut self) {
        if ["var", "yield", "record", "sealed", "permits"].iter().any(|word| self.at_word(word)) {
            self.error_here("restricted.type.not.allowed", "this word is no name for a class");
        }
    }

    /// Components have no modifiers, and their brackets belong to the type.
    fn check_component(&mut self, component: NodeId) {
        let Kind::Parameter { modifiers, dims, .. } = self.tree.kind(component) else { return };
        let span = self.tree.span(component);
        if self.tree.flags(modifiers) != Flags::default() {
            let message = "a component of a record has no modifiers".to_owned();
            self.error_at("record.cant.declare.field.modifiers", message, span);
        }
        if !dims.is_empty() {
            let message = "the brackets belong behind the type".to_owned();
            self.error_at("record.component.and.old.array.syntax", message, span);
        }
    }

    fn class_body(&mut self, owner: Owner) -> List {
        let mark = self.mark();
        if self.expect(TokenKind::OpenBrace) {
            // Constants of enums have bodies that are classes, not enums.
            if owner.which == ClassKind::Enum && owner.name.is_some() {
                self.constants();
            }
            while !matches!(self.kind, TokenKind::CloseBrace | TokenKind::End) {
                let before = self.at;
                if !self.eat(TokenKind::Semicolon) {
                    self.member(owner);
                }
                self.ensure_progress(before);
            }
            self.expect(TokenKind::CloseBrace);
        }
        self.list(mark)
    }

    /// The constants of an enum, pushed; and the semicolon behind them.
    fn constants(&mut self) {
        while matches!(self.kind, TokenKind::Ident | TokenKind::At | TokenKind::Underscore) {
            let constant = self.constant();
            self.push(constant);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.kind == TokenKind::Comma {
            self.bump();
        }
        if !self.eat(TokenKind::Semicolon) && self.kind != TokenKind::CloseBrace {
            self.expected("`,`, `;` or `}`");
        }
    }

    fn constant(&mut self) -> NodeId {
        let start = self.start();
        let modifiers = self.modifiers();
        let (name, name_at) = self.name();
        let has_args = self.kind == TokenKind::OpenParen;
        let args = if has_args { self.args() } else { List::default() };
        let body =
            (self.kind == TokenKind::OpenBrace).then(|| self.anonymous_class(ClassKind::Enum));
        self.node(Kind::EnumConstant { modifiers, name, name_at, args, has_args, body }, start)
    }
}
