//! Parse transforms: modules of the program that rewrite the forms of others before these are run.
//!
//! A transform runs on a node of its own, which is thrown away afterwards; it sees the forms as OTP's
//! compiler would show them, without columns if it is one that cannot stand them. What it gives back
//! is lowered in place of the source; where it left a position, that of the source is kept, with its
//! text. `eunit_autoexport` is not run: what it does is done to the code (`eunit_export`).

use std::rc::Rc;
use std::sync::Arc;

use atom::{Atom, known};
use machine::code_space::Loader;
use machine::{Machine, Outcome, Term};
use program::from_abstract;
use program::lint::term::Term as Constant;
use program::project::ErlOpts;
use syntax::ast::{Kind, Module};

use crate::compiler;
use crate::world::RealWorld;

/// Turns of processes that a transform may take.
const MAX_TURNS: u64 = 10_000_000;

/// The transforms that a module asks for, in the order in which they run.
pub(crate) fn wanted(module: &Module, from_options: &[String]) -> Vec<Atom> {
    let mut names: Vec<Atom> = from_options.iter().map(|name| Atom::new(name)).collect();
    for &form in &module.forms {
        let Kind::Attribute { name: known::COMPILE, values } = module.kind(form) else { continue };
        for &value in module.list(values) {
            collect(&Constant::of(module, value), &mut names);
        }
    }
    names.retain(|name| !matches!(name.as_str(), "eunit_autoexport" | "eunit_striptests"));
    names
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
) -> Result<Arc<Module>, String> {
    let options = options(erl_opts);
    let mut machine = Machine::new(loader, Rc::new(RealWorld::default()));
    if let Err(outcome) = machine.boot() {
        return Err(format!("the node for parse transforms did not start: {outcome:?}"));
    }
    let mut forms = Term::list(machine::builtins::front::forms(source, true));
    for &transform in transforms {
        let args = vec![Term::from(transform), forms.clone(), options.clone()];
        let pid = machine.spawn(Atom::new("erlscope_code"), Atom::new("transform"), args);
        forms = match machine.run_to_end(pid, MAX_TURNS) {
            Outcome::Ended(reason) => result(transform, &reason)?,
            other => {
                return Err(format!("the parse transform '{transform}' did not end: {other:?}"));
            }
        };
    }
    let path = source.files.first().map(|file| file.path.clone()).unwrap_or_default();
    let mut made = compiler::tree_of_forms(&path, &forms)
        .ok_or("the parse transform gave something that is no list of forms")?;
    from_abstract::adopt_texts(&mut made, source);
    Ok(Arc::new(made))
}

/// What `erlscope_code:transform/2` ended with: forms, or a text that says what went wrong.
fn result(transform: Atom, reason: &Term) -> Result<Term, String> {
    match reason.as_tuple() {
        Some([tag, forms]) if tag.is_atom(Atom::new("forms")) => Ok(forms.clone()),
        Some([tag, text]) if tag.is_atom(Atom::new("problem")) => {
            let text: String = text
                .elements()
                .filter_map(|c| char::from_u32(u32::try_from(c.as_int()?).ok()?))
                .collect();
            Err(text)
        }
        _ => Err(format!(
            "the parse transform '{transform}' ended with {}",
            term::print::to_string(reason)
        )),
    }
}
