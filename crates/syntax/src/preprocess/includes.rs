//! `-include` and `-include_lib`: finding files, entering and leaving them.

use std::io::ErrorKind;
use std::path::Path;

use atom::known;

use super::fault::{Fault, Problem};
use super::{MAX_INCLUDE_DEPTH, Preprocessor, push_form};
use crate::ast::Kind;
use crate::decode::MAX_FILE_BYTES;
use crate::source::{Loc, Span};
use crate::token::{Literal, Token, TokenKind, TokenValue};

/// A file that was found: what it is called, and what is in it.
type Found = (String, Vec<u8>);

impl Preprocessor<'_> {
    /// `-include(Name).` or `-include_lib(Name).`: the tokens behind the directive's name.
    pub(super) fn include(&mut self, lib: bool, form: &[Token]) {
        let (directive, rest) = (&form[1], &form[2..]);
        let directive_name = if lib { "include_lib" } else { "include" };
        let Some((string, name)) = self.single_string(rest) else {
            let shape = [TokenKind::LParen, TokenKind::String, TokenKind::RParen, TokenKind::Dot];
            let token = super::directives::mismatch(&shape, rest, directive);
            return self.fault(Fault::at(&token, Problem::BadDirective(directive_name)));
        };
        if self.stack.len() > MAX_INCLUDE_DEPTH {
            let token = if lib { directive } else { &string };
            return self.fault(Fault::at(token, Problem::IncludeTooDeep(directive_name)));
        }
        let name = self.expand_variable(name);
        let mut found = self.search(&name);
        if found.is_none() && lib {
            found = self.search_library(&name);
        }
        match found {
            None => {
                let searched = self.searched();
                let problem = Problem::IncludeNotFound { lib, name, searched };
                self.fault(Fault::at(&string, problem));
            }
            Some((_, bytes)) if bytes.len() > MAX_FILE_BYTES => {
                self.fault(Fault::at(&string, Problem::FileTooLarge(bytes.len())));
            }
            Some(_) if self.module.files.len() >= usize::from(u16::MAX) => {
                self.fault(Fault::at(&string, Problem::TooManyFiles));
            }
            Some((path, bytes)) => {
                self.open(path.clone().into(), path.clone(), bytes, Some(string.span));
                let start = self.current().cursor.loc();
                self.file_attribute(&path, start.line, start, None);
            }
        }
    }

    /// Puts the text of the file in place of `{file, Name}` in `-doc` and `-moduledoc`. The tokens
    /// of the form start at `start`.
    pub(super) fn inline_doc_file(&mut self, start: usize) -> Result<(), Fault> {
        let tokens = &self.module.tokens[start..];
        let [minus, attribute, rest @ ..] = tokens else { return Ok(()) };
        let documents = matches!(attribute.name(), Some(known::DOC | known::MODULEDOC));
        if minus.kind != TokenKind::Minus || !documents {
            return Ok(());
        }
        let open = usize::from(rest.first().is_some_and(|t| t.kind == TokenKind::LParen));
        let [brace, file, comma, rest @ ..] = &rest[open..] else { return Ok(()) };
        let strings = rest.iter().take_while(|token| token.kind == TokenKind::String).count();
        let Some(close) = rest.get(strings).filter(|_| strings > 0) else { return Ok(()) };
        let kinds = (brace.kind, file.kind, comma.kind, close.kind);
        use TokenKind::{Atom, Comma, LBrace, RBrace};
        if kinds != (LBrace, Atom, Comma, RBrace) || file.name() != Some(known::FILE) {
            return Ok(());
        }
        let (brace, close) = (*brace, *close);
        let Some(name) = self.strings(&rest[..strings]) else { return Ok(()) };
        let text = self.search(&name).and_then(|(_, bytes)| String::from_utf8(bytes).ok());
        let Some(text) = text else { return Err(Fault::at(&brace, Problem::DocFile(name))) };
        let value = self.literal(Literal::String(text.into()));
        let same_file = brace.span.file == close.span.file && brace.span.start <= close.span.end;
        let end = if same_file { close.span.end } else { brace.span.end };
        let span = Span { end, ..brace.span };
        let first = start + 2 + open;
        let token = Token { kind: TokenKind::String, value, span, ..brace };
        self.module.tokens.splice(first..first + strings + 4, [token]);
        Ok(())
    }

    /// `("a" "b").`: the first string, and the text of all.
    fn single_string(&self, rest: &[Token]) -> Option<(Token, String)> {
        let [open, strings @ .., close, dot] = rest else { return None };
        let first = *strings.first()?;
        let shape = (open.kind, close.kind, dot.kind);
        if shape != (TokenKind::LParen, TokenKind::RParen, TokenKind::Dot) {
            return None;
        }
        Some((first, self.strings(strings)?))
    }

    /// The text of adjacent strings; `None` if there is something else among them.
    pub(super) fn strings(&self, tokens: &[Token]) -> Option<String> {
        let mut text = String::new();
        for token in tokens {
            let TokenValue::Literal(id) = token.value else { return None };
            let (TokenKind::String, Literal::String(part)) = (token.kind, self.module.literal(id))
            else {
                return None;
            };
            text.push_str(part);
        }
        Some(text)
    }

    /// Replaces `$VAR` at the start by the value of the environment variable, if it has one.
    fn expand_variable(&self, name: String) -> String {
        let Some(rest) = name.strip_prefix('$') else { return name };
        let (variable, path) = rest.split_once('/').unwrap_or((rest, ""));
        match self.files.env(variable) {
            Some(value) => join(&value, path),
            None => name,
        }
    }

    /// Looks in the directory of the including file, then in the include directories.
    fn search(&self, name: &str) -> Option<Found> {
        let directories = self.options.include_dirs.iter().map(|dir| dir.to_string_lossy());
        let mut tried = vec![self.current().directory.clone()];
        tried.extend(directories.map(|dir| dir.into_owned()));
        for directory in tried {
            let path = if directory == "." { name.to_owned() } else { join(&directory, name) };
            match self.files.read(Path::new(&path)) {
                Ok(bytes) => return Some((path, bytes)),
                Err(error)
                    if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                // As OTP does: what exists but cannot be read ends the search.
                Err(_) => return None,
            }
        }
        None
    }

    /// Takes the first part of the name as the name of an application.
    fn search_library(&self, name: &str) -> Option<Found> {
        let (application, path) = name.split_once('/')?;
        let directory = self
            .files
            .lib_dir(application)
            .or_else(|| self.files.lib_dir(without_version(application)?))?;
        let path = join(&directory.to_string_lossy(), path);
        let bytes = self.files.read(Path::new(&path)).ok()?;
        Some((path, bytes))
    }

    fn searched(&self) -> Vec<String> {
        let mut searched = vec![self.current().directory.clone()];
        searched.extend(self.options.include_dirs.iter().map(|dir| dir.display().to_string()));
        searched
    }

    /// The end of a file: reports conditions left open and goes back to the including file.
    /// Returns whether there is one.
    pub(super) fn leave_file(&mut self) -> bool {
        self.leave_file_at(self.current().cursor.loc())
    }

    pub(super) fn leave_file_at(&mut self, loc: Loc) -> bool {
        let (file, pos) = (self.current().id, self.current().cursor.pos);
        let span = Span { file, start: pos, end: pos };
        // Where text is being skipped to the end, OTP has forgotten the conditions around it.
        let mut open = std::mem::take(&mut self.current_mut().conditions);
        if !self.skipped.is_empty() {
            open = std::mem::take(&mut self.skipped);
        }
        for condition in open.into_iter().rev() {
            let problem = Problem::Misplaced("unterminated", condition);
            self.fault(Fault { problem, loc, span, expansion: None });
        }
        if self.stack.len() == 1 {
            let value = TokenValue::None;
            let eof = Token { kind: TokenKind::Eof, span, loc, expansion: None, value };
            push_form(&mut self.module, Kind::EndOfFile, eof);
            return false;
        }
        self.stack.pop();
        let file = self.current();
        let (name, shown_name) = (file.name.clone(), file.shown_name.clone());
        let loc = file.cursor.loc();
        let line = i64::from(loc.line).saturating_add(file.line_delta);
        let line = u32::try_from(line.max(0)).unwrap_or(u32::MAX);
        let back = Loc { line, ..loc };
        let written = file.file_attribute;
        self.file_attribute(&name, line, back, None);
        if shown_name != name {
            self.file_attribute(&shown_name, loc.line, back, written);
        }
        true
    }
}

/// `kernel` of `kernel-8.5.3`.
fn without_version(application: &str) -> Option<&str> {
    let (name, version) = application.rsplit_once('-')?;
    let versioned = !version.is_empty()
        && version
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    versioned.then_some(name)
}

/// As Erlang's `filename:dirname/1`.
pub(super) fn directory_of(path: &str) -> &str {
    match path.rfind('/') {
        None => ".",
        Some(at) => {
            let directory = path[..at].trim_end_matches('/');
            if directory.is_empty() { "/" } else { directory }
        }
    }
}

/// As Erlang's `filename:join/2`: an absolute second part wins; slashes are not doubled, and there
/// is none at the end.
fn join(directory: &str, name: &str) -> String {
    let joined =
        if name.starts_with('/') { name.to_owned() } else { format!("{directory}/{name}") };
    let mut path = String::with_capacity(joined.len());
    for c in joined.chars() {
        if c != '/' || !path.ends_with('/') {
            path.push(c);
        }
    }
    if path.len() > 1 && path.ends_with('/') {
        path.pop();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        assert_eq!(join("a/b", "c.hrl"), "a/b/c.hrl");
        assert_eq!(join("a//", "../c.hrl"), "a/../c.hrl");
        assert_eq!(join("a", "/c.hrl"), "/c.hrl");
        assert_eq!(directory_of("a.erl"), ".");
        assert_eq!(directory_of("/a.erl"), "/");
        assert_eq!(directory_of("x/y/a.erl"), "x/y");
        assert_eq!(without_version("kernel-8.5.3"), Some("kernel"));
        assert_eq!(without_version("my-app"), None);
    }
}
