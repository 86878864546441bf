//! Environment variables, in `os`. They are the program's own: what it sets is not seen outside.

use std::rc::Rc;

use atom::known;
use term::Term;

use super::{Builtin, Ctx, Return, badarg, builtins, text_of};

pub(super) const TABLE: &[Builtin] = builtins!("os", visible: true;
    "env"/0 => env,
    "getenv"/1 => getenv,
    "putenv"/2 => putenv,
    "unsetenv"/1 => unsetenv,
);

/// A name: not empty, without what separates it from the value.
fn name_of(term: &Term) -> Option<String> {
    text_of(term).filter(|name| !name.is_empty() && !name.contains(['=', '\0']))
}

fn env(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let variables = cx.s.outside.environment.iter();
    let pairs =
        variables.map(|(name, value)| Term::tuple([Term::string(name), Term::string(value)]));
    Ok(Term::list(pairs.collect::<Vec<_>>()))
}

fn getenv(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(name) = text_of(&args[0]) else { return badarg() };
    Ok(match cx.s.outside.environment.get(&name) {
        Some(value) => Term::string(value),
        None => Term::from(known::FALSE),
    })
}

fn putenv(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match (name_of(&args[0]), text_of(&args[1])) {
        (Some(name), Some(value)) if !value.contains('\0') => {
            Rc::make_mut(&mut cx.s.outside.environment).insert(name, value);
            Ok(Term::TRUE)
        }
        _ => badarg(),
    }
}

fn unsetenv(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(name) = name_of(&args[0]) else { return badarg() };
    Rc::make_mut(&mut cx.s.outside.environment).remove(&name);
    Ok(Term::TRUE)
}
