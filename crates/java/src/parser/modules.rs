//! Files: package, imports, declarations of modules and of classes.

use crate::token::TokenKind;
use crate::tree::{Kind, List, NodeId};

use super::Parser;

impl Parser {
    /// The whole file.
    pub(super) fn unit(&mut self) {
        let mut package = None;
        let mut imports = Vec::new();
        let mark = self.mark();
        let mut is_first = true;
        while self.kind != TokenKind::End {
            let before = self.at;
            match self.kind {
                TokenKind::Semicolon => {
                    self.bump();
                    let start = self.end() - 1;
                    let empty = self.node(Kind::Empty, start);
                    self.push(empty);
                }
                TokenKind::Import => {
                    let import = self.import();
                    imports.push(import);
                }
                TokenKind::Package if is_first => package = Some(self.package()),
                TokenKind::At if is_first && self.is_annotated(TokenKind::Package) => {
                    package = Some(self.package());
                }
                _ if self.is_module() => {
                    let module = self.module();
                    self.push(module);
                }
                _ => {
                    let declaration = self.top_level();
                    if let Some(declaration) = declaration {
                        self.push(declaration);
                    }
                }
            }
            is_first = false;
            self.ensure_progress(before);
        }
        let declarations = self.list(mark);
        let imports = self.tree.add_list(&imports);
        let start = self.tokens[0].start.min(self.end());
        self.tree.root = self.node(Kind::Unit { package, imports, declarations }, start);
    }

    /// Whether this keyword follows the annotations here.
    fn is_annotated(&self, kind: TokenKind) -> bool {
        self.kind_at(self.behind_annotations(self.at)) == kind
    }

    fn package(&mut self) -> NodeId {
        let start = self.start();
        let annotations = self.annotations();
        self.expect(TokenKind::Package);
        let name = self.qualified_name();
        self.expect(TokenKind::Semicolon);
        self.node(Kind::Package { annotations, name }, start)
    }

    fn import(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        let is_static = self.eat(TokenKind::Static);
        let at = self.start();
        let mut name = self.qualified_name();
        if self.kind == TokenKind::Dot && self.ahead(1) == TokenKind::Star {
            self.bump();
            self.bump();
            let star = atom::Atom::new("*");
            name = self.node(Kind::Select { target: name, name: star }, at);
        } else if self.eat(TokenKind::Dot) {
            self.expected("an identifier");
        }
        if !self.expect(TokenKind::Semicolon) {
            self.skip_to_boundary();
        }
        self.node(Kind::Import { is_static, name }, start)
    }

    /// A class; what stands there else is skipped.
    fn top_level(&mut self) -> Option<NodeId> {
        let start = self.start();
        let modifiers = self.modifiers();
        if self.is_class() {
            return Some(self.class_declaration(modifiers, start));
        }
        if self.kind == TokenKind::CloseBrace {
            self.error_here("expected4", "this brace closes nothing");
            self.bump();
            return None;
        }
        self.error_here("expected4", "expected a class, interface, enum or record");
        if self.kind == TokenKind::OpenBrace {
            return Some(self.block());
        }
        self.skip_to_boundary();
        None
    }

    fn is_module(&self) -> bool {
        let mut at = self.behind_annotations(self.at);
        if self.word_at(at, "open") && self.word_at(at + 1, "module") {
            at += 1;
        }
        self.word_at(at, "module") && self.kind_at(at + 1) == TokenKind::Ident
    }

    fn module(&mut self) -> NodeId {
        let start = self.start();
        let annotations = self.annotations();
        let is_open = self.at_word("open");
        if is_open {
            self.bump();
        }
        self.bump();
        let name = self.qualified_name();
        self.expect(TokenKind::OpenBrace);
        let mark = self.mark();
        while !matches!(self.kind, TokenKind::CloseBrace | TokenKind::End) {
            let before = self.at;
            if let Some(directive) = self.directive() {
                self.push(directive);
            } else {
                self.error_here("expected.module.directive", "expected a directive of a module");
                self.skip_to_boundary();
            }
            self.ensure_progress(before);
        }
        self.expect(TokenKind::CloseBrace);
        let directives = self.list(mark);
        self.node(Kind::Module { annotations, is_open, name, directives }, start)
    }

    fn directive(&mut self) -> Option<NodeId> {
        let start = self.start();
        let word = ["requires", "exports", "opens", "uses", "provides"]
            .into_iter()
            .find(|word| self.at_word(word))?;
        self.bump();
        let kind = match word {
            "requires" => self.requires(),
            "exports" | "opens" => {
                let package = self.qualified_name();
                let to = self.names_behind("to");
                match word {
                    "exports" => Kind::Exports { package, to },
                    _ => Kind::Opens { package, to },
                }
            }
            "uses" => Kind::Uses { service: self.qualified_name() },
            _ => {
                let service = self.qualified_name();
                let with = self.names_behind("with");
                if with.is_empty() {
                    self.expected("`with`");
                }
                Kind::Provides { service, with }
            }
        };
        self.expect(TokenKind::Semicolon);
        Some(self.node(kind, start))
    }

    fn requires(&mut self) -> Kind {
        let (mut is_static, mut is_transitive) = (false, false);
        loop {
            // A module may be called `transitive`.
            let is_name = matches!(self.ahead(1), TokenKind::Semicolon | TokenKind::Dot);
            if self.kind == TokenKind::Static {
                is_static = true;
            } else if self.at_word("transitive") && !is_name {
                is_transitive = true;
            } else {
                break;
            }
            self.bump();
        }
        Kind::Requires { is_static, is_transitive, name: self.qualified_name() }
    }

    fn names_behind(&mut self, word: &str) -> List {
        let mark = self.mark();
        if self.at_word(word) {
            self.bump();
            loop {
                let name = self.qualified_name();
                self.push(name);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.list(mark)
    }
}
