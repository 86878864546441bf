//! What a request is about: the types of its inputs, and the constants of the program.

use std::sync::Arc;

use ::inputs::{Constants, Input, Shape, calls, text};
use atom::Atom;
use program::index::NameArity;
use program::{LoadedModule, Program};
use syntax::ast::Kind;
use types::Type;
use types::declared::Declarations;
use types::infer::{self, Inferred};
use types::ty::Union;

use super::promise::Promises;
use super::{Call, Source, What, stand};
use crate::{Error, flow, reading};

pub(crate) struct Subject {
    pub(crate) subject: stand::Subject,
    pub(crate) module: Atom,
    /// The function that starts a server, and what it is given.
    pub(crate) start: Option<(Atom, Input)>,
    pub(crate) source: Source,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) constants: Constants,
    /// Those of them that clients call, of a server.
    pub(crate) clients: Vec<NameArity>,
    /// What is called.
    pub(crate) functions: Vec<(Atom, NameArity)>,
    pub(crate) call: Call,
    /// What the specs of those say about results.
    pub(super) promises: Promises,
}

pub(crate) fn of(what: &What, program: &Arc<Program>) -> Result<Subject, Error> {
    Types::of(program).subject(what, program)
}

pub(crate) fn module_of(program: &Program, name: Atom) -> Result<&LoadedModule, Error> {
    program.module(name).ok_or_else(|| match program.problems.first() {
        // It may be there.
        Some(problem) => reading::unreadable(problem),
        None => Error::Missing(format!("there is no module {name}")),
    })
}

/// Says so if a function cannot be called from outside.
pub(crate) fn is_exported(module: &LoadedModule, (name, arity): NameArity) -> Result<(), Error> {
    let of = module.name;
    if !module.index.functions.contains((name, arity)) {
        return Err(Error::Missing(format!("{of} has no function {name}/{arity}")));
    }
    if !module.index.export_all && !module.index.exports.contains((name, arity)) {
        return Err(Error::Missing(format!("{of} exports no function {name}/{arity}")));
    }
    Ok(())
}

fn function(text: &str, program: &Program, types: &mut Types) -> Result<Subject, Error> {
    let wrong = || Error::Entry(format!("`{text}` is no function such as m:f/1"));
    let flow::Entry::Functions(named) = flow::entry(&[text.to_owned()])? else {
        return Err(wrong());
    };
    let Some(&(module, name, Some(arity))) = named.first() else { return Err(wrong()) };
    is_exported(module_of(program, module)?, (name, arity))?;
    let (source, shapes) = types.shapes(module, (name, arity));
    let functions = vec![(module, (name, arity))];
    Ok(Subject {
        subject: stand::Subject::Function(module, name),
        module,
        start: None,
        clients: Vec::new(),
        source,
        shapes,
        constants: Constants::of_functions(program, &functions),
        functions,
        call: Call::Function(module, name),
        promises: Promises::of(&types.declarations, module, &[(name, arity)]),
    })
}

fn server(
    start: &str,
    named: &[String],
    program: &Program,
    types: &mut Types,
) -> Result<Subject, Error> {
    let (name, starting, args) = called(start)?;
    let module = module_of(program, name)?;
    let Input::Tuple(given) = &args else { return Err(Error::Entry(start.to_owned())) };
    is_exported(module, (starting, given.len() as u32))?;
    let functions = match named.is_empty() {
        true => for_clients(module, &types.declarations, starting),
        false => named.iter().map(|text| name_arity(text)).collect::<Result<_, _>>()?,
    };
    let mut source = Source::Spec;
    let mut callable = Vec::new();
    for &function in &functions {
        is_exported(module, function)?;
        let (from, mut args, result) = types.one(name, function);
        if from == Source::Inferred {
            source = from;
            args.iter_mut().for_each(only_server);
        }
        if !args.iter().any(Type::is_none) {
            callable.push(calls::Function { name: function.0, args, result });
        }
    }
    if callable.is_empty() && named.is_empty() {
        callable = sendings(module, types);
        source = Source::Inferred;
    }
    if callable.is_empty() {
        return Err(Error::Missing(format!("{name} has no function that clients can call")));
    }
    let mut all: Vec<(Atom, NameArity)> = functions.iter().map(|&f| (name, f)).collect();
    // What a server does it does in its callbacks, which nobody names.
    let callbacks = module.index.functions.iter().map(|(function, _)| (name, function));
    all.extend(callbacks.filter(|(_, f)| is_callback(module, &types.declarations, *f)));
    Ok(Subject {
        subject: stand::Subject::Calls(name),
        module: name,
        start: Some((starting, args)),
        promises: Promises::of(&types.declarations, name, &functions),
        clients: functions,
        source,
        shapes: vec![Shape::of_type(calls::sequences(&callable))],
        constants: Constants::of_functions(program, &all),
        functions: all,
        call: Call::Sequence { module: name, start: format!("{{ok, Server}} = {start}") },
    })
}

/// What a `gen_server` without functions for clients may be sent: what its callbacks take.
fn sendings(module: &LoadedModule, types: &mut Types) -> Vec<calls::Function> {
    let mut behaviours = module.index.behaviours.iter();
    if !behaviours.any(|(behaviour, _)| behaviour.as_str() == "gen_server") {
        return Vec::new();
    }
    let sendings = calls::Sending::ALL.into_iter().filter_map(|sending| {
        let callback = sending.callback();
        is_exported(module, callback).ok()?;
        let message = types.taken(module.name, callback).into_iter().next()?;
        (!message.is_none()).then(|| sending.function(message))
    });
    sendings.collect()
}

/// What may be a process, or another way to name a server, is the server.
fn only_server(arg: &mut Type) {
    if !arg.is_any() && arg.parts().pids {
        *arg = Union { pids: true, ..Union::default() }.into_type();
    }
}

/// `m:f(1, a)`
pub(crate) fn called(text: &str) -> Result<(Atom, Atom, Input), Error> {
    let wrong = |message: &str| Error::Call { call: text.to_owned(), message: message.to_owned() };
    let (head, args) = text.split_once('(').ok_or_else(|| wrong("it is no call"))?;
    let (module, name) = head.split_once(':').ok_or_else(|| wrong("it names no module"))?;
    let args = args.trim_end().strip_suffix(')').ok_or_else(|| wrong("it has no end"))?;
    let args = text::read(&format!("{{{args}}}")).map_err(|error| wrong(&error.to_string()))?;
    let plain = |name: &str| Atom::new(name.trim().trim_matches('\''));
    Ok((plain(module), plain(name), args))
}

fn name_arity(text: &str) -> Result<NameArity, Error> {
    let wrong = || Error::Entry(format!("`{text}` is no function such as f/1"));
    let (name, arity) = text.rsplit_once('/').ok_or_else(wrong)?;
    let arity = arity.parse().map_err(|_| wrong())?;
    Ok((Atom::new(name.trim_matches('\'')), arity))
}

pub(crate) fn is_callback(
    module: &LoadedModule,
    declarations: &Declarations,
    function: NameArity,
) -> bool {
    let mut behaviours = module.index.behaviours.iter();
    behaviours.any(|(behaviour, _)| declarations.callback(behaviour, function).is_some())
        || is_state(module, function)
}

/// Whether it is a function for a state of a `gen_statem`: the module says somewhere that this is
/// the next state.
fn is_state(module: &LoadedModule, (name, arity): NameArity) -> bool {
    let mut behaviours = module.index.behaviours.iter();
    if arity != 3 || !behaviours.any(|(behaviour, _)| behaviour.as_str() == "gen_statem") {
        return false;
    }
    let tree = &module.tree;
    let mut found = false;
    for &form in &tree.forms {
        tree.for_each_below(form, |node| {
            let Kind::Tuple { elements } = tree.kind(node) else { return };
            if let &[what, state, ..] = tree.list(elements)
                && let (Kind::Atom(what), Kind::Atom(state)) = (tree.kind(what), tree.kind(state))
            {
                found |= state == name && matches!(what.as_str(), "ok" | "next_state");
            }
        });
    }
    found
}

/// What a module exports, without callbacks and what starts or stops it.
fn for_clients(module: &LoadedModule, declarations: &Declarations, start: Atom) -> Vec<NameArity> {
    let exported = module.index.exports.iter().map(|(function, _)| function);
    exported
        .filter(|&(name, arity)| {
            name != start
                && !name.as_str().starts_with("start")
                && !name.as_str().starts_with("stop")
                && !is_callback(module, declarations, (name, arity))
        })
        .collect()
}

/// Types of functions: from specs, or inferred when the first is asked for that has none.
pub(crate) struct Types {
    pub(crate) declarations: Arc<Declarations>,
    pub(crate) inferred: Option<Inferred>,
}

impl Types {
    pub(crate) fn of(program: &Arc<Program>) -> Types {
        Types { declarations: Declarations::new(Arc::clone(program)), inferred: None }
    }

    /// What a request about a program is about, which is that of these types.
    pub(crate) fn subject(&mut self, what: &What, program: &Program) -> Result<Subject, Error> {
        match what {
            What::Function(text) => function(text, program, self),
            What::Server { start, functions } => server(start, functions, program, self),
        }
    }

    fn inferred(&mut self) -> &Inferred {
        let declarations = &self.declarations;
        self.inferred.get_or_insert_with(|| {
            let options = infer::Options { findings: false, ..infer::Options::default() };
            infer::infer(declarations, &options)
        })
    }

    /// What a function takes, clause by clause.
    pub(crate) fn shapes(&mut self, module: Atom, function: NameArity) -> (Source, Vec<Shape>) {
        if let Some(contract) = self.declarations.contract(module, function) {
            return (Source::Spec, Shape::of_contract(&contract));
        }
        let anything = || Shape::of_args(vec![Type::Any; function.1 as usize]);
        let ways = match self.inferred().function(module, function) {
            Some(found) => &found.signature.ways[..],
            None => &[],
        };
        let mut shapes: Vec<Shape> =
            ways.iter().map(|way| Shape::of_args(way.args.clone())).collect();
        // What never returns says nothing about what it takes.
        if shapes.is_empty() {
            shapes.push(anything());
        }
        (Source::Inferred, shapes)
    }

    /// What a function takes, clauses joined, by its text alone: specs of callbacks say what all
    /// modules of the behaviour take.
    fn taken(&mut self, module: Atom, function: NameArity) -> Vec<Type> {
        match self.inferred().function(module, function) {
            Some(found) if !found.signature.ways.is_empty() => found.args(),
            _ => vec![Type::Any; function.1 as usize],
        }
    }

    /// What a function takes and gives, clauses joined.
    fn one(&mut self, module: Atom, function: NameArity) -> (Source, Vec<Type>, Type) {
        if let Some(contract) = self.declarations.contract(module, function) {
            return (Source::Spec, contract.args(), contract.result());
        }
        match self.inferred().function(module, function) {
            Some(found) if !found.signature.ways.is_empty() => {
                (Source::Inferred, found.args(), found.result())
            }
            _ => (Source::Inferred, vec![Type::Any; function.1 as usize], Type::Any),
        }
    }
}
