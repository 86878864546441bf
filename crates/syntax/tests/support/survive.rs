//! Reads a text and checks that what comes back is consistent.

use std::path::{Path, PathBuf};

use syntax::ast::Kind;
use syntax::options::Options;
use syntax::source::{Files, Span};

/// Every header exists and has the same text.
struct OneText<'a>(&'a [u8]);

impl Files for OneText<'_> {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match path.file_name().is_some_and(|name| name == "self.hrl") {
            // Small, so that a text that includes itself several times is not read for ever.
            true => Ok(self.0[..self.0.len().min(64)].to_vec()),
            false => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    fn exists(&self, _path: &Path) -> bool {
        true
    }

    fn lib_dir(&self, _application: &str) -> Option<PathBuf> {
        Some(PathBuf::from("lib"))
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }
}

pub(crate) fn survive(text: &[u8]) {
    let files = OneText(text);
    let module =
        syntax::read_module_bytes(Path::new("m.erl"), text.to_vec(), &files, &Options::default());
    let last = module.forms.last().map(|&form| module.kind(form));
    assert!(matches!(last, Some(Kind::EndOfFile)), "the last form is the end of the file");
    let within = |span: Span| {
        let text = &module.file(span.file).text;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    };
    for token in &module.tokens {
        within(token.span);
        assert!(token.expansion.is_none_or(|id| (id.0 as usize) < module.expansions.len()));
    }
    for expansion in &module.expansions {
        within(expansion.call);
    }
    for diagnostic in &module.diagnostics {
        within(diagnostic.span);
        for related in &diagnostic.related {
            within(related.span);
        }
    }
    for &form in &module.forms {
        let (first, last) = (module[form].first, module[form].last);
        assert!(first <= last && (last.0 as usize) < module.tokens.len());
    }
}
