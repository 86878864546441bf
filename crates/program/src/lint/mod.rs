//! What OTP's compiler says about a module that could be read: errors that make it reject the
//! module, and the warnings it gives by default.
//!
//! The rules are those of OTP 25's `erl_lint` (the judge of the differential tests), with the
//! constructs of later releases added; a few checks of later compiler passes are in [`core`].
//! One file is one concern; all of them are `impl Linter` blocks over the state defined here:
//!
//! ```text
//! forms        the order of forms, attributes          exprs, calls, comprehensions
//! records      record definitions and uses             patterns, guards, bits
//! types        types, specs, callbacks                 scope  (what is known of each variable)
//! finish       what can only be said at the end        behaviours, deprecated, formats
//! core         unreachable clauses, useless terms      tables, term, constant, similar
//! own          lints of ours that OTP has not
//! ```
//!
//! Every function walks the tree once. Variables are kept in one table with an undo log (see
//! [`scope`]), so cost is linear in the size of the module, times the number of variables that a
//! nested `case` hands outwards. Nesting is followed on the thread's stack, which `stacker` grows.
//!
//! How it differs from OTP: messages are our own, names that were probably misspelt are suggested,
//! a report that OTP gives twice for one place is given once, and unknown behaviours are passed
//! over unless the caller knows all modules ([`Interfaces`]).

use std::fmt;
use std::sync::Arc;

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, Module, NodeId};
use syntax::diagnostic::{Diagnostic, Origin, Related, Severity};

mod behaviours;
mod bits;
mod calls;
mod comprehensions;
mod constant;
mod core;
mod deprecated;
mod exprs;
mod finish;
mod formats;
mod forms;
mod functions;
mod guards;
pub mod own;
mod patterns;
mod records;
mod scope;
pub mod similar;
mod switches;
pub(crate) mod tables;
pub mod term;
mod transforms;
mod types;

pub use behaviours::{Behaviour, BehaviourLookup, of_otp};
use records::RecordInfo;
use scope::{Scope, Update};
use switches::Switches;
use term::Term;
use transforms::Transforms;

/// A function's or type's name and number of arguments.
type NameArity = (Atom, u32);

/// What the caller of the compiler asks for.
#[derive(Clone)]
pub struct LintOptions {
    /// Compiler options from the command line or a project file. They take precedence over those
    /// of `-compile` attributes.
    pub compile: Vec<Term>,
    /// The release whose rules are applied.
    pub release: u32,
    /// Whether the module must be named as its file is.
    pub check_file_name: bool,
    /// Where callbacks of behaviours are looked up, before the table of OTP's own behaviours.
    pub interfaces: Option<Arc<dyn Interfaces + Send + Sync>>,
}

impl Default for LintOptions {
    fn default() -> LintOptions {
        LintOptions {
            compile: Vec::new(),
            release: syntax::options::DEFAULT_RELEASE,
            check_file_name: false,
            interfaces: None,
        }
    }
}

impl fmt::Debug for LintOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LintOptions")
            .field("compile", &self.compile)
            .field("release", &self.release)
            .field("check_file_name", &self.check_file_name)
            .finish_non_exhaustive()
    }
}

/// What is known of other modules.
pub trait Interfaces {
    fn behaviour(&self, module: Atom) -> BehaviourLookup;
}

/// Errors and warnings about a module, in the order of the text. Problems that the lexer, the
/// preprocessor and the parser found are in [`Module::diagnostics`], not here.
pub fn lint(module: &Module, options: &LintOptions) -> Vec<Diagnostic> {
    let mut linter = Linter::new(module, options);
    linter.run_forms();
    linter.finish();
    core::check(&mut linter);
    own::check(&mut linter);
    linter.into_diagnostics()
}

/// The state of one run.
struct Linter<'m> {
    module: &'m Module,
    options: &'m LintOptions,
    switches: Switches,
    transforms: Transforms,
    found: Vec<Diagnostic>,
    /// How many of them are errors.
    errors: usize,

    /// How many more names may be suggested: a search costs time, and nobody reads hundreds.
    suggestions_left: usize,

    // ---- What the module declares ----
    module_name: Option<Atom>,
    stage: forms::Stage,
    /// Functions that have clauses anywhere in the module.
    locals: FxHashMap<NameArity, NodeId>,
    /// Functions whose definition has been reached.
    defined: FxHashMap<NameArity, NodeId>,
    exports: FxHashMap<NameArity, NodeId>,
    /// The attribute in which an exported name stands: OTP reports problems with it there.
    export_places: FxHashMap<NodeId, NodeId>,
    imports: FxHashMap<NameArity, (Atom, NodeId)>,
    records: FxHashMap<Atom, RecordInfo>,
    /// Native records of other modules.
    imported_records: FxHashSet<Atom>,
    /// `-export_record`: names, and where they are.
    exported_records: Vec<(Atom, NodeId)>,
    /// The release whose language the module is in.
    release: u32,
    types: FxHashMap<NameArity, types::TypeInfo>,
    exported_types: FxHashSet<NameArity>,
    specs: FxHashMap<(Atom, NameArity), NodeId>,
    callbacks: FxHashMap<NameArity, NodeId>,
    optional_callbacks: FxHashMap<NameArity, NodeId>,
    behaviours: Vec<(NodeId, Atom)>,
    on_load: Vec<(NameArity, NodeId)>,
    includes_qlc: bool,
    /// The name in the first `-file` form, and whether the current form is in that file.
    first_file: Option<String>,
    in_first_file: bool,

    // ---- What it uses ----
    /// Who is called, and where.
    called: Vec<(NameArity, NodeId)>,
    usage: Usage,
    type_uses: Vec<types::TypeUse>,
    type_user: types::TypeUser,
    calls_load_nif: bool,

    /// Clauses that match whatever comes.
    always_matching: FxHashSet<NodeId>,

    // ---- Where we are ----
    function: Option<NameArity>,
    scope: Scope,
    /// In the default value of a record field, outside any fun or comprehension.
    in_record_definition: bool,
    /// Checking the default value of a record field once more, for a record built in a guard:
    /// errors are reported at that place.
    report_at: Option<NodeId>,
    /// In a size expression of a binary pattern: what the segments before it bound.
    segment_variables: Option<Vec<Update>>,
}

/// What a stretch of code uses. Kept apart for default values of record fields, whose uses count
/// where the record is built.
#[derive(Default, Clone)]
struct Usage {
    calls: Vec<(Option<NameArity>, NameArity)>,
    imports: FxHashSet<(NameArity, Atom)>,
    records: FxHashSet<Atom>,
}

impl<'m> Linter<'m> {
    fn new(module: &'m Module, options: &'m LintOptions) -> Linter<'m> {
        let switches = Switches::new(module, options);
        Linter {
            module,
            options,
            transforms: Transforms::new(&switches.attributes, options),
            switches,
            found: Vec::new(),
            errors: 0,
            suggestions_left: 100,
            module_name: None,
            stage: forms::Stage::Start,
            locals: FxHashMap::default(),
            defined: FxHashMap::default(),
            exports: FxHashMap::default(),
            export_places: FxHashMap::default(),
            imports: FxHashMap::default(),
            records: FxHashMap::default(),
            imported_records: FxHashSet::default(),
            exported_records: Vec::new(),
            release: records::release(module, options.release),
            types: FxHashMap::default(),
            exported_types: FxHashSet::default(),
            specs: FxHashMap::default(),
            callbacks: FxHashMap::default(),
            optional_callbacks: FxHashMap::default(),
            behaviours: Vec::new(),
            on_load: Vec::new(),
            includes_qlc: false,
            first_file: None,
            in_first_file: true,
            called: Vec::new(),
            usage: Usage::default(),
            type_uses: Vec::new(),
            type_user: types::TypeUser::Export,
            calls_load_nif: false,
            always_matching: FxHashSet::default(),
            function: None,
            scope: Scope::default(),
            in_record_definition: false,
            report_at: None,
            segment_variables: None,
        }
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.module.kind(id)
    }

    /// The atom that a node is.
    fn atom(&self, id: NodeId) -> Option<Atom> {
        match self.kind(id) {
            Kind::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    fn error(&mut self, at: NodeId, code: &'static str, message: String) -> &mut Diagnostic {
        // A size expression in a binary pattern is checked as a guard is, under another name.
        let code = match code {
            "illegal_guard_expr" if self.segment_variables.is_some() => "illegal_bitsize",
            "illegal_guard_local_call" if self.segment_variables.is_some() => {
                "illegal_bitsize_local_call"
            }
            _ => code,
        };
        self.report(Severity::Error, Origin::Lint, at, code, message)
    }

    fn warning(&mut self, at: NodeId, code: &'static str, message: String) -> &mut Diagnostic {
        self.report(Severity::Warning, Origin::Lint, at, code, message)
    }

    fn report(
        &mut self,
        severity: Severity,
        origin: Origin,
        at: NodeId,
        code: &'static str,
        message: String,
    ) -> &mut Diagnostic {
        let at = self.report_at.unwrap_or(at);
        self.errors += usize::from(severity == Severity::Error);
        let related = syntax::diagnostic::came_through(self.module, at);
        self.found.push(Diagnostic {
            severity,
            origin,
            code,
            message,
            span: self.module.span(at),
            loc: self.module.loc(at),
            related,
            help: None,
            otp_descriptor: None,
        });
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// The candidate that was probably meant by a name.
    fn suggest(&mut self, name: Atom, candidates: impl IntoIterator<Item = Atom>) -> Option<Atom> {
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        similar::nearest(name, candidates)
    }

    /// A place that belongs to a report.
    fn related(&self, message: &str, at: NodeId) -> Related {
        Related { message: message.into(), span: self.module.span(at) }
    }

    fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.found);
        self.drop_uncertain(&mut found);
        self.found = found;
        if self.switches.warnings_as_errors {
            for diagnostic in &mut self.found {
                diagnostic.severity = Severity::Error;
            }
        }
        self.found.sort_by(|a, b| {
            (a.span.file, a.loc, a.severity, a.code, &a.message).cmp(&(
                b.span.file,
                b.loc,
                b.severity,
                b.code,
                &b.message,
            ))
        });
        self.found.dedup_by(|a, b| {
            (a.span.file, a.loc, a.severity, a.code, &a.message)
                == (b.span.file, b.loc, b.severity, b.code, &b.message)
        });
        self.found
    }
}

/// Runs `f` with enough stack for one more level of nesting.
fn with_stack<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, f)
}
