//! Questions about loaded code.

use atom::Atom;
use code::module::Mfa;
use term::{Fun, Term};

use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::code_space::{ModuleInfo, Target};

pub(super) const TABLE: &[Builtin] = builtins!("erlang", visible: false;
    "module_loaded"/1 => module_loaded,
    "function_exported"/3 => function_exported,
    "is_builtin"/3 => is_builtin,
    "loaded"/0 => loaded,
    "pre_loaded"/0 => |_, _| Ok(Term::list([Term::atom("erlang")])),
    "get_module_info"/1 => |cx, args| module_info_all(cx, &args[0]),
    "get_module_info"/2 => |cx, args| module_info(cx, &args[0], &args[1]),
    "fun_info"/1 => fun_info_all,
    "fun_info"/2 => fun_info,
);

fn module_loaded(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_atom() {
        Some(module) => Ok(Term::bool(cx.code.is_loaded(module))),
        None => badarg(),
    }
}

/// The function that three arguments name.
fn named(args: &[Term]) -> Option<Mfa> {
    let arity = u32::try_from(args[2].as_int()?).ok()?;
    Some(Mfa { module: args[0].as_atom()?, name: args[1].as_atom()?, arity })
}

fn function_exported(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(mfa) = named(args) else { return badarg() };
    let export = cx.code.find_export(mfa);
    Ok(Term::bool(export.is_some_and(|export| export.exported)))
}

fn is_builtin(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(mfa) = named(args) else { return badarg() };
    let export = cx.code.find_export(mfa);
    Ok(Term::bool(export.is_some_and(|export| matches!(export.target, Target::Builtin(_)))))
}

fn loaded(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let mut names: Vec<Atom> = cx.code.modules.iter().map(|module| module.name).collect();
    names.sort();
    names.dedup();
    names.retain(|name| cx.code.is_loaded(*name));
    Ok(Term::list(names.into_iter().map(Term::from).collect::<Vec<_>>()))
}

fn functions(list: &[(Atom, u32)]) -> Term {
    let pairs =
        list.iter().map(|&(name, arity)| Term::tuple([Term::from(name), Term::from(arity)]));
    Term::list(pairs.collect::<Vec<_>>())
}

/// Attributes as `module_info(attributes)` has them: values of one name are gathered in a list.
fn attributes(module: &ModuleInfo) -> Term {
    let mut entries = vec![Term::tuple([
        Term::atom("vsn"),
        Term::list([Term::from(module.functions.len() as u64 * 7919 + 1)]),
    ])];
    for (name, value) in &module.attributes {
        if matches!(name.as_str(), "compile" | "vsn") {
            continue;
        }
        let value = if value.is_list() { value.clone() } else { Term::list([value.clone()]) };
        entries.push(Term::tuple([Term::from(*name), value]));
    }
    Term::list(entries)
}

fn item(module: &ModuleInfo, name: &str) -> Option<Term> {
    Some(match name {
        "module" => Term::from(module.name),
        "exports" => functions(&module.exports),
        "functions" => functions(&module.functions),
        "attributes" => attributes(module),
        "compile" => {
            let path = module.source.files.first().map(|f| f.path.to_string_lossy().into_owned());
            Term::list([
                Term::tuple([Term::atom("version"), Term::string("8.2.3")]),
                Term::tuple([Term::atom("options"), Term::NIL]),
                Term::tuple([Term::atom("source"), Term::string(&path.unwrap_or_default())]),
            ])
        }
        "md5" => Term::binary(vec![0; 16]),
        "nifs" | "native_addresses" => Term::NIL,
        "native" => Term::FALSE,
        _ => return None,
    })
}

fn module_info_all(cx: &mut Ctx<'_>, module: &Term) -> Return {
    let Some(module) = module.as_atom().and_then(|name| cx.code.module(name)) else {
        return badarg();
    };
    let items = ["module", "exports", "attributes", "compile", "md5"];
    let items =
        items.iter().filter_map(|name| Some(Term::tuple([Term::atom(name), item(module, name)?])));
    Ok(Term::list(items.collect::<Vec<_>>()))
}

fn module_info(cx: &mut Ctx<'_>, module: &Term, wanted: &Term) -> Return {
    let module = module.as_atom().and_then(|name| cx.code.module(name));
    match module.and_then(|module| item(module, wanted.as_atom()?.as_str())) {
        Some(value) => Ok(value),
        None => badarg(),
    }
}

fn fun_item(cx: &Ctx<'_>, fun: &Fun, item: &str) -> Option<Term> {
    Some(match (fun, item) {
        (_, "module") => Term::from(fun.module()),
        (_, "arity") => Term::from(fun.arity()),
        (Fun::Local(closure), "name") => Term::from(closure.name),
        (Fun::External { name, .. }, "name") => Term::from(*name),
        (Fun::Local(_), "type") => Term::atom("local"),
        (Fun::External { .. }, "type") => Term::atom("external"),
        (Fun::Local(closure), "env") => Term::list(closure.env.to_vec()),
        (Fun::External { .. }, "env") => Term::NIL,
        (Fun::Local(closure), "index" | "new_index") => Term::from(closure.index),
        (Fun::Local(closure), "uniq") => Term::from(closure.unique),
        (Fun::Local(closure), "new_uniq") => {
            Term::binary([[0; 12].as_slice(), &closure.unique.to_be_bytes()].concat())
        }
        // How many there are of a fun is not kept.
        (Fun::Local(_), "refc") => Term::int(1),
        (Fun::Local(_), "pid") => Term::from(cx.p.pid),
        (Fun::External { .. }, "index" | "new_index" | "uniq" | "new_uniq" | "pid" | "refc") => {
            Term::UNDEFINED
        }
        _ => return None,
    })
}

fn fun_info_all(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(fun) = args[0].as_fun() else { return badarg() };
    let items: &[&str] = match fun {
        Fun::Local(_) => &[
            "pid",
            "module",
            "new_index",
            "new_uniq",
            "index",
            "uniq",
            "name",
            "arity",
            "env",
            "type",
        ],
        Fun::External { .. } => &["module", "name", "arity", "env", "type"],
    };
    let items = items
        .iter()
        .filter_map(|item| Some(Term::tuple([Term::atom(item), fun_item(cx, fun, item)?])));
    Ok(Term::list(items.collect::<Vec<_>>()))
}

fn fun_info(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(fun), Some(item)) = (args[0].as_fun(), args[1].as_atom()) else { return badarg() };
    match fun_item(cx, fun, item.as_str()) {
        Some(value) => Ok(Term::tuple([args[1].clone(), value])),
        None => badarg(),
    }
}
