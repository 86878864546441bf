//! Native functions that run as Erlang code, so that what they decide is seen.

use atom::Atom;
use code::module::Mfa;
use machine::Machine;

/// The module that has them.
pub const MODULE: &str = "erlscope_symbolic";

/// Its text.
pub const TEXT: &str = include_str!("../erl/erlscope_symbolic.erl");

/// The module that looks at properties whose values are chosen, and its function, of a module, a
/// name, a size and a list of choices.
pub const PROPERTY: (&str, &str) = ("erlscope_property", "search");

/// Its text.
pub const PROPERTY_TEXT: &str = include_str!("../erl/erlscope_property.erl");

/// From now on they run on a Machine that has loaded [`MODULE`].
pub fn follow(machine: &mut Machine) {
    let module = Atom::new(MODULE);
    let exports = machine.code().module(module).map(|info| info.exports.clone());
    for (name, arity) in exports.unwrap_or_default() {
        let to = Mfa { module, name, arity };
        if let Some((of, native)) = name.as_str().split_once(':') {
            machine.ensure_loaded(Atom::new(of));
            machine.run_instead(Mfa { module: Atom::new(of), name: Atom::new(native), arity }, to);
            continue;
        }
        for native in ["erlang", "lists", "maps"] {
            machine.run_instead(Mfa { module: Atom::new(native), name, arity }, to);
        }
    }
}
