//! OTP's abstract format to a syntax tree: modules whose source is not at hand, from the forms that
//! the compiler left in their `.beam` file.
//!
//! The tree is the one that the parser would have made, with one made-up token for each node that
//! carries the node's line and column (column 0 where the forms have lines only) and no text.
//! Printing the tree in abstract format gives the forms back. The format has more freedom than
//! the grammar: code that a parse transform made may have positions where the grammar derives
//! them from other nodes (a catch pattern's tuple, a union); those are lost. What else a position
//! carries besides a location (`generated`, `record`, `text`) is lost, too.
//!
//! A form that is not understood becomes an [`Kind::ErrorForm`] with a diagnostic, and the others
//! are still there. Recursion follows the nesting of the program and grows the stack as needed, up
//! to [`MAX_DEPTH`]; long lists, which nest in the abstract format, are read by a loop.

mod expressions;
mod forms;
mod types;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use atom::Atom;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, Node, NodeId, NodeList};
use syntax::diagnostic::{Diagnostic, Origin, Severity};
use syntax::source::{Encoding, FileId, Loc, SourceFile, Span};
use syntax::token::{Literal, LiteralId, Token, TokenId, TokenKind, TokenValue};

use crate::terms::{Term, TermId, TermKind, Terms};

/// Deeper nesting than any program has.
const MAX_DEPTH: u32 = 100_000;

/// The module that forms describe. `path` is the file they came from; the name of the source file
/// is taken from them.
pub fn module(path: &Path, terms: &Terms, forms: &[TermId]) -> Module {
    let mut builder =
        Builder { module: Module::default(), file: FileId::MAIN, depth: 0, last_line: 1 };
    builder.add_file(path.to_path_buf());
    for &form in forms {
        builder.form(terms.get(form));
    }
    builder.end_of_file();
    builder.module
}

/// Gives the nodes of a module that was made from the forms of `original` (by a parse transform)
/// their texts back: what stands where something stood in the original is written as that was.
pub fn adopt_texts(made: &mut Module, original: &Module) {
    let mut spans: FxHashMap<(&Path, Loc), (Span, _)> = FxHashMap::default();
    for token in &original.tokens {
        if let Some(file) = original.files.get(token.span.file.0 as usize) {
            let place = (file.path.as_path(), token.loc);
            spans.entry(place).or_insert((token.span, token.expansion));
        }
    }
    let files = std::mem::replace(&mut made.files, original.files.clone());
    made.expansions = original.expansions.clone();
    for token in &mut made.tokens {
        let path = files.get(token.span.file.0 as usize).map(|file| file.path.as_path());
        let known = path.and_then(|path| spans.get(&(path, token.loc)));
        let nowhere = (Span { file: FileId::MAIN, start: 0, end: 0 }, None);
        (token.span, token.expansion) = known.copied().unwrap_or(nowhere);
    }
}

/// What is not as the abstract format has it.
struct Bad<'a>(Term<'a>);

type Built<'a, T> = Result<T, Bad<'a>>;

struct Builder {
    module: Module,
    /// The file that the last `-file` attribute named.
    file: FileId,
    depth: u32,
    last_line: u32,
}

impl<'a> Builder {
    fn add_file(&mut self, path: PathBuf) -> FileId {
        let known = self.module.files.iter().position(|file| file.path == path);
        let index = known.unwrap_or_else(|| {
            let text: Arc<str> = "".into();
            self.module.files.push(SourceFile::new(path, text, Encoding::Utf8));
            self.module.files.len() - 1
        });
        FileId(u16::try_from(index).unwrap_or(self.file.0))
    }

    /// Goes one level down, on a stack that is large enough.
    fn deeper<T>(
        &mut self,
        term: Term<'a>,
        build: impl FnOnce(&mut Self) -> Built<'a, T>,
    ) -> Built<'a, T> {
        if self.depth >= MAX_DEPTH {
            return Err(Bad(term));
        }
        self.depth += 1;
        let built = stacker::maybe_grow(128 << 10, 2 << 20, || build(self));
        self.depth -= 1;
        built
    }

    // ---- Tokens and nodes --------------------------------------------------------------------

    fn token(&mut self, kind: TokenKind, value: TokenValue, loc: Loc) -> TokenId {
        let span = Span { file: self.file, start: 0, end: 0 };
        self.module.tokens.push(Token { kind, span, loc, expansion: None, value });
        self.last_line = self.last_line.max(loc.line);
        TokenId(self.module.tokens.len() as u32 - 1)
    }

    fn node_at(&mut self, kind: Kind, token: TokenId) -> NodeId {
        self.module.nodes.push(Node { kind, first: token, last: token, anchor: token });
        NodeId(self.module.nodes.len() as u32 - 1)
    }

    /// A token that only says where a node stands.
    fn place(&mut self, loc: Loc) -> TokenId {
        self.token(TokenKind::Hash, TokenValue::None, loc)
    }

    fn atom_node(&mut self, name: Atom, loc: Loc) -> NodeId {
        let token = self.token(TokenKind::Atom, TokenValue::Name(name), loc);
        self.node_at(Kind::Atom(name), token)
    }

    fn var_node(&mut self, name: Atom, loc: Loc) -> NodeId {
        let token = self.token(TokenKind::Var, TokenValue::Name(name), loc);
        self.node_at(Kind::Var(name), token)
    }

    fn literal(&mut self, literal: Literal) -> LiteralId {
        self.module.literals.push(literal);
        LiteralId(self.module.literals.len() as u32 - 1)
    }

    fn integer_node(&mut self, value: BigInt, loc: Loc) -> NodeId {
        let literal = self.literal(Literal::Integer(value));
        let token = self.token(TokenKind::Integer, TokenValue::Literal(literal), loc);
        self.node_at(Kind::Integer(literal), token)
    }

    fn float_node(&mut self, value: f64, loc: Loc) -> NodeId {
        let literal = self.literal(Literal::Float(value));
        let token = self.token(TokenKind::Float, TokenValue::Literal(literal), loc);
        self.node_at(Kind::Float(literal), token)
    }

    fn string_node(&mut self, text: String, loc: Loc) -> NodeId {
        let literal = self.literal(Literal::String(text.into()));
        let token = self.token(TokenKind::String, TokenValue::Literal(literal), loc);
        self.node_at(Kind::String(literal), token)
    }

    fn list_of(&mut self, nodes: &[NodeId]) -> NodeList {
        let start = self.module.lists.len() as u32;
        self.module.lists.extend_from_slice(nodes);
        NodeList { start, len: nodes.len() as u32 }
    }

    /// Each element of a proper list, built.
    fn each(
        &mut self,
        list: Term<'a>,
        mut build: impl FnMut(&mut Self, Term<'a>) -> Built<'a, NodeId>,
    ) -> Built<'a, NodeList> {
        let terms = list.list().ok_or(Bad(list))?;
        let mut nodes = Vec::with_capacity(terms.len());
        for term in terms {
            nodes.push(build(self, term)?);
        }
        Ok(self.list_of(&nodes))
    }

    // ---- Constant terms as expressions -------------------------------------------------------

    /// The value of an attribute, as the expression that would be written for it.
    fn constant(&mut self, term: Term<'a>, loc: Loc) -> Built<'a, NodeId> {
        self.deeper(term, |this| this.constant_inner(term, loc))
    }

    fn constant_inner(&mut self, term: Term<'a>, loc: Loc) -> Built<'a, NodeId> {
        Ok(match term.kind() {
            TermKind::Atom(name) => self.atom_node(name, loc),
            TermKind::Integer(_) | TermKind::Big(_) => {
                let value = term.integer().ok_or(Bad(term))?;
                if value.sign() == num_bigint::Sign::Minus {
                    self.negative(loc, |this| this.integer_node(-value, loc))
                } else {
                    self.integer_node(value, loc)
                }
            }
            TermKind::Float(value) if value.is_sign_negative() => {
                self.negative(loc, |this| this.float_node(-value, loc))
            }
            TermKind::Float(value) => self.float_node(value, loc),
            TermKind::Nil => {
                let token = self.place(loc);
                self.node_at(Kind::Nil, token)
            }
            TermKind::List { .. } => match term.string().filter(|text| is_readable(text)) {
                Some(text) => self.string_node(text, loc),
                None => {
                    let token = self.place(loc);
                    let (elements, tail) = term.list_and_tail().ok_or(Bad(term))?;
                    let elements = self.constants(&elements, loc)?;
                    let tail = tail.map(|tail| self.constant(tail, loc)).transpose()?;
                    self.node_at(Kind::List { elements, tail }, token)
                }
            },
            TermKind::Tuple(_) => {
                let token = self.place(loc);
                let elements = self.constants(&term.tuple().unwrap_or_default(), loc)?;
                self.node_at(Kind::Tuple { elements }, token)
            }
            TermKind::Map(_) => {
                let token = self.place(loc);
                let mut fields = Vec::new();
                for (key, value) in term.map().unwrap_or_default() {
                    let (key, value) = (self.constant(key, loc)?, self.constant(value, loc)?);
                    let kind = Kind::MapField { exact: false, key, value };
                    fields.push(self.node_at(kind, token));
                }
                let fields = self.list_of(&fields);
                self.node_at(Kind::Map { base: None, fields }, token)
            }
            TermKind::Bytes(_) => self.constant_binary(term.bytes().unwrap_or_default(), loc),
            TermKind::Opaque(_) => return Err(Bad(term)),
        })
    }

    fn constants(&mut self, terms: &[Term<'a>], loc: Loc) -> Built<'a, NodeList> {
        let nodes: Result<Vec<_>, _> = terms.iter().map(|term| self.constant(*term, loc)).collect();
        Ok(self.list_of(&nodes?))
    }

    fn negative(&mut self, loc: Loc, operand: impl FnOnce(&mut Self) -> NodeId) -> NodeId {
        let token = self.token(TokenKind::Minus, TokenValue::None, loc);
        let operand = operand(self);
        self.node_at(Kind::UnaryOp { op: syntax::ast::UnaryOp::Minus, operand }, token)
    }

    /// `<<"text">>` where the bytes are characters that can be read, else `<<1, 2>>`.
    fn constant_binary(&mut self, bytes: &[u8], loc: Loc) -> NodeId {
        let token = self.place(loc);
        let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        let values: Vec<NodeId> = if bytes.is_empty() {
            Vec::new()
        } else if bytes.is_ascii() && is_readable(&text) {
            vec![self.string_node(text, loc)]
        } else {
            bytes.iter().map(|&byte| self.integer_node(byte.into(), loc)).collect()
        };
        let elements: Vec<NodeId> = values
            .into_iter()
            .map(|value| self.node_at(Kind::BinElement { value, size: None, specs: None }, token))
            .collect();
        let elements = self.list_of(&elements);
        self.node_at(Kind::Binary { elements }, token)
    }

    // ---- Problems ----------------------------------------------------------------------------

    fn error_form(&mut self, message: String, loc: Loc) -> NodeId {
        let token = self.place(loc);
        let span = self.module.token(token).span;
        let diagnostic = self.module.diagnostics.len() as u32;
        self.module.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            origin: Origin::Erlscope,
            code: "bad_abstract_code",
            message,
            span,
            loc,
            related: Vec::new(),
            help: None,
            otp_descriptor: None,
        });
        self.node_at(Kind::ErrorForm { diagnostic }, token)
    }
}

/// Where an annotation says a node is: a line, a line and a column, or a list with such a
/// `location` in it. Old releases marked generated code by negative lines.
fn location(annotation: Term<'_>) -> Loc {
    let number = |term: Term<'_>| {
        u32::try_from(term.small_integer().unwrap_or(0).unsigned_abs()).unwrap_or(u32::MAX)
    };
    match annotation.kind() {
        TermKind::Integer(_) => Loc { line: number(annotation), column: 0 },
        TermKind::Tuple(_) => match annotation.tuple().unwrap_or_default()[..] {
            [line, column] => Loc { line: number(line), column: number(column) },
            _ => Loc::default(),
        },
        TermKind::List { .. } => {
            let properties = annotation.list().unwrap_or_default();
            let found = properties.into_iter().find_map(|property| {
                let value = *property.tagged("location")?.first()?;
                // A list inside the list is nothing that a compiler writes.
                (!matches!(value.kind(), TermKind::List { .. })).then(|| location(value))
            });
            found.unwrap_or_default()
        }
        _ => Loc::default(),
    }
}

fn is_readable(text: &str) -> bool {
    text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t' | '\r'))
}

/// The start of a term, for messages.
fn excerpt(term: Term<'_>) -> String {
    let text = term.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What stands for a part of a segment that was not written.
fn is_default(term: Term<'_>) -> bool {
    term.is_atom("default")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consult::consult;
    use expect_test::{Expect, expect};
    use syntax::abstract_format::{Format, write_module};

    fn read(text: &str) -> Module {
        let consulted = consult(Path::new("forms"), text.as_bytes().to_vec());
        module(Path::new("m.beam"), &consulted.terms, &consulted.roots)
    }

    /// The forms of a module that is made of forms, and what was wrong with them.
    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let module = read(text);
        let mut out = String::new();
        write_module(&module, Format::default(), &mut out).unwrap();
        for problem in &module.diagnostics {
            out += &format!("line {}: {}\n", problem.loc.line, problem.message);
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn positions_of_every_kind() {
        check(
            "{attribute,1,module,m}. {attribute,{2,3},vsn,[-1,2.5,\"x\",<<1>>,#{a=>b},[c|d]]}.
             {function,[{generated,true},{location,{4,1}}],f,0,
              [{clause,{4,1},[],[],[{cons,{4,8},{atom,{4,9},a},
                                     {cons,{4,12},{atom,{4,12},b},{nil,{4,13}}}},
                                    {cons,{5,1},{atom,{5,2},a},
                                     {cons,{9,9},{atom,{5,4},b},{nil,{5,5}}}}]}]}.",
            expect![[r#"
                {attribute,1,module,m}.
                {attribute,{2,3},vsn,[-1,2.5,"x",<<1>>,#{a=>b},[c|d]]}.
                {function,{4,1},f,0,[{clause,{4,1},[],[],[{cons,{4,8},{atom,{4,9},a},{cons,{4,12},{atom,{4,12},b},{nil,{4,13}}}},{cons,{5,1},{atom,{5,2},a},{cons,{9,9},{atom,{5,4},b},{nil,{5,5}}}}]}]}.
                {eof,10}.
            "#]],
        );
    }

    #[test]
    fn literals_that_hold_something_else() {
        check(
            "{attribute,1,module,m}.
             {function,3,f,0,[{clause,3,[],[],[{integer,3,{3,7}},{char,3,x}]}]}.
             {eof,5}.",
            expect![[r#"
                {attribute,1,module,m}.
                {function,3,f,0,[{clause,3,[],[],[{tuple,3,[{integer,3,3},{integer,3,7}]},{atom,3,x}]}]}.
                {eof,5}.
            "#]],
        );
    }

    #[test]
    fn forms_that_are_none() {
        check(
            "{attribute,1,module,m}. junk. {function,3,f,0,[{clause,3,[],[],[{new_thing,3}]}]}.
             {function,4,g,0,[{clause,4,[],[],[{atom,4,ok}]}]}. {eof,5}.",
            expect![[r#"
                {attribute,1,module,m}.
                {error,{0,erlscope,bad_abstract_code}}.
                {error,{3,erlscope,bad_abstract_code}}.
                {function,4,g,0,[{clause,4,[],[],[{atom,4,ok}]}]}.
                {eof,5}.
                line 0: abstract code that is not understood: junk
                line 3: abstract code that is not understood: {new_thing,3}
            "#]],
        );
    }

    #[test]
    fn nesting_beyond_all_bounds_is_an_error() {
        let depth = MAX_DEPTH as usize + 10;
        let body = "{'catch',1,".repeat(depth) + "{atom,1,a}" + &"}".repeat(depth);
        let module = read(&format!("{{function,1,f,0,[{{clause,1,[],[],[{body}]}}]}}."));
        assert_eq!(module.diagnostics.len(), 1);
    }

    #[test]
    fn any_forms_are_survived() {
        const PARTS: &[&str] = &[
            "{attribute,1,spec,{{f,0},[{type,1,'fun',[{type,1,product,[]},X]}]}}",
            "{attribute,1,record,{r,[{record_field,1,X},{typed_record_field,X,X}]}}",
            "{function,1,f,0,[{clause,1,[X],[[X]],[X,X]}]}",
            "{'try',1,[X],[],[{clause,1,[{tuple,1,[X,X,X]}],[],[X]}],[]}",
            "{lc,1,X,[{generate,1,X,X},X]}",
            "{bin,1,[{bin_element,1,X,default,[{unit,8},integer]}]}",
            "{type,1,union,[X,X]}",
            "{cons,1,X,X}",
            "{'fun',1,{function,f,1}}",
            "{op,1,'+',X,X}",
            "{atom,1,a}",
            "[X|X]",
            "{1,2}",
            "a",
        ];
        arbtest::arbtest(|u| {
            let mut text = "X. X. X.".to_owned();
            for _ in 0..u.int_in_range(0..=30)? {
                text = text.replacen('X', u.choose(PARTS)?, 1);
            }
            let module = read(&text.replace('X', "{integer,1,2}"));
            write_module(&module, Format::default(), &mut String::new()).unwrap();
            Ok(())
        });
    }
}
