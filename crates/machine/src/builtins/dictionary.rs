//! The process dictionary.

use term::{Term, order::exact_eq};

use super::{Builtin, Ctx, Return, builtins};
use crate::builtins::row::{DICTIONARY, HIDDEN};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "put"/2 [DICTIONARY] => put,
    "get"/1 [HIDDEN.depends()] => get,
    "get"/0 [HIDDEN.depends()] => get_all,
    "erase"/1 [DICTIONARY] => erase,
    "erase"/0 [DICTIONARY] => erase_all,
    "get_keys"/0 [HIDDEN.depends()] => get_keys,
    "get_keys"/1 [HIDDEN.depends()] => get_keys_of,
);

fn position(cx: &Ctx<'_>, key: &Term) -> Option<usize> {
    cx.p.dictionary.iter().position(|(k, _)| exact_eq(k, key))
}

/// Others can look at the dictionary.
fn changes(cx: &mut Ctx<'_>) {
    cx.s.step.note_change_of_dictionary(cx.p);
}

fn put(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    changes(cx);
    let value = args[1].clone();
    match position(cx, &args[0]) {
        Some(at) => Ok(std::mem::replace(&mut cx.p.dictionary[at].1, value)),
        None => {
            cx.p.dictionary.push((args[0].clone(), value));
            Ok(Term::UNDEFINED)
        }
    }
}

fn get(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(position(cx, &args[0]).map_or(Term::UNDEFINED, |at| cx.p.dictionary[at].1.clone()))
}

fn pairs(dictionary: &[(Term, Term)]) -> Term {
    let pairs = dictionary.iter().map(|(k, v)| Term::tuple([k.clone(), v.clone()]));
    Term::list(pairs.collect::<Vec<_>>())
}

fn get_all(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    Ok(pairs(&cx.p.dictionary))
}

fn erase(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    changes(cx);
    Ok(position(cx, &args[0]).map_or(Term::UNDEFINED, |at| cx.p.dictionary.remove(at).1))
}

fn erase_all(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    changes(cx);
    Ok(pairs(&std::mem::take(&mut cx.p.dictionary)))
}

fn get_keys(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    Ok(Term::list(cx.p.dictionary.iter().map(|(k, _)| k.clone()).collect::<Vec<_>>()))
}

fn get_keys_of(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let with_value = cx.p.dictionary.iter().filter(|(_, v)| exact_eq(v, &args[0]));
    Ok(Term::list(with_value.map(|(k, _)| k.clone()).collect::<Vec<_>>()))
}
