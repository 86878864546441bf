//! A module as the terms of OTP's abstract format: what `epp:parse_file/2` gives, as text that
//! `file:consult/1` reads back, one form a term.
//!
//! Positions are `{Line, Column}`, or lines only. Our tree is flatter and says less twice than
//! OTP's; what OTP has besides is put back here: the `cons` cells of a list and their positions,
//! the `_` of a catch clause without stack trace, the zeros of `<<>>` as a type, `throw`.
//!
//! What is still to be written stands on a stack of work, so neither deep nor long trees are a
//! problem. The cost is linear in the size of the output, but for the few positions that OTP
//! derives by looking down the left edge of a tree (see `anchors`).

mod expressions;
mod forms;
mod terms;
mod types;

use std::fmt::{self, Write};

pub use types::is_builtin_type;

use atom::Atom;

use crate::anchors::Anno;
use crate::ast::{Module, NodeId, NodeList, RecordName};
use crate::options::DEFAULT_RELEASE;
use crate::quote;
use crate::source::Loc;
use crate::token::{Literal, LiteralId, TokenId, TokenKind};

/// How the forms are to be written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Positions as `{Line, Column}`; otherwise as `Line`.
    pub columns: bool,
    /// Whose built-in types are told apart from the user's.
    pub release: u32,
    /// Instead of positions, `@N` for token number N, or `@@N` where only its line counts: for who
    /// knows more of the tokens than where they stand.
    pub tokens: bool,
}

impl Default for Format {
    fn default() -> Format {
        Format { columns: true, release: DEFAULT_RELEASE, tokens: false }
    }
}

/// Writes all forms, each ended by a full stop and a line break.
pub fn write_module(module: &Module, format: Format, out: &mut dyn Write) -> fmt::Result {
    module.forms.iter().try_for_each(|&form| write_form(module, form, format, out))
}

/// Writes one form, ended by a full stop and a line break.
pub fn write_form(
    module: &Module,
    form: NodeId,
    format: Format,
    out: &mut dyn Write,
) -> fmt::Result {
    let mut writer = Writer { module, format, out, work: Vec::new() };
    writer.form(form)?;
    writer.finish()?;
    out.write_str(".\n")
}

/// Writes one expression, pattern, clause or type.
pub fn write_node(
    module: &Module,
    node: NodeId,
    format: Format,
    out: &mut dyn Write,
) -> fmt::Result {
    let mut writer = Writer { module, format, out, work: vec![Work::Node(node)] };
    writer.finish()
}

/// Writes the term that the value of an attribute denotes.
pub fn write_term(module: &Module, value: NodeId, out: &mut dyn Write) -> fmt::Result {
    let format = Format::default();
    let mut writer = Writer { module, format, out, work: vec![Work::Term(value)] };
    writer.finish()
}

/// Something that is still to be written.
enum Work {
    Text(&'static str),
    Node(NodeId),
    /// A list of nodes from the child with this index on.
    Nodes(NodeList, u32),
    /// Nodes that follow others in the same list, and the closing bracket.
    MoreNodes(NodeList, u32),
    /// The cells of a list from the element with this index on.
    Cells(NodeId, u32),
    /// So many closing braces.
    Close(u32),
    Anno(TokenId),
    EndAnno(TokenId),
    /// A zero that OTP makes up, which has a line only.
    LineZero(u32),
    RecordName(RecordName),
    Specs(Option<NodeList>),
    /// Fields of a map type.
    TypeFields(NodeList, u32),
    Term(NodeId),
    /// The elements of a list or tuple of terms from this index on.
    Terms(NodeList, u32),
    MapTerms(NodeList, u32),
}

struct Writer<'a> {
    module: &'a Module,
    format: Format,
    out: &'a mut dyn Write,
    work: Vec<Work>,
}

impl Writer<'_> {
    fn finish(&mut self) -> fmt::Result {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Text(text) => self.out.write_str(text)?,
                Work::Node(node) => self.node(node)?,
                Work::Nodes(list, 0) => {
                    self.out.write_char('[')?;
                    self.nodes(list, 0)?;
                }
                Work::Nodes(list, next) | Work::MoreNodes(list, next) => self.nodes(list, next)?,
                Work::Cells(list, next) => self.cells(list, next)?,
                Work::Close(count) => {
                    (0..count).try_for_each(|_| self.out.write_char('}'))?;
                }
                Work::Anno(token) => self.token_anno(token)?,
                Work::EndAnno(token) => self.end_anno(token)?,
                Work::LineZero(line) => write!(self.out, "{{integer,{line},0}}")?,
                Work::RecordName(name) => self.record_name(name)?,
                Work::Specs(specs) => self.specs(specs)?,
                Work::TypeFields(list, next) => self.type_fields(list, next)?,
                Work::Term(node) => self.term(node)?,
                Work::Terms(list, next) => self.terms(list, next)?,
                Work::MapTerms(list, next) => self.map_terms(list, next)?,
            }
        }
        Ok(())
    }

    /// Has `items` written next, in this order.
    fn then<const N: usize>(&mut self, items: [Work; N]) {
        self.work.extend(items.into_iter().rev());
    }

    fn nodes(&mut self, list: NodeList, next: u32) -> fmt::Result {
        let Some(&node) = self.module.list(list).get(next as usize) else {
            return self.out.write_char(']');
        };
        if next > 0 {
            self.out.write_char(',')?;
        }
        self.then([Work::Node(node), Work::MoreNodes(list, next + 1)]);
        Ok(())
    }

    /// `{tag,Anno`
    fn open(&mut self, tag: &str, node: NodeId) -> fmt::Result {
        write!(self.out, "{{{tag},")?;
        let anno = self.module.anno(node);
        self.anno(anno)
    }

    fn token_anno(&mut self, token: TokenId) -> fmt::Result {
        self.anno(Anno { token, line_only: false })
    }

    fn anno(&mut self, anno: Anno) -> fmt::Result {
        if self.format.tokens {
            let mark = if anno.line_only { "@@" } else { "@" };
            return write!(self.out, "{mark}{}", anno.token.0);
        }
        let loc = self.module.token(anno.token).loc;
        if anno.line_only {
            return self.loc(Loc { column: 0, ..loc });
        }
        self.anno_at(anno.token, loc)
    }

    /// OTP remembers how an atom was written if it would be a keyword without its quotes.
    fn anno_at(&mut self, token: TokenId, loc: Loc) -> fmt::Result {
        let Some(text) = self.module.quoted_feature_keyword(token) else { return self.loc(loc) };
        write!(self.out, "[{{text,\"{text}\"}},{{location,")?;
        self.loc(loc)?;
        self.out.write_str("}]")
    }

    /// The end of a token, if OTP knows where that is; otherwise its start.
    fn end_anno(&mut self, token: TokenId) -> fmt::Result {
        if self.format.tokens {
            return self.token_anno(token);
        }
        let mut loc = self.module.token(token).loc;
        if let Some(text) = self.module.quoted_feature_keyword(token) {
            loc.column += text.len() as u32;
        }
        self.anno_at(token, loc)
    }

    /// A position without column has column 0.
    fn loc(&mut self, loc: Loc) -> fmt::Result {
        if self.format.columns && loc.column > 0 {
            write!(self.out, "{{{},{}}}", loc.line, loc.column)
        } else {
            write!(self.out, "{}", loc.line)
        }
    }

    fn atom(&mut self, atom: Atom) -> fmt::Result {
        let text = atom.as_str();
        if !quote::is_bare_atom(text) || TokenKind::feature_keyword(text).is_some() {
            self.out.write_str(&quote::quoted_atom(text))
        } else {
            self.out.write_str(text)
        }
    }

    fn literal(&mut self, id: LiteralId) -> fmt::Result {
        match self.module.literal(id) {
            Literal::Integer(value) => write!(self.out, "{value}"),
            Literal::Float(value) => self.out.write_str(&quote::float(*value)),
            Literal::String(text) => self.out.write_str(&quote::string(text)),
        }
    }
}
