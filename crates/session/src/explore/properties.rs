//! Properties under every schedule.
//!
//! A case is a list of values for the `?FORALL`s of a property. The first that differ are made from
//! the seed; each is explored by itself, as a test is (`erlscope_prop:check/3` of the library), on
//! a node of its own.

use atom::Atom;
use machine::{Machine, Term};
use runner::testing;
use term::Map;

use super::start::{ONE_PROPERTY, Start};
use super::tests::TIME;
use crate::Error;

/// How many cases of a property are explored.
const CASES: u32 = 10;

/// A property with some values.
pub(crate) struct Case {
    module: Atom,
    function: Atom,
    /// The values, as a list in Erlang.
    pub(crate) text: String,
    values: Term,
}

/// The properties of a module, by their names.
pub(super) fn of_module(machine: &Machine, module: Atom) -> Result<Vec<Atom>, Error> {
    let listed = testing::ask(machine, ONE_PROPERTY, "specs", vec![Term::from(module)])
        .map_err(|message| Error::Failed(format!("the properties of {module}: {message}")))?;
    let name = |pair: &Term| pair.as_tuple().and_then(|pair| pair.first()?.as_atom());
    Ok(listed.to_vec().unwrap_or_default().iter().filter_map(name).collect())
}

/// Cases of a property.
pub(crate) fn cases(
    machine: &Machine,
    module: Atom,
    function: Atom,
    seed: u64,
) -> Result<Vec<Case>, Error> {
    let mut options = Map::new();
    options.insert(Term::atom("count"), Term::from(CASES));
    options.insert(Term::atom("seed"), Term::from(seed));
    let args = vec![Term::from(module), Term::from(function), Term::map(options)];
    let listed = testing::ask(machine, ONE_PROPERTY, "cases", args)
        .map_err(|message| Error::Failed(message.to_string()))?;
    let case = |pair: &Term| match pair.as_tuple() {
        Some([text, values]) => {
            let bytes = text.as_bits()?.to_bytes()?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Some(Case { module, function, text, values: values.clone() })
        }
        _ => None,
    };
    Ok(listed.to_vec().unwrap_or_default().iter().filter_map(case).collect())
}

/// A Machine that is about to check a property with some values.
pub(crate) fn start(machine: &Machine, case: &Case) -> Start {
    let Case { module, function, text, values } = case;
    let mut machine = machine.clone();
    machine.start_stepping();
    let quote = |name: &Atom| atom::quote::atom(name.as_str());
    let call = format!("{ONE_PROPERTY}:check({}, {}, {text})", quote(module), quote(function));
    let args = vec![Term::from(*module), Term::from(*function), values.clone()];
    let main = machine.spawn(Atom::new(ONE_PROPERTY), Atom::new("check"), args);
    let name = format!("{module}:{function}");
    Start { machine, main, call, function: format!("{name}/0"), name, time: Some(TIME) }
}
