//! The contracts of a program that runs: which there are, and whether values are of their types.
//!
//! A module gets its contracts when it is read ([`Book::woven`]). Types are those that the program
//! declares; the program is read for them when the first spec is looked at.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use atom::Atom;
use machine::contract::{Contracts, Declared, Kind, Misfit};
use program::project::Unit;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind as Node, Module};
use term::{Term, print};
use types::declared::Declarations;
use types::member::{Mismatch, Step};

use crate::read::{Read, name_of, read};
use crate::weave::{Checking, gives_state, weave};
use crate::{Contract, Problem, Says, Who, edbc};

/// Who reads a program's declarations of types.
pub type Declaring = Box<dyn Fn() -> Option<Arc<Declarations>>>;

/// The clauses of specs that were looked at, by module and number.
type Specs = FxHashMap<(Atom, u32), Option<Rc<[Ground]>>>;

/// The contracts of a program.
pub struct Book {
    modules: RefCell<BTreeMap<Atom, Rc<Vec<Contract>>>>,
    declaring: Declaring,
    declarations: OnceCell<Option<Arc<Declarations>>>,
    specs: RefCell<Specs>,
    /// Whether specs are contracts.
    with_specs: bool,
    /// Since when, if time is a clock's.
    clock: Option<Instant>,
    /// Whether some are about tables, and whether some are protocols.
    asks_tables: Cell<bool>,
    asks_protocols: Cell<bool>,
    checking: Checking,
}

/// What reading the contracts of a module gave.
#[derive(Clone, Default, Debug)]
pub struct Woven {
    /// What is to be read behind the text of the module.
    pub text: Option<String>,
    pub problems: Vec<Problem>,
}

impl Book {
    pub fn new(declaring: Declaring, with_specs: bool, clock: bool) -> Book {
        Book {
            modules: RefCell::default(),
            declaring,
            declarations: OnceCell::new(),
            specs: RefCell::default(),
            with_specs,
            clock: clock.then(Instant::now),
            asks_tables: Cell::new(false),
            asks_protocols: Cell::new(false),
            checking: Checking::default(),
        }
    }

    /// The same where not all contracts are checked.
    pub fn checking(self, checking: Checking) -> Book {
        Book { checking, ..self }
    }

    /// Reads the contracts of a module, which are known from now on.
    pub fn woven(&self, unit: &Unit, module: &Module) -> Woven {
        let Read { contracts, problems } = contracts_of(unit, module, self.with_specs);
        let name = name_of(module);
        let (functions, behaviours) = functions_of(module);
        let text = weave(name, &contracts, &behaviours, &functions, &self.checking);
        let has = |kind| contracts.iter().any(|contract| contract.declared.kind == kind);
        self.asks_tables.set(self.asks_tables.get() || has(Kind::Table));
        self.asks_protocols.set(self.asks_protocols.get() || has(Kind::Protocol));
        self.modules.borrow_mut().insert(name, Rc::new(contracts));
        Woven { text, problems }
    }

    /// The contracts of the modules that are known of which something can be said, and what.
    fn all(&self, about: impl Fn(&Says) -> Option<bool>) -> Vec<(Atom, u32, bool)> {
        let modules = self.modules.borrow();
        let contracts = modules.iter().flat_map(|(module, contracts)| {
            (0..).zip(contracts.iter()).map(move |(number, contract)| (*module, number, contract))
        });
        contracts
            .filter_map(|(module, number, it)| Some((module, number, about(&it.says)?)))
            .collect()
    }

    fn contract(&self, module: Atom, number: u32) -> Option<Contract> {
        self.modules.borrow().get(&module)?.get(number as usize).cloned()
    }

    fn spec(&self, module: Atom, number: u32) -> Option<Rc<[Ground]>> {
        if let Some(known) = self.specs.borrow().get(&(module, number)) {
            return known.clone();
        }
        let function = self.contract(module, number).and_then(|it| it.about);
        let declarations = self.declarations.get_or_init(|| (self.declaring)());
        let spec = function.and_then(|function| {
            let declarations = declarations.as_ref()?;
            declarations.spec(module, function).map(|spec| spec.ground().collect())
        });
        self.specs.borrow_mut().insert((module, number), spec.clone());
        spec
    }
}

/// The functions of a module, and its behaviours.
fn functions_of(module: &Module) -> (Vec<(Atom, u32)>, Vec<Atom>) {
    let (mut functions, mut behaviours) = (Vec::new(), Vec::new());
    for &form in &module.forms {
        match module.kind(form) {
            Node::Function { name, arity, .. } => functions.push((name, arity)),
            Node::Attribute { name, values }
                if matches!(name.as_str(), "behaviour" | "behavior") =>
            {
                for &value in module.list(values) {
                    if let Node::Atom(name) = module.kind(value) {
                        behaviours.push(name);
                    }
                }
            }
            _ => {}
        }
    }
    (functions, behaviours)
}

/// The callbacks of a module that give a state.
pub fn callbacks(module: &Module) -> Vec<(Atom, u32)> {
    let (functions, behaviours) = functions_of(module);
    functions.into_iter().filter(|function| gives_state(*function, &behaviours)).collect()
}

/// The contracts of a module of a project.
pub fn contracts_of(unit: &Unit, module: &Module, with_specs: bool) -> Read {
    let with_macros = edbc::is_included(module).then(|| edbc::with_macros(unit, module));
    read(module, with_macros.as_ref(), with_specs)
}

impl Contracts for Book {
    fn declared(&self, module: Atom, number: u32) -> Option<Declared> {
        self.contract(module, number).map(|contract| contract.declared)
    }

    fn misfit(
        &self,
        module: Atom,
        number: u32,
        args: &[Term],
        result: Option<&Term>,
    ) -> Option<Misfit> {
        let clauses = self.spec(module, number)?;
        match result {
            None => arguments(&clauses, args),
            Some(result) => result_of(&clauses, args, result),
        }
    }

    fn asks_tables(&self) -> bool {
        self.asks_tables.get()
    }

    fn of_table(&self, name: Atom) -> Vec<(Atom, u32, bool)> {
        self.all(|says| match says {
            Says::Objects(table, _) if *table == name => Some(true),
            Says::Table(table, _) if *table == name => Some(false),
            _ => None,
        })
    }

    fn asks_protocols(&self) -> bool {
        self.asks_protocols.get()
    }

    fn of_name(&self, name: Atom) -> Vec<(Atom, u32)> {
        let own = self.all(|says| match says {
            Says::Follows { who: Who::Name(who), .. } if *who == name => Some(true),
            _ => None,
        });
        own.into_iter().map(|(module, number, _)| (module, number)).collect()
    }

    fn clock(&self) -> Option<u64> {
        self.clock.map(|since| since.elapsed().as_micros() as u64)
    }
}

type Ground = (Vec<types::Type>, types::Type);

/// What of the arguments fits none of the clauses: told of the one that they come furthest in.
fn arguments(clauses: &[Ground], args: &[Term]) -> Option<Misfit> {
    let mut furthest: Option<(usize, Box<Mismatch>)> = None;
    for (types, _) in clauses {
        let failed = types
            .iter()
            .zip(args)
            .enumerate()
            .find_map(|(at, (ty, arg))| ty.check(arg).err().map(|mismatch| (at, mismatch)));
        let (at, mismatch) = failed?;
        if furthest.as_ref().is_none_or(|(known, _)| at > *known) {
            furthest = Some((at, mismatch));
        }
    }
    furthest.map(|(at, mismatch)| misfit(Some(at as u32 + 1), &mismatch))
}

/// Whether the result is none that the clauses for these arguments give.
fn result_of(clauses: &[Ground], args: &[Term], result: &Term) -> Option<Misfit> {
    let mut first = None;
    for (types, gives) in clauses {
        if !types.iter().zip(args).all(|(ty, arg)| ty.contains(arg)) {
            continue;
        }
        match gives.check(result) {
            Ok(()) => return None,
            Err(mismatch) => {
                first.get_or_insert(mismatch);
            }
        }
    }
    first.map(|mismatch| misfit(None, &mismatch))
}

fn misfit(argument: Option<u32>, mismatch: &Mismatch) -> Misfit {
    let expected = match &mismatch.missing {
        Some(key) => format!("{} (the key {key:?} is missing)", mismatch.expected),
        None => mismatch.expected.to_string(),
    };
    Misfit {
        argument,
        path: mismatch.path.iter().map(step).collect::<Vec<_>>().join(", "),
        found: print::to_string(&mismatch.found),
        expected,
    }
}

/// A step from a value to a part of it.
fn step(step: &Step) -> String {
    match step {
        Step::Element(place) => format!("element {place}"),
        Step::Item(place) => format!("item {place}"),
        Step::Tail => "tail".to_owned(),
        Step::Key(key) => format!("key {}", print::to_string(key)),
        Step::Value(key) => format!("value of {}", print::to_string(key)),
    }
}
