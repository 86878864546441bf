//! From files to a module: reads forms, carries out directives, expands macros, and has the
//! parser make nodes of what is left.
//!
//! The forms that come out, their order and their places are those of OTP 25's
//! `epp:parse_file/2`: the `-file` attributes that it makes around includes, one error form for
//! every error, the end of file at the end. Forms without macro calls are parsed from the very
//! tokens that the lexer wrote; nothing is copied.
//!
//! Differs from OTP: where `maybe` and `else` are not keywords and a form that uses them fails, the
//! form is read again with both as keywords, and kept so if that succeeds. With `release` 27 or
//! later they are keywords from the start, and `-doc({file, Name})` is replaced by the text of the
//! file. `$X` with U+FFFE or U+FFFF makes OTP lose the rest of its read buffer; here only the
//! character is lost.

mod arguments;
mod conditionals;
mod conditions;
mod directives;
mod expand;
pub(crate) mod fault;
mod includes;
mod macros;
mod predefined;
mod stringify;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use atom::{Atom, known};

use crate::ast::{Kind, Module, Node, NodeId};
use crate::decode::{self, MAX_FILE_BYTES};
use crate::diagnostic::{Diagnostic, Related};
use crate::lexer::{self, Cursor, FormEnd, LexError, Names, Sink};
use crate::options::Options;
use crate::parser;
use crate::source::{Encoding, FileId, Files, Loc, SourceFile, Span};
use crate::token::{ExpansionId, Literal, Token, TokenId, TokenKind, TokenValue};
use crate::wording;

use fault::{Fault, Problem};
use macros::Macros;
use predefined::Function;

/// Reads a module from a file. Whatever the file holds, a module comes back; what is wrong with it
/// is in [`Module::diagnostics`].
pub fn read_module(path: &Path, files: &dyn Files, options: &Options) -> Module {
    match files.read(path) {
        Ok(bytes) => read_module_bytes(path, bytes, files, options),
        Err(error) => unreadable(path, Problem::Unreadable(error.to_string())),
    }
}

/// Reads a module whose text is at hand; `path` is what it is called and where includes start from.
pub fn read_module_bytes(
    path: &Path,
    bytes: Vec<u8>,
    files: &dyn Files,
    options: &Options,
) -> Module {
    if bytes.len() > MAX_FILE_BYTES {
        return unreadable(path, Problem::FileTooLarge(bytes.len()));
    }
    let mut preprocessor = Preprocessor::new(files, options);
    // About as many as such a text has: growing tables costs more than memory that is not touched.
    let module = &mut preprocessor.module;
    module.tokens.reserve(bytes.len().min(RESERVED_BYTES) / 4);
    module.nodes.reserve(bytes.len().min(RESERVED_BYTES) / 7);
    module.lists.reserve(bytes.len().min(RESERVED_BYTES) / 9);
    let name = match &options.source_name {
        Some(name) => name.clone(),
        None => path.to_string_lossy().into_owned(),
    };
    preprocessor.open(path.to_path_buf(), name, bytes, None);
    preprocessor.reserve();
    preprocessor.define_predefined();
    let start = preprocessor.current().cursor.loc();
    preprocessor.file_attribute(&preprocessor.current().name.clone(), start.line, start, None);
    preprocessor.define_from_options();
    while preprocessor.step() {}
    preprocessor.module
}

/// The module of a file that could not be read: an error and nothing else.
fn unreadable(path: &Path, problem: Problem) -> Module {
    let mut module = Module::default();
    module.files.push(SourceFile::new(path.to_path_buf(), Arc::from(""), Encoding::Utf8));
    let span = Span { file: FileId::MAIN, start: 0, end: 0 };
    let loc = Cursor::START.loc();
    module.diagnostics.push(problem.diagnostic(loc, span));
    let token = Token { kind: TokenKind::Eof, span, loc, expansion: None, value: TokenValue::None };
    push_form(&mut module, Kind::ErrorForm { diagnostic: 0 }, token);
    push_form(&mut module, Kind::EndOfFile, token);
    module
}

/// A file that is being read.
struct OpenFile {
    id: FileId,
    text: Arc<str>,
    /// The text was cut at bytes that are not UTF-8.
    cut: bool,
    cursor: Cursor,
    /// The name in `-file` attributes of includes.
    name: String,
    /// The name in `?FILE`: changed by `-file`.
    shown_name: String,
    /// How far a `-file` attribute has moved the lines back.
    line_delta: i64,
    /// The `-file` attribute in force, if one was written.
    file_attribute: Option<Span>,
    /// Where files that this one includes are looked for first.
    directory: String,
    /// Conditions that hold around what is being read, the innermost last.
    conditions: Vec<&'static str>,
}

struct Preprocessor<'a> {
    module: Module,
    files: &'a dyn Files,
    options: &'a Options,
    names: Names,
    macros: Macros,
    /// The file being read is the last, the files that include it come before it.
    stack: Vec<OpenFile>,
    /// Conditions whose text is being skipped, the innermost last; empty when reading.
    skipped: Vec<&'static str>,
    features: Vec<Atom>,
    maybe_keywords: bool,
    /// While a form is read again with `maybe` as a keyword.
    force_maybe: bool,
    /// Whether `-feature` is still allowed.
    in_prefix: bool,
    work: expand::Work,
    // Kept for their memory.
    form: Vec<Token>,
    body: Vec<Token>,
    argument_ends: Vec<u32>,
}

/// How much of a module there was at some time.
#[derive(Clone, Copy)]
struct Mark {
    tokens: usize,
    literals: usize,
    expansions: usize,
    nodes: usize,
    lists: usize,
    diagnostics: usize,
}

impl Mark {
    fn new(module: &Module) -> Mark {
        Mark {
            tokens: module.tokens.len(),
            literals: module.literals.len(),
            expansions: module.expansions.len(),
            nodes: module.nodes.len(),
            lists: module.lists.len(),
            diagnostics: module.diagnostics.len(),
        }
    }

    /// Forgets what was added since.
    fn restore(&self, module: &mut Module) {
        module.tokens.truncate(self.tokens);
        module.literals.truncate(self.literals);
        module.expansions.truncate(self.expansions);
        module.nodes.truncate(self.nodes);
        module.lists.truncate(self.lists);
        module.diagnostics.truncate(self.diagnostics);
    }
}

impl<'a> Preprocessor<'a> {
    fn new(files: &'a dyn Files, options: &'a Options) -> Preprocessor<'a> {
        Preprocessor {
            module: Module::default(),
            files,
            options,
            names: Names::new(),
            macros: Macros::default(),
            stack: Vec::new(),
            skipped: Vec::new(),
            features: Vec::new(),
            maybe_keywords: false,
            force_maybe: false,
            in_prefix: true,
            work: expand::Work::default(),
            form: Vec::new(),
            body: Vec::new(),
            argument_ends: Vec::new(),
        }
    }

    /// Starts reading a file.
    fn open(&mut self, path: PathBuf, name: String, bytes: Vec<u8>, from: Option<Span>) {
        let decoded = decode::decode(bytes);
        let id = FileId(self.module.files.len() as u16);
        let directory = includes::directory_of(&path.to_string_lossy()).to_owned();
        let text: Arc<str> = decoded.text.into();
        let mut file = SourceFile::new(path, text.clone(), decoded.encoding);
        file.included_from = from;
        self.module.files.push(file);
        self.stack.push(OpenFile {
            id,
            text,
            cut: decoded.invalid,
            cursor: Cursor::START,
            shown_name: name.clone(),
            name,
            line_delta: 0,
            file_attribute: None,
            directory,
            conditions: Vec::new(),
        });
    }

    /// Makes room for what a text of this length usually becomes.
    fn reserve(&mut self) {
        let bytes = self.current().text.len().min(1 << 22);
        self.module.tokens.reserve(bytes / 4);
        self.module.nodes.reserve(bytes / 7);
        self.module.lists.reserve(bytes / 8);
        self.module.literals.reserve(bytes / 64);
    }

    /// The file being read. The stack is never empty while reading.
    fn current(&self) -> &OpenFile {
        &self.stack[self.stack.len() - 1]
    }

    fn current_mut(&mut self) -> &mut OpenFile {
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    /// Reads one form. Returns whether there may be more.
    fn step(&mut self) -> bool {
        let mark = Mark::new(&self.module);
        let last = self.stack.len() - 1;
        let file = &mut self.stack[last];
        let before = file.cursor;
        let sink = Sink {
            tokens: &mut self.module.tokens,
            literals: &mut self.module.literals,
            names: &mut self.names,
        };
        let end = lexer::lex_form(&file.text, file.id, &mut file.cursor, self.maybe_keywords, sink);
        if file.cut && file.cursor.pos as usize == file.text.len() {
            let at_end = |token: &Token| token.span.end as usize == file.text.len();
            let whole =
                matches!(end, FormEnd::Dot) && !self.module.tokens.last().is_some_and(at_end);
            if !whole {
                return self.broken_text(mark, before, &end);
            }
        }
        match end {
            FormEnd::Error(error) => {
                mark.restore(&mut self.module);
                if self.skipped.is_empty() {
                    self.lex_error(error);
                }
                true
            }
            FormEnd::Eof if self.module.tokens.len() == mark.tokens => self.leave_file(),
            FormEnd::Dot | FormEnd::Eof => {
                if self.skipped.is_empty() {
                    self.read_form(mark);
                } else {
                    self.skip_form(mark);
                }
                true
            }
        }
    }

    fn lex_error(&mut self, error: LexError) {
        let span = Span { file: self.current().id, start: error.start, end: error.end };
        let problem = Problem::Scanner(error.problem);
        self.fault(Fault { problem, loc: error.loc, span, expansion: None });
    }

    /// The text ends at bytes that are no UTF-8: says so, and leaves the file.
    fn broken_text(&mut self, mark: Mark, before: Cursor, end: &FormEnd) -> bool {
        let file = self.current();
        let here = file.cursor;
        let loc = match end {
            FormEnd::Error(error) if matches!(error.problem, lexer::Problem::Char) => error.loc,
            FormEnd::Error(_) => here.loc(),
            _ => self.unfinished_item(mark),
        };
        let span = Span { file: file.id, start: here.pos, end: here.pos };
        mark.restore(&mut self.module);
        let fault = |problem| Fault { problem, loc, span, expansion: None };
        self.current_mut().cut = false;
        if before.pos < here.pos {
            self.fault(fault(Problem::InvalidUnicode));
            if !self.skipped.is_empty() {
                self.skipped.clear();
                return self.leave_file_at(before.loc());
            }
        }
        self.skipped.clear();
        self.fault(fault(Problem::CannotParse));
        self.leave_file_at(loc)
    }

    /// Where the word, comment or white space begins that the text ends in.
    fn unfinished_item(&self, mark: Mark) -> Loc {
        let file = self.current();
        let end = file.cursor.loc();
        let last = self.module.tokens[mark.tokens..].last();
        let tail_start = last.map_or(0, |token| token.span.end as usize);
        let tail = &file.text[tail_start..];
        let column_of =
            |item: &str| Loc { column: end.column - item.chars().count() as u32, ..end };
        match (last, tail.rsplit_once('\n')) {
            (Some(last), None) if tail.is_empty() => {
                let word = matches!(last.value, TokenValue::Name(_) | TokenValue::Literal(_));
                let open_ended = word && !matches!(last.kind, TokenKind::String | TokenKind::Sigil);
                if open_ended || last.kind == TokenKind::Dot { last.loc } else { end }
            }
            (_, line) => {
                let line = line.map_or(tail, |(_, line)| line);
                line.find('%').map_or_else(|| column_of(line), |at| column_of(&line[at..]))
            }
        }
    }

    /// Handles the tokens of a form that is not skipped: those from the mark on.
    fn read_form(&mut self, mark: Mark) {
        self.work.start_form();
        let tokens = &self.module.tokens[mark.tokens..];
        if let [minus, name, ..] = tokens
            && minus.kind == TokenKind::Minus
            && let Some(directive) = directives::Directive::of(name)
        {
            let mut form = std::mem::take(&mut self.form);
            form.clear();
            form.extend(self.module.tokens.drain(mark.tokens..));
            self.directive(directive, &form);
            self.form = form;
            return;
        }
        self.plain_form(mark);
    }

    /// A form that is no directive.
    fn plain_form(&mut self, mark: Mark) {
        let tokens = &self.module.tokens[mark.tokens..];
        let calls = tokens.iter().any(|token| token.kind == TokenKind::Question);
        let mut form = std::mem::take(&mut self.form);
        form.clear();
        if calls {
            form.extend(self.module.tokens.drain(mark.tokens..));
        }
        let literals = self.module.literals.len();
        let expanded = Mark { literals, ..mark };
        let mut result = self.try_form(expanded, &form);
        if !self.maybe_keywords && self.failed(&result) && self.mentions_maybe(mark, &form) {
            result = self.retry_with_maybe(expanded, form.as_mut_slice(), result);
        }
        match result {
            Ok(node) => {
                self.module.forms.push(node);
                self.add_include_sites(mark.diagnostics);
            }
            Err(fault) => {
                self.module.tokens.truncate(mark.tokens);
                self.fault(fault);
            }
        }
        self.form = form;
    }

    /// Expands and parses a form. Where `form` is empty its tokens are in place already.
    fn try_form(&mut self, mark: Mark, form: &[Token]) -> Result<NodeId, Fault> {
        if !form.is_empty() {
            let mut out = std::mem::take(&mut self.module.tokens);
            let result = self.expand(form, Function::Unknown(form), &mut out);
            self.module.tokens = out;
            result?;
        }
        let start = mark.tokens as u32;
        let tokens = &self.module.tokens[mark.tokens..];
        if self.in_prefix {
            self.in_prefix = match tokens {
                [] => true,
                [minus, name, ..] if minus.kind == TokenKind::Minus => is_prefix_form(name),
                _ => false,
            };
        }
        self.note_module(start);
        if self.options.release >= 27 {
            self.inline_doc_file(mark.tokens)?;
        }
        self.end_form(mark.tokens);
        let range = start..self.module.tokens.len() as u32;
        Ok(parser::parse_form(&mut self.module, range))
    }

    /// Marks the end of a form that has no full stop.
    fn end_form(&mut self, start: usize) {
        let cursor = self.current().cursor;
        let (span, loc) = match self.module.tokens[start..].last() {
            Some(token) if matches!(token.kind, TokenKind::Dot | TokenKind::Eof) => return,
            Some(token) => (Span { start: token.span.end, ..token.span }, token.loc),
            None => {
                (Span { file: self.current().id, start: cursor.pos, end: cursor.pos }, cursor.loc())
            }
        };
        let eof =
            Token { kind: TokenKind::Eof, span, loc, expansion: None, value: TokenValue::None };
        self.module.tokens.push(eof);
    }

    fn failed(&self, result: &Result<NodeId, Fault>) -> bool {
        match result {
            Ok(node) => matches!(self.module.kind(*node), Kind::ErrorForm { .. }),
            Err(_) => true,
        }
    }

    /// Whether the unquoted word `maybe` is in the form, before or after expansion.
    fn mentions_maybe(&self, mark: Mark, form: &[Token]) -> bool {
        let tokens = self.module.tokens[mark.tokens..].iter().chain(form);
        tokens.into_iter().any(|token| {
            token.name() == Some(known::MAYBE)
                && token.kind == TokenKind::Atom
                && self.is_unquoted(token)
        })
    }

    fn is_unquoted(&self, token: &Token) -> bool {
        !self.module.text(token.span).starts_with('\'')
    }

    /// Makes `maybe` and `else` keywords of the atoms.
    fn make_maybe_keyword(&self, token: &mut Token) {
        let Some(name) = token.name().filter(|_| token.kind == TokenKind::Atom) else { return };
        if (name == known::MAYBE || name == known::ELSE) && self.is_unquoted(token) {
            token.kind = if name == known::MAYBE { TokenKind::Maybe } else { TokenKind::Else };
        }
    }

    /// Reads the form once more with `maybe` and `else` as keywords; if that fails too, leaves
    /// everything as the first attempt had it.
    fn retry_with_maybe(
        &mut self,
        mark: Mark,
        form: &mut [Token],
        first: Result<NodeId, Fault>,
    ) -> Result<NodeId, Fault> {
        let in_place = form.is_empty();
        let raw_end = self.module.tokens.len();
        let nodes = Mark { tokens: raw_end, ..mark };
        let swap = |preprocessor: &mut Self, form: &mut [Token]| {
            if in_place {
                let mut tokens = std::mem::take(&mut preprocessor.module.tokens);
                toggle(preprocessor, &mut tokens[mark.tokens..raw_end]);
                preprocessor.module.tokens = tokens;
            } else {
                toggle(preprocessor, form);
            }
        };
        // The first attempt's fault may speak of its macro calls: they stay.
        let expansions = self.module.expansions.len();
        let restart = Mark { expansions, ..if in_place { nodes } else { mark } };
        restart.restore(&mut self.module);
        self.force_maybe = true;
        swap(self, form);
        let second = self.try_form(mark, form);
        self.force_maybe = false;
        if !self.failed(&second) {
            return second;
        }
        restart.restore(&mut self.module);
        swap(self, form);
        match first {
            Ok(_) => self.try_form(mark, form),
            Err(fault) => Err(fault),
        }
    }

    /// Reports a fault as a form of its own.
    fn fault(&mut self, fault: Fault) {
        let warning = matches!(fault.problem, Problem::UserWarning(_));
        let mut diagnostic = fault.problem.diagnostic(fault.loc, fault.span);
        if let Problem::Redefined(name) = fault.problem {
            self.add_earlier_definitions(&mut diagnostic, name);
        }
        self.add_macro_calls(&mut diagnostic, fault.expansion);
        let token = Token {
            kind: TokenKind::Eof,
            span: fault.span,
            loc: fault.loc,
            expansion: fault.expansion,
            value: TokenValue::None,
        };
        self.diagnostic_form(diagnostic, token, warning);
    }

    fn diagnostic_form(&mut self, diagnostic: Diagnostic, token: Token, warning: bool) {
        let index = self.module.diagnostics.len();
        self.module.diagnostics.push(diagnostic);
        self.add_include_sites(index);
        let diagnostic = index as u32;
        let kind = match warning {
            true => Kind::WarningForm { diagnostic },
            false => Kind::ErrorForm { diagnostic },
        };
        push_form(&mut self.module, kind, token);
    }

    /// An error about the module as a whole.
    fn error_at_start(&mut self, problem: Problem) {
        let span = Span { file: FileId::MAIN, start: 0, end: 0 };
        self.fault(Fault { problem, loc: Cursor::START.loc(), span, expansion: None });
    }

    fn add_earlier_definitions(&self, diagnostic: &mut Diagnostic, name: Atom) {
        for span in self.macros.definitions_of(name) {
            let message = "it was defined here".to_owned();
            diagnostic.related.push(Related { message, span });
        }
    }

    /// Adds the macro calls that a token came through, innermost first.
    fn add_macro_calls(&self, diagnostic: &mut Diagnostic, mut expansion: Option<ExpansionId>) {
        for _ in 0..MAX_RELATED {
            let Some(id) = expansion else { return };
            let call = self.module.expansion(id);
            let message = wording::in_expansion_of(call.name);
            diagnostic.related.push(Related { message, span: call.call });
            expansion = call.parent;
        }
    }

    /// Adds to diagnostics about headers through which includes they came.
    fn add_include_sites(&mut self, first: usize) {
        for diagnostic in &mut self.module.diagnostics[first..] {
            let mut file = diagnostic.span.file;
            while let Some(span) = self.module.files[file.0 as usize].included_from {
                let message = wording::INCLUDED_FROM.to_owned();
                diagnostic.related.push(Related { message, span });
                file = span.file;
            }
        }
    }

    /// Appends a `-file` attribute. `written` is the text of a directive that says so; without one
    /// it is the attribute that marks the start or the end of an include.
    fn file_attribute(&mut self, name: &str, line: u32, loc: Loc, written: Option<Span>) {
        let here = Span {
            file: self.current().id,
            start: self.current().cursor.pos,
            end: self.current().cursor.pos,
        };
        let span = written.unwrap_or(here);
        let name = self.literal(Literal::String(name.into()));
        let line = self.literal(Literal::Integer(line.into()));
        let start = self.module.tokens.len() as u32;
        for (kind, value) in [
            (TokenKind::Minus, TokenValue::None),
            (TokenKind::Atom, TokenValue::Name(known::FILE)),
            (TokenKind::LParen, TokenValue::None),
            (TokenKind::String, name),
            (TokenKind::Comma, TokenValue::None),
            (TokenKind::Integer, line),
            (TokenKind::RParen, TokenValue::None),
            (TokenKind::Dot, TokenValue::None),
        ] {
            self.module.tokens.push(Token { kind, span, loc, expansion: None, value });
        }
        let node = parser::parse_form(&mut self.module, start..start + 8);
        self.module.forms.push(node);
    }
}

/// The longest text for which the tables are reserved in full.
const RESERVED_BYTES: usize = 4 << 20;

/// How deep files may include each other.
const MAX_INCLUDE_DEPTH: usize = 8;

/// How many related places of one kind a diagnostic lists.
const MAX_RELATED: usize = 16;

/// Turns `maybe` and `else` from atoms to keywords, or back.
fn toggle(preprocessor: &Preprocessor<'_>, tokens: &mut [Token]) {
    for token in tokens {
        match token.kind {
            TokenKind::Maybe | TokenKind::Else => token.kind = TokenKind::Atom,
            TokenKind::Atom => {
                let name = token.name();
                if name == Some(known::MAYBE) || name == Some(known::ELSE) {
                    preprocessor.make_maybe_keyword(token);
                }
            }
            _ => {}
        }
    }
}

/// Whether `-feature` is still allowed behind an attribute of this name.
fn is_prefix_form(name: &Token) -> bool {
    name.kind == TokenKind::Atom
        && name.name().is_some_and(|name| {
            matches!(
                name.as_str(),
                "module"
                    | "feature"
                    | "if"
                    | "else"
                    | "elif"
                    | "endif"
                    | "ifdef"
                    | "ifndef"
                    | "define"
                    | "undef"
                    | "include"
                    | "include_lib"
            )
        })
}

/// Appends a form that consists of one token.
fn push_form(module: &mut Module, kind: Kind, token: Token) {
    let id = TokenId(module.tokens.len() as u32);
    module.tokens.push(token);
    let node = NodeId(module.nodes.len() as u32);
    module.nodes.push(Node { kind, first: id, last: id, anchor: id });
    module.forms.push(node);
}
