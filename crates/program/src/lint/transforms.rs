//! Parse transforms: modules that rewrite the forms before the compiler checks them.
//!
//! We do not run them. What the common ones of OTP do is known; behind any other we say nothing
//! about what it may have added or removed (functions, records, types), because it would often be
//! wrong.

use atom::known;
use syntax::ast::{Kind, NodeId};
use syntax::diagnostic::Diagnostic;

use super::scope::Update;
use super::term::Term;
use super::{LintOptions, Linter, NameArity};

/// Which transforms a module asks for.
#[derive(Default)]
pub(super) struct Transforms {
    /// Exports test functions.
    eunit: bool,
    /// Turns the fun in `ets:fun2ms(fun …)` into a match specification.
    match_specs: bool,
    /// Makes functions named `#…` for records.
    accessors: bool,
    /// One that we do not know.
    unknown: bool,
}

impl Transforms {
    pub(super) fn new(attributes: &[(NodeId, Term)], options: &LintOptions) -> Transforms {
        let mut transforms = Transforms::default();
        let all = attributes.iter().map(|(_, value)| value).chain(&options.compile);
        for option in all.flat_map(Term::flatten) {
            let Some((tag, name)) = option.as_pair() else { continue };
            if tag.as_str() != "parse_transform" {
                continue;
            }
            match name.as_atom().map(|name| name.as_str()) {
                Some("eunit_autoexport") => transforms.eunit = true,
                Some("ms_transform") => transforms.match_specs = true,
                // These rewrite calls of their own functions only.
                Some("qlc" | "merl_transform" | "lager_transform" | "vararg_transform") => {}
                Some("exprecs" | "diameter_exprecs") => transforms.accessors = true,
                _ => transforms.unknown = true,
            }
        }
        transforms
    }
}

/// What a transform may have mended.
const UNCERTAIN: &[&str] = &[
    "undefined_function",
    "unused_function",
    "define_import",
    "redefine_import",
    "unused_import",
    "undefined_record",
    "undefined_field",
    "unused_record",
    "undefined_type",
    "unused_type",
    "spec_fun_undefined",
    "undefined_on_load",
    "undefined_behaviour_func",
    "bad_inline",
];

impl Linter<'_> {
    pub(super) fn is_exported_by_transform(&self, function: NameArity) -> bool {
        let (name, arity) = (function.0.as_str(), function.1);
        let exported = name == "test"
            || ["_test", "_test_", "_exported_"].iter().any(|suffix| name.ends_with(suffix));
        self.transforms.eunit && (arity == 0 && exported || arity == 1 && name == "eunit_wrapper_")
    }

    /// EUnit adds `test/0`, others add accessors of records.
    pub(super) fn is_defined_by_transform(&self, function: NameArity) -> bool {
        let name = function.0.as_str();
        self.transforms.eunit && function.1 == 0 && name == "test"
            || self.transforms.accessors && name.starts_with('#')
    }

    /// Whether the code that is compiled is not the code that is written.
    pub(super) fn is_transformed(&self) -> bool {
        self.transforms.unknown || self.transforms.match_specs
    }

    pub(super) fn drop_uncertain(&self, found: &mut Vec<Diagnostic>) {
        if self.transforms.unknown {
            found.retain(|diagnostic| !UNCERTAIN.contains(&diagnostic.code));
        }
        if self.transforms.accessors {
            found.retain(|diagnostic| diagnostic.code != "unused_record");
        }
    }

    /// The fun in `ets:fun2ms(fun …)`, which is no code in the end. Returns `false` if this call is
    /// not one of those.
    pub(super) fn match_spec_call(
        &mut self,
        module: atom::Atom,
        name: atom::Atom,
        args: &[NodeId],
        out: &mut Vec<Update>,
    ) -> bool {
        let applies = self.transforms.match_specs
            && matches!((module.as_str(), name.as_str()), ("ets" | "dbg", "fun2ms"))
            && args.first().is_some_and(|&fun| matches!(self.kind(fun), Kind::Fun { .. }));
        if !applies {
            return false;
        }
        // It uses variables from outside and records; nothing else is as in a function.
        let (found, errors, called) = (self.found.len(), self.errors, self.called.len());
        let calls = self.usage.calls.len();
        self.exprs(args, out);
        self.found.truncate(found);
        self.errors = errors;
        self.called.truncate(called);
        self.usage.calls.truncate(calls);
        true
    }

    /// `_` as a value: an error, unless a transform gives it a meaning.
    pub(super) fn may_be_value(&self, name: atom::Atom) -> bool {
        name == known::UNDERSCORE && self.transforms.unknown
    }
}
