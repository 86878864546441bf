//! Types, type arguments and parameters, annotations, modifiers, brackets.

use crate::token::TokenKind;
use crate::tree::{Flags, Kind, List, NodeId, Primitive, WildcardBound};

use super::Parser;

impl Parser {
    /// A type, with annotations and brackets.
    pub(super) fn ty(&mut self) -> NodeId {
        self.deeper(|parser| {
            let element = parser.ty_without_brackets(true);
            parser.brackets(element)
        })
    }

    /// A type, or `void`.
    pub(super) fn result_type(&mut self) -> NodeId {
        if self.kind == TokenKind::Void {
            return self.primitive();
        }
        self.ty()
    }

    /// The type of a local variable: a type, or `var`.
    pub(super) fn local_type(&mut self) -> NodeId {
        if self.at_word("var") && self.ahead(1).is_name() {
            let start = self.start();
            self.bump();
            return self.node(Kind::Var, start);
        }
        self.ty()
    }

    pub(super) fn primitive(&mut self) -> NodeId {
        let start = self.start();
        let primitive = match self.kind {
            TokenKind::Boolean => Primitive::Boolean,
            TokenKind::Byte => Primitive::Byte,
            TokenKind::Char => Primitive::Char,
            TokenKind::Double => Primitive::Double,
            TokenKind::Float => Primitive::Float,
            TokenKind::Int => Primitive::Int,
            TokenKind::Long => Primitive::Long,
            TokenKind::Short => Primitive::Short,
            _ => Primitive::Void,
        };
        self.bump();
        self.node(Kind::Primitive(primitive), start)
    }

    /// A type up to its brackets. The diamond `<>` is only for `new`, which checks it.
    pub(super) fn ty_without_brackets(&mut self, with_args: bool) -> NodeId {
        let start = self.start();
        let annotations = self.annotations();
        let mut ty = if self.kind.is_primitive() {
            self.primitive()
        } else if self.kind.is_name() {
            let at = self.start();
            let (name, _) = self.name();
            self.node(Kind::Name(name), at)
        } else {
            self.expected("a type");
            return self.missing();
        };
        if !annotations.is_empty() {
            ty = self.node(Kind::AnnotatedType { annotations, ty }, start);
        }
        loop {
            match self.kind {
                TokenKind::Less if with_args => {
                    let args = self.type_args();
                    ty = self.node(Kind::ParameterizedType { base: ty, args }, start);
                }
                TokenKind::Dot => {
                    self.bump();
                    let annotations = self.annotations();
                    let (name, _) = self.name();
                    ty = self.node(Kind::Select { target: ty, name }, start);
                    if !annotations.is_empty() {
                        ty = self.node(Kind::AnnotatedType { annotations, ty }, start);
                    }
                }
                _ => return ty,
            }
        }
    }

    /// Brackets behind a type: the first are those of the outermost array.
    pub(super) fn brackets(&mut self, element: NodeId) -> NodeId {
        let mut levels: Vec<List> = Vec::new();
        while self.behind_brackets(self.at) > self.at {
            levels.push(self.annotations());
            self.bump();
            self.bump();
        }
        let start = self.start_of(element);
        let mut ty = element;
        for annotations in levels.into_iter().rev() {
            ty = self.node(Kind::ArrayType { element: ty }, start);
            if !annotations.is_empty() {
                ty = self.node(Kind::AnnotatedType { annotations, ty }, start);
            }
        }
        ty
    }

    /// Brackets behind a name.
    pub(super) fn dims(&mut self) -> List {
        let mark = self.mark();
        while self.behind_brackets(self.at) > self.at {
            let start = self.start();
            let annotations = self.annotations();
            self.bump();
            self.bump();
            let dimension = self.node(Kind::Dimension { annotations, size: None }, start);
            self.push(dimension);
        }
        self.list(mark)
    }

    /// `<A, ? extends B>`, or `<>`.
    pub(super) fn type_args(&mut self) -> List {
        let mark = self.mark();
        self.expect(TokenKind::Less);
        if self.eat(TokenKind::Greater) {
            return List::default();
        }
        loop {
            let arg = self.type_arg();
            self.push(arg);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Greater);
        self.list(mark)
    }

    pub(super) fn type_args_if_any(&mut self) -> List {
        if self.kind == TokenKind::Less { self.type_args() } else { List::default() }
    }

    fn type_arg(&mut self) -> NodeId {
        let behind = self.behind_annotations(self.at);
        if self.kind_at(behind) != TokenKind::Question {
            return self.ty();
        }
        let start = self.start();
        let annotations = self.annotations();
        let at = self.start();
        self.bump();
        let bound = match self.kind {
            TokenKind::Extends => WildcardBound::Extends,
            TokenKind::Super => WildcardBound::Super,
            _ => WildcardBound::Any,
        };
        let ty = (bound != WildcardBound::Any).then(|| {
            self.bump();
            self.ty()
        });
        let wildcard = self.node(Kind::Wildcard { bound, ty }, at);
        if annotations.is_empty() {
            return wildcard;
        }
        self.node(Kind::AnnotatedType { annotations, ty: wildcard }, start)
    }

    /// `<T extends A & B, U>`, if any.
    pub(super) fn type_parameters(&mut self) -> List {
        let mark = self.mark();
        if !self.eat(TokenKind::Less) {
            return List::default();
        }
        loop {
            let start = self.start();
            let annotations = self.annotations();
            let (name, _) = self.name();
            let bounds = self.mark();
            if self.eat(TokenKind::Extends) {
                let bound = self.ty();
                self.push(bound);
                while self.eat(TokenKind::Amp) {
                    let bound = self.ty();
                    self.push(bound);
                }
            }
            let bounds = self.list(bounds);
            let parameter = self.node(Kind::TypeParameter { annotations, name, bounds }, start);
            self.push(parameter);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Greater);
        self.list(mark)
    }

    /// Types between commas.
    pub(super) fn types(&mut self) -> List {
        let mark = self.mark();
        loop {
            let ty = self.ty();
            self.push(ty);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.list(mark)
    }

    /// A name with dots.
    pub(super) fn qualified_name(&mut self) -> NodeId {
        let start = self.start();
        let (name, _) = self.name();
        let mut node = self.node(Kind::Name(name), start);
        while self.kind == TokenKind::Dot && self.ahead(1).is_name() {
            self.bump();
            let (name, _) = self.name();
            node = self.node(Kind::Select { target: node, name }, start);
        }
        node
    }

    // ---- Annotations and modifiers -------------------------------------------------------------

    /// Whether an annotation begins here, and not an annotation type.
    fn is_annotation(&self) -> bool {
        self.kind == TokenKind::At && self.ahead(1) != TokenKind::Interface
    }

    pub(super) fn annotations(&mut self) -> List {
        let mark = self.mark();
        while self.is_annotation() {
            let annotation = self.annotation();
            self.push(annotation);
        }
        self.list(mark)
    }

    fn annotation(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        let name = self.qualified_name();
        let mark = self.mark();
        if self.eat(TokenKind::OpenParen) {
            self.bracketed(|parser| {
                while !matches!(parser.kind, TokenKind::CloseParen | TokenKind::End) {
                    let argument = parser.annotation_argument();
                    parser.push(argument);
                    if !parser.eat(TokenKind::Comma) {
                        break;
                    }
                }
                parser.expect(TokenKind::CloseParen);
            });
        }
        let args = self.list(mark);
        self.node(Kind::Annotation { name, args }, start)
    }

    fn annotation_argument(&mut self) -> NodeId {
        if self.kind != TokenKind::Ident || self.ahead(1) != TokenKind::Assign {
            return self.annotation_value();
        }
        let start = self.start();
        let (name, _) = self.name();
        let target = self.node(Kind::Name(name), start);
        self.bump();
        let value = self.annotation_value();
        self.node(Kind::Assign { target, value }, start)
    }

    pub(super) fn annotation_value(&mut self) -> NodeId {
        self.deeper(|parser| match parser.kind {
            TokenKind::At => parser.annotation(),
            TokenKind::OpenBrace => {
                let start = parser.start();
                parser.bump();
                let mark = parser.mark();
                while !matches!(parser.kind, TokenKind::CloseBrace | TokenKind::End) {
                    if parser.eat(TokenKind::Comma) {
                        break;
                    }
                    let value = parser.annotation_value();
                    parser.push(value);
                    if !parser.eat(TokenKind::Comma) {
                        break;
                    }
                }
                parser.expect(TokenKind::CloseBrace);
                let values = parser.list(mark);
                parser.node(Kind::ArrayInitializer { values }, start)
            }
            _ => parser.operation(),
        })
    }

    /// Keywords and annotations; `None` if there are none.
    pub(super) fn modifiers(&mut self) -> Option<NodeId> {
        let start = self.start();
        let from = self.at;
        let mut flags = Flags::default();
        let mark = self.mark();
        loop {
            if self.is_annotation() {
                let annotation = self.annotation();
                self.push(annotation);
                continue;
            }
            let Some((flag, length)) = self.modifier() else { break };
            if flags.has(flag) {
                self.error_here("repeated.modifier", "this modifier was there already");
            }
            flags = flags.with(flag);
            for _ in 0..length {
                self.bump();
            }
        }
        let annotations = self.list(mark);
        (self.at > from).then(|| self.node(Kind::Modifiers { flags, annotations }, start))
    }

    /// The modifier here, and how many tokens it has.
    fn modifier(&self) -> Option<(Flags, usize)> {
        let flag = match self.kind {
            TokenKind::Public => Flags::PUBLIC,
            TokenKind::Protected => Flags::PROTECTED,
            TokenKind::Private => Flags::PRIVATE,
            TokenKind::Abstract => Flags::ABSTRACT,
            TokenKind::Static => Flags::STATIC,
            TokenKind::Final => Flags::FINAL,
            TokenKind::Transient => Flags::TRANSIENT,
            TokenKind::Volatile => Flags::VOLATILE,
            TokenKind::Synchronized => Flags::SYNCHRONIZED,
            TokenKind::Native => Flags::NATIVE,
            TokenKind::Strictfp => Flags::STRICTFP,
            TokenKind::Default => Flags::DEFAULT,
            TokenKind::Ident if self.is_sealed() => Flags::SEALED,
            TokenKind::Ident if self.is_non_sealed() => return Some((Flags::NON_SEALED, 3)),
            _ => return None,
        };
        Some((flag, 1))
    }

    pub(super) fn is_sealed(&self) -> bool {
        self.at_word("sealed") && self.goes_on_as_class(self.at + 1)
    }

    /// `non-sealed` is three tokens that touch.
    pub(super) fn is_non_sealed(&self) -> bool {
        self.at_word("non")
            && self.ahead(1) == TokenKind::Minus
            && self.word_at(self.at + 2, "sealed")
            && self.tokens[self.at].end + 1 == self.tokens[self.at + 2].start
            && self.goes_on_as_class(self.at + 3)
    }

    /// Whether modifiers or the keyword of a class stand at an index.
    fn goes_on_as_class(&self, at: usize) -> bool {
        use TokenKind::*;
        match self.kind_at(at) {
            Public | Protected | Private | Abstract | Static | Final | Strictfp | Class
            | Interface | Enum | At => true,
            Ident => {
                self.word_at(at, "sealed")
                    || self.word_at(at, "non") && self.kind_at(at + 1) == Minus
                    || self.word_at(at, "record") && self.kind_at(at + 1) == Ident
            }
            _ => false,
        }
    }
}
