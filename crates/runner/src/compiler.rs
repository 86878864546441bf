//! What programs have compiled while they run: sources, abstract forms and `.beam` files to trees,
//! and what the compiler would say about them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use machine::Term;
use machine::code_space::Remark;
use program::beam;
use program::beam::etf;
use program::from_abstract;
use program::lint::{LintOptions, lint};
use program::terms::Terms;
use syntax::ast::Module;
use syntax::diagnostic::Severity;

/// The tree of a compiled module.
pub(crate) fn tree_of_binary(file: &str, bytes: &[u8]) -> Option<Arc<Module>> {
    let code = beam::abstract_code(bytes).ok()?;
    Some(Arc::new(from_abstract::module(Path::new(file), &code.terms, &code.forms)))
}

/// The tree of forms that are terms of a running program.
pub(crate) fn tree_of_forms(path: &Path, forms: &Term) -> Option<Module> {
    let mut bytes = vec![term::etf::VERSION];
    term::etf::encode(forms, 2, &mut bytes);
    tree_of_encoded(path, &bytes)
}

fn tree_of_encoded(path: &Path, bytes: &[u8]) -> Option<Module> {
    let mut terms = Terms::default();
    let root = etf::decode(bytes, &mut terms).ok()?;
    let forms = terms.get(root).list()?;
    let forms: Vec<_> = forms.into_iter().map(|form| form.id()).collect();
    Some(from_abstract::module(path, &terms, &forms))
}

/// What the compiler would say about forms; both arguments in the external term format.
pub(crate) fn remarks(forms: &[u8], options: &[u8]) -> Vec<Remark> {
    let Some(module) = tree_of_encoded(&PathBuf::from("forms"), forms) else { return Vec::new() };
    let mut terms = Terms::default();
    let options = etf::decode(options, &mut terms).ok().and_then(|root| terms.get(root).list());
    let compile = options.unwrap_or_default().into_iter().map(|option| option.constant()).collect();
    let found = lint(&module, &LintOptions { compile, ..LintOptions::default() });
    let all = module.diagnostics.iter().chain(&found);
    all.map(|diagnostic| Remark {
        error: diagnostic.severity == Severity::Error,
        line: diagnostic.loc.line,
        column: diagnostic.loc.column,
        code: diagnostic.code,
        message: diagnostic.message.clone(),
    })
    .collect()
}
