//! Types as programs declare them: `-type`, `-opaque`, `-record`, `-spec`, `-callback`.
//!
//! [`Declarations`] knows the modules of a program and, on demand, those of libraries. A type
//! expression is read where it stands in the tree ([`resolve`]); a name that it uses stays a name
//! ([`crate::ty::Named`]) and is opened through [`Definitions`], so that recursive types are no
//! special case. What is not known (a module that is not there, a type that nobody defines) is
//! `any()`; [`unknown`] lists such names.

pub mod contract;
pub mod resolve;
pub mod unknown;

use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use atom::{Atom, known};
use program::index::{ModuleIndex, NameArity};
use program::{LoadedModule, Program};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module};
use syntax::options::Options;
use syntax::source::NoFiles;

use crate::ty::{Definitions, Named, Records, Tuples, Type, What};
use contract::Contract;
use resolve::{Resolver, Variables};

/// Specs that somebody asked for.
type Contracts = FxHashMap<(Atom, NameArity), Option<Arc<Contract>>>;

/// What the modules of a program, and the libraries that it uses, declare.
pub struct Declarations {
    program: Arc<Program>,
    /// Modules that are not part of the program, once somebody asked for them.
    library: Mutex<FxHashMap<Atom, Option<Outside>>>,
    contracts: Mutex<Contracts>,
    /// Names that somebody wrote: one of each, so that what was found out about it stays.
    names: Mutex<FxHashMap<What, Arc<Named>>>,
    myself: Weak<Declarations>,
}

/// A module of the program, of a library, or of those that we bring along.
pub enum Found<'a> {
    Own(&'a LoadedModule),
    Library(Arc<LoadedModule>),
    Embedded(Arc<Embedded>),
}

/// What declarations are read from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub name: Atom,
    pub tree: &'a Module,
    pub index: &'a ModuleIndex,
}

impl<'a> From<&'a LoadedModule> for Source<'a> {
    fn from(module: &'a LoadedModule) -> Source<'a> {
        Source { name: module.name, tree: &module.tree, index: &module.index }
    }
}

impl Found<'_> {
    pub fn source(&self) -> Source<'_> {
        match self {
            Found::Own(module) => Source::from(*module),
            Found::Library(module) => Source::from(&**module),
            Found::Embedded(module) => module.source(),
        }
    }
}

/// A module that is part of this program's own text.
pub struct Embedded {
    name: Atom,
    tree: Module,
    index: ModuleIndex,
}

impl Embedded {
    fn read(name: &str, text: &str) -> Embedded {
        let bytes = text.as_bytes().to_vec();
        let path = PathBuf::from(format!("{name}.erl"));
        let tree = syntax::read_module_bytes(&path, bytes, &NoFiles, &Options::default());
        let index = ModuleIndex::of(&tree);
        Embedded { name: Atom::new(name), tree, index }
    }

    fn source(&self) -> Source<'_> {
        Source { name: self.name, tree: &self.tree, index: &self.index }
    }
}

/// What some modules do, in our own words: what is built in, and where OTP's specs leave out what
/// happens.
static MODELS: LazyLock<[Embedded; 5]> = LazyLock::new(|| {
    [
        Embedded::read("erlang", include_str!("../../models/erlang.erl")),
        Embedded::read("lists", include_str!("../../models/lists.erl")),
        Embedded::read("maps", include_str!("../../models/maps.erl")),
        Embedded::read("prim_inet", include_str!("../../models/prim_inet.erl")),
        Embedded::read("unicode", include_str!("../../models/unicode.erl")),
    ]
});

/// A module that is not part of the program.
enum Outside {
    Library(Arc<LoadedModule>),
    Embedded(Arc<Embedded>),
}

impl Outside {
    fn found(&self) -> Found<'static> {
        match self {
            Outside::Library(module) => Found::Library(Arc::clone(module)),
            Outside::Embedded(module) => Found::Embedded(Arc::clone(module)),
        }
    }
}

impl Declarations {
    pub fn new(program: Arc<Program>) -> Arc<Declarations> {
        Arc::new_cyclic(|myself| Declarations {
            program,
            library: Mutex::default(),
            contracts: Mutex::default(),
            names: Mutex::default(),
            myself: myself.clone(),
        })
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// A module by its name.
    pub fn module(&self, name: Atom) -> Option<Found<'_>> {
        if let Some(module) = self.program.module(name) {
            return Some(Found::Own(module));
        }
        let library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = library.get(&name) {
            return known.as_ref().map(Outside::found);
        }
        drop(library);
        // Read without the lock: others may read other modules meanwhile.
        let read = match self.program.find_library_module(name) {
            Some(module) => Some(Outside::Library(Arc::new(module))),
            None => stdlib::module(name.as_str()).map(|module| {
                Outside::Embedded(Arc::new(Embedded::read(name.as_str(), module.text)))
            }),
        };
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        library.entry(name).or_insert(read).as_ref().map(Outside::found)
    }

    /// The spec of a function as its module has it, even where we know better.
    pub fn spec(&self, module: Atom, function: NameArity) -> Option<Contract> {
        let module = self.module(module)?;
        let &form = module.source().index.specs.get(function)?;
        Contract::of_form(self, module.source(), form)
    }

    /// What is known of a function: what we say ourselves, else its spec, if it has one.
    pub fn contract(&self, module: Atom, function: NameArity) -> Option<Arc<Contract>> {
        let key = (module, function);
        let mut contracts = self.contracts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(known) = contracts.entry(key) {
            return known.get().clone();
        }
        drop(contracts);
        let read = match self.model(module, function) {
            // Of what is built in OTP's specs leave out much that happens.
            None if module != known::ERLANG => self.spec(module, function),
            model => model,
        };
        let read = read.map(Arc::new);
        let mut contracts = self.contracts.lock().unwrap_or_else(PoisonError::into_inner);
        contracts.entry(key).or_insert(read).clone()
    }

    /// The specs that a text has, in its order, as a module of this name would have them.
    pub fn specs_in(&self, name: &str, text: &str) -> Vec<(NameArity, Contract)> {
        let module = Embedded::read(name, text);
        let specs = module.index.specs.iter();
        specs
            .filter_map(|(function, &form)| {
                Some((function, Contract::of_form(self, module.source(), form)?))
            })
            .collect()
    }

    /// What a behaviour asks of a callback, if it says so.
    pub fn callback(&self, behaviour: Atom, function: NameArity) -> Option<Contract> {
        let module = self.module(behaviour)?;
        let &form = module.source().index.callbacks.get(function)?;
        Contract::of_form(self, module.source(), form)
    }

    /// What we say ourselves about a function.
    fn model(&self, module: Atom, function: NameArity) -> Option<Contract> {
        let source = MODELS.iter().find(|model| model.name == module)?.source();
        let form = *source.index.specs.get(function)?;
        Some(Contract::of_form(self, source, form)?.in_order())
    }

    /// The records that every spec of a module of the program may name: those that are declared
    /// before its first function.
    pub fn records(&self, module: &LoadedModule) -> Records {
        let mut records = Records::default();
        let first = module.index.functions.iter().map(|(_, form)| *form).min();
        for (name, record) in module.index.records.iter() {
            if record.native || first.is_some_and(|first| record.form > first) {
                continue;
            }
            let what = What::Record { module: module.name, name };
            let declared = self.named(what);
            let Tuples::Some(tuples) = &declared.parts().tuples else { continue };
            let [tuple] = &tuples[..] else { continue };
            let types = tuple.iter().skip(1).cloned();
            records.add(name, record.fields.iter().map(|field| field.0).zip(types).collect());
        }
        records
    }

    /// A declared type by its name.
    pub fn named(&self, what: What) -> Type {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(&what) {
            return Type::Named(Arc::clone(known));
        }
        let Some(myself) = self.myself.upgrade() else { return Type::Any };
        let named = Arc::new(Named::new(myself, what.clone()));
        names.insert(what, Arc::clone(&named));
        Type::Named(named)
    }
}

impl Definitions for Declarations {
    fn open(&self, what: &What) -> Option<Type> {
        match what {
            What::Record { module, name } => {
                let module = self.module(*module)?;
                Some(resolve::record_type(self, module.source(), *name, &[], &Variables::none()))
            }
            What::Type { module, name, args, .. } => {
                if *module == known::ERLANG
                    && let Some(ty) = resolve::built_in(self, *name, args)
                {
                    return Some(ty);
                }
                let module = self.module(*module)?;
                let module = module.source();
                let declared = module.index.types.get((*name, args.len() as u32))?;
                let Kind::TypeAttribute { params, body, .. } = module.tree.kind(declared.form)
                else {
                    return None;
                };
                let variables = Variables::of_params(module.tree, params, args);
                let resolver = Resolver { declarations: self, module, variables: &variables };
                Some(resolver.ty(body))
            }
            What::Union(_) => None,
        }
    }

    fn named(&self, what: What) -> Type {
        Declarations::named(self, what)
    }
}
