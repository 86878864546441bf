//! What OTP's compiler would say about a module that could be read.

use syntax::ast::Module;
use syntax::diagnostic::Diagnostic;

/// What the caller of the compiler asks for.
#[derive(Clone, Debug, Default)]
pub struct LintOptions {}

/// Errors and warnings about a module, in the order of the text.
pub fn lint(_module: &Module, _options: &LintOptions) -> Vec<Diagnostic> {
    Vec::new()
}
