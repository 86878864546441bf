//! Funs.

use term::{Fun, Term};

use super::{Builtin, bad, natural};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "make_fun"/3 => make_fun,
    "fun_info_mfa"/1 => fun_info_mfa,
);

fn make_fun(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let arity = natural(&args[2]).filter(|&arity| arity <= 255);
    match (args[0].as_atom(), args[1].as_atom(), arity) {
        (Some(module), Some(name), Some(arity)) => {
            Ok(Term::fun(Fun::External { module, name, arity: arity as u32 }))
        }
        _ => Err(bad()),
    }
}

fn fun_info_mfa(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let fun = args[0].as_fun().ok_or_else(bad)?;
    let name = match fun {
        Fun::Local(closure) => closure.name,
        Fun::External { name, .. } => *name,
    };
    Ok(Term::tuple([Term::from(fun.module()), Term::from(name), Term::from(fun.arity())]))
}
