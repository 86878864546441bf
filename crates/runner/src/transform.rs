//! Parse transforms: modules of the program that rewrite the forms of others before these are run.
//!
//! A transform runs on a node of its own, which is thrown away afterwards; it sees the forms as
//! OTP's compiler would show them, without columns if it is one that cannot stand them, and without
//! the attributes that ask for transforms. What it prints goes to the standard error output. What
//! it gives back is linted and lowered in place of the source; where it left a position, that of
//! the source is kept, with its text. The limits of the run hold for it, too.
//!
//! Where `eunit_autoexport` is the only one it is not run: what it does is done to the code
//! (`eunit_export`).

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use atom::{Atom, known};
use machine::code_space::Loader;
use machine::{Ending, Machine, Pid, Term};
use program::from_abstract;
use program::lint::term::Term as Constant;
use program::project::ErlOpts;
use syntax::ast::{Kind, Module};

use crate::compiler;
use crate::limits::{Bound, Limits, Meter};
use crate::run;
use crate::world::RealWorld;

/// What a run allows transforms, and since when.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    pub(crate) limits: Limits,
    pub(crate) since: Instant,
}

impl Default for Allowed {
    fn default() -> Allowed {
        Allowed { limits: Limits::default(), since: Instant::now() }
    }
}

impl Allowed {
    /// What is left of it.
    fn now(&self) -> Limits {
        let left = |most: Duration| most.saturating_sub(self.since.elapsed());
        Limits { real_time: self.limits.real_time.map(left), ..self.limits.clone() }
    }

    /// A bound that was reached, as the user gave it.
    fn given(&self, bound: Bound) -> Bound {
        match (bound, self.limits.real_time) {
            (Bound::RealTime(_), Some(most)) => Bound::RealTime(most),
            _ => bound,
        }
    }
}

/// Why there is no module.
pub(crate) enum Failure {
    Problem(String),
    Stopped(Atom, Bound),
}

/// The transforms that a module asks for, or its project, in the order in which they run.
pub(crate) fn wanted(module: &Module, name: Atom, erl_opts: &ErlOpts) -> Vec<Atom> {
    // Those that the options name are compiled before all others, without themselves.
    let is_first = erl_opts.parse_transforms.iter().any(|first| first == name.as_str());
    let from_options: &[String] = if is_first { &[] } else { &erl_opts.parse_transforms };
    let mut names: Vec<Atom> = from_options.iter().map(|name| Atom::new(name)).collect();
    for &form in &module.forms {
        let Kind::Attribute { name: known::COMPILE, values } = module.kind(form) else { continue };
        for &value in module.list(values) {
            collect(&Constant::of(module, value), &mut names);
        }
    }
    let of_eunit = |name: &Atom| matches!(name.as_str(), "eunit_autoexport" | "eunit_striptests");
    // What a compiler left has been through its transforms, and has no text.
    if names.iter().all(of_eunit) || module.files.iter().all(|file| file.text.is_empty()) {
        names.clear();
    }
    names
}

/// Whether the code of a module is not what its text says: transforms change it.
pub fn is_transformed(module: &Module, name: Atom, erl_opts: &ErlOpts) -> bool {
    !wanted(module, name, erl_opts).is_empty()
}

fn collect(option: &Constant, names: &mut Vec<Atom>) {
    match option {
        Constant::List(options) => options.iter().for_each(|option| collect(option, names)),
        Constant::Tuple(parts) => {
            if let [Constant::Atom(tag), Constant::Atom(name)] = parts[..]
                && tag.as_str() == "parse_transform"
            {
                names.push(name);
            }
        }
        _ => {}
    }
}

/// The options of a project as a transform is given them. `{d, Name, Value}` and what a term
/// outside of a program cannot hold are left out.
fn options(erl_opts: &ErlOpts) -> Term {
    let names = erl_opts.parse_transforms.iter();
    let transforms =
        names.map(|name| Term::tuple([Term::atom("parse_transform"), Term::atom(name)]));
    let defines = erl_opts.defines.iter().filter(|(_, value)| value.is_none());
    let defines = defines.map(|(name, _)| Term::tuple([Term::atom("d"), Term::atom(name)]));
    let dirs = erl_opts.include_dirs.iter().map(|dir| {
        let text = dir.to_string_lossy();
        let text = Term::list(text.chars().map(|c| Term::int(i64::from(u32::from(c)))));
        Term::tuple([Term::atom("i"), text])
    });
    let others = erl_opts.others.iter().filter_map(value);
    Term::list(transforms.chain(defines).chain(dirs).chain(others).collect::<Vec<_>>())
}

fn value(constant: &Constant) -> Option<Term> {
    stacker::maybe_grow(32 << 10, 1 << 20, || {
        let all = |parts: &[Constant]| parts.iter().map(value).collect::<Option<Vec<_>>>();
        Some(match constant {
            Constant::Atom(atom) => Term::from(*atom),
            Constant::Integer(integer) => Term::big(integer.clone()),
            Constant::Float(float) => Term::float(*float),
            Constant::List(elements) => Term::list(all(elements)?),
            Constant::Tuple(elements) => Term::tuple(all(elements)?),
            Constant::Other => return None,
        })
    })
}

/// The module that transforms make of a module; a message if one of them fails.
pub(crate) fn run(
    loader: Rc<dyn Loader>,
    source: &Module,
    transforms: &[Atom],
    erl_opts: &ErlOpts,
    allowed: &Allowed,
) -> Result<Arc<Module>, Failure> {
    let options = options(erl_opts);
    let world = RealWorld::default().on_error_output();
    let mut machine = Machine::new(loader, Rc::new(world));
    if let Err(ending) = machine.boot() {
        let message =
            format!("the node for parse transforms did not start: {}", run::in_words(&ending));
        return Err(Failure::Problem(message));
    }
    let limits = allowed.now();
    let mut meter = Meter::new(&limits, &machine);
    let mut forms = Term::list(machine::builtins::front::forms(source, true));
    for &transform in transforms {
        let args = vec![Term::from(transform), forms.clone(), options.clone()];
        let pid = machine.spawn(Atom::new("erlscope_code"), Atom::new("transform"), args);
        let stopped = |bound| Failure::Stopped(transform, allowed.given(bound));
        forms = match run_to_end(&mut machine, pid, &mut meter).map_err(stopped)? {
            Ending::Ended(reason) => result(transform, &reason)?,
            other => {
                let how = run::in_words(&other);
                let message = format!("the parse transform '{transform}' gave no forms: {how}");
                return Err(Failure::Problem(message));
            }
        };
    }
    let path = source.files.first().map(|file| file.path.clone()).unwrap_or_default();
    let mut made = compiler::tree_of_forms(&path, &forms).ok_or_else(|| {
        Failure::Problem("the parse transform gave something that is no list of forms".to_owned())
    })?;
    from_abstract::adopt_texts(&mut made, source);
    Ok(Arc::new(made))
}

/// Runs until a process has ended, or a bound is reached.
fn run_to_end(machine: &mut Machine, pid: Pid, meter: &mut Meter<'_>) -> Result<Ending, Bound> {
    loop {
        if let Some(bound) = meter.reached(machine) {
            return Err(bound);
        }
        match machine.run_to_end(pid, 1) {
            Ending::Bound { .. } => {}
            ending => return Ok(ending),
        }
    }
}

/// What `erlscope_code:transform/3` ended with: forms, or a text that says what went wrong.
fn result(transform: Atom, reason: &Term) -> Result<Term, Failure> {
    match reason.as_tuple() {
        Some([tag, forms]) if tag.is_atom(Atom::new("forms")) => Ok(forms.clone()),
        Some([tag, text]) if tag.is_atom(Atom::new("problem")) => {
            let text: String = text
                .elements()
                .filter_map(|c| char::from_u32(u32::try_from(c.as_int()?).ok()?))
                .collect();
            Err(Failure::Problem(text))
        }
        _ => Err(Failure::Problem(format!(
            "the parse transform '{transform}' ended with {}",
            term::print::to_string(reason)
        ))),
    }
}
