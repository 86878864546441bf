//! `module_info/0,1` of modules that are native as a whole.
//!
//! They have no attributes and no forms. `erlang` says what OTP's says that it exports, what the
//! Machine does not support included.

use term::Term;

use super::data::{checksums, failed_in};
use super::row::HIDDEN;
use super::{Builtin, Return, modules};

/// Both functions for each of these modules.
macro_rules! native_modules {
    ($($module:ident),* $(,)?) => {
        &[$(
            Builtin::new(&modules::$module, "module_info", 0, HIDDEN, |_, _| {
                Ok(everything(modules::$module.name))
            }),
            Builtin::new(&modules::$module, "module_info", 1, HIDDEN, |_, args| {
                one(modules::$module.name, &args[0])
            }),
        )*]
    };
}

pub(super) const TABLE: &[Builtin] = native_modules!(
    ATOMICS,
    COUNTERS,
    ERLANG,
    ERTS_DEBUG,
    ERTS_INTERNAL,
    PERSISTENT_TERM,
    PRIM_FILE,
);

fn item(module: &str, name: &str) -> Option<Term> {
    Some(match name {
        "module" => Term::atom(module),
        "exports" | "functions" => exports(module),
        "attributes" | "compile" | "nifs" => Term::NIL,
        // There is no text that one could be of.
        "md5" => Term::binary(checksums::md5(module.as_bytes())),
        _ => return None,
    })
}

fn exports(module: &str) -> Term {
    let mut functions: Vec<(String, u32)> = super::all()
        .filter(|builtin| builtin.module == module)
        .filter(|builtin| builtin.facts.since.is_none())
        .map(|builtin| (builtin.name.to_owned(), builtin.arity))
        .collect();
    if module == "erlang" {
        functions.extend(super::absent::erlang_functions());
    }
    functions.sort();
    functions.dedup();
    let pair = |(name, arity): (String, u32)| Term::tuple([Term::atom(&name), Term::from(arity)]);
    Term::list(functions.into_iter().map(pair).collect::<Vec<_>>())
}

fn everything(module: &str) -> Term {
    let names = ["module", "exports", "attributes", "compile", "md5"];
    let pair = |name: &str| Some(Term::tuple([Term::atom(name), item(module, name)?]));
    Term::list(names.into_iter().filter_map(pair).collect::<Vec<_>>())
}

fn one(module: &str, name: &Term) -> Return {
    let found = name.as_atom().and_then(|name| item(module, name.as_str()));
    found.ok_or_else(|| {
        let args = [Term::atom(module), name.clone()];
        failed_in("badarg", "erlang", "get_module_info", args)
    })
}
