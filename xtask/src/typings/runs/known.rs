//! What is known of the functions that run: inferred types, and specs that inference believes.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use program::Program;
use program::index::NameArity;
use syntax::ast::Module;
use types::Type;
use types::declared::Declarations;
use types::infer::{Inferred, Options, Way, infer};

/// A function by its module, its name and its arity.
pub(super) type Mfa = (Atom, NameArity);

/// Where a type comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Source {
    /// Inferred for the program that runs.
    Program,
    /// Inferred for the library.
    Library,
    /// A spec of the library, which is believed.
    Spec,
    /// A rule or a spec of our own for what is built in.
    Builtin,
}

impl Source {
    pub(super) fn text(self) -> &'static str {
        match self {
            Source::Program => "of programs",
            Source::Library => "of libraries",
            Source::Spec => "by specs",
            Source::Builtin => "of builtins",
        }
    }
}

/// A function with its type.
pub(super) struct Function {
    pub(super) source: Source,
    pub(super) mfa: Mfa,
    /// At most 63.
    pub(super) ways: Vec<Way>,
}

impl Function {
    fn new(source: Source, mfa: Mfa, mut ways: Vec<Way>) -> Function {
        while ways.len() > 63 {
            let Some(last) = ways.pop() else { break };
            if let Some(other) = ways.last_mut() {
                other.args.iter_mut().zip(&last.args).for_each(|(a, b)| *a = a.join(b));
                other.result = other.result.join(&last.result);
            }
        }
        Function { source, mfa, ways }
    }

    pub(super) fn name(&self) -> (Source, Atom, Atom, u32) {
        let (module, (name, arity)) = self.mfa;
        (self.source, module, name, arity)
    }

    pub(super) fn text(&self) -> String {
        let way = |way: &Way| {
            let args: Vec<String> = way.args.iter().map(Type::to_string).collect();
            format!("({}) -> {}", args.join(", "), way.result)
        };
        self.ways.iter().map(way).collect::<Vec<_>>().join("; ")
    }
}

/// A program with its types.
pub(super) struct Typed {
    declarations: Arc<Declarations>,
    inferred: Inferred,
}

impl Typed {
    pub(super) fn new(program: Arc<Program>) -> Typed {
        let declarations = Declarations::new(program);
        let inferred = infer(&declarations, &Options { findings: false, ..Options::default() });
        Typed { declarations, inferred }
    }

    /// The type of a function, if the module that runs is the one that was inferred.
    fn ways(&self, mfa: Mfa, tree: &Module) -> Option<Vec<Way>> {
        let module = self.declarations.program().module(mfa.0)?;
        if !follow::is_same(&module.tree, tree) {
            return None;
        }
        let function = self.inferred.function(mfa.0, mfa.1)?;
        (!function.stub).then(|| function.signature.ways.clone())
    }
}

/// What is known while a program runs.
pub(super) struct Known {
    pub(super) declarations: Arc<Declarations>,
    program: Typed,
    library: Arc<Typed>,
}

impl Known {
    pub(super) fn new(program: Typed, library: &Arc<Typed>) -> Known {
        let declarations = Arc::clone(&program.declarations);
        Known { declarations, program, library: Arc::clone(library) }
    }

    /// Whether a module is one of the program.
    pub(super) fn is_own(&self, module: Atom) -> bool {
        self.declarations.program().module(module).is_some()
    }

    /// Everything that is known of a function that runs.
    pub(super) fn of(&self, mfa: Mfa, tree: Option<&Arc<Module>>) -> Vec<Rc<Function>> {
        let mut found = Vec::new();
        if let Some(tree) = tree {
            if let Some(ways) = self.program.ways(mfa, tree) {
                found.push(Rc::new(Function::new(Source::Program, mfa, ways)));
            }
            if let Some(ways) = self.library.ways(mfa, tree) {
                found.push(Rc::new(Function::new(Source::Library, mfa, ways)));
            }
        }
        if !self.is_own(mfa.0)
            && let Some(spec) = self.declarations.contract(mfa.0, mfa.1)
        {
            let ways = spec.ground().map(|(args, result)| Way { args, result }).collect();
            found.push(Rc::new(Function::new(Source::Spec, mfa, ways)));
        }
        found
    }
}

/// Functions that returned, of those that have a type.
pub(super) fn count(functions: &BTreeMap<(Source, Atom, Atom, u32), u64>, of: Source) -> usize {
    functions.keys().filter(|function| function.0 == of).count()
}
