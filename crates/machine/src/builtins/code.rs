//! Questions about loaded code, and requests to load and remove some (`stdlib/erl/otp/NATIVES.md`).

use std::rc::Rc;

use atom::{Atom, known};
use code::module::Mfa;
use syntax::abstract_format::{self, Format};
use term::{Fun, Term};

use super::data::checksums;
use super::{Builtin, Control, Ctx, Return, badarg, builtins, front, later, text_of};
use crate::builtins::row::{HIDDEN, visible};
use crate::code_loading::{self, CodeRequest};
use crate::code_space::ModuleInfo;
use crate::footprint::touches;
use crate::process::Process;

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "module_loaded"/1 => module_loaded,
    "function_exported"/3 => function_exported,
    "is_builtin"/3 => is_builtin,
    "loaded"/0 => loaded,
    "pre_loaded"/0 => |_, _| Ok(Term::list([Term::atom("erlang")])),
    "get_module_info"/1 => |cx, args| module_info_all(cx, &args[0]),
    "get_module_info"/2 => |cx, args| module_info(cx, &args[0], &args[1]),
    "fun_info"/1 => fun_info_all,
    "fun_info"/2 => fun_info,
    "check_old_code"/1 => check_old_code,
    "check_process_code"/2 => |cx, args| check_process_code(cx, &args[0], &args[1]),
    "check_process_code"/3 => check_process_code_with,
    "load_nif"/2 => load_nif,
);

pub(super) const VISIBLE: &[Builtin] = builtins!(ERLANG, visible(touches::write_code);
    "load_module"/2 => load_module,
    "delete_module"/1 => delete_module,
    "purge_module"/1 => purge_module,
);

pub(super) const NATIVE: &[Builtin] = builtins!(NATIVE;
    "code_load"/1 [visible(touches::write_code)] => |_, args| with_module(args, CodeRequest::Load),
    "code_load_file"/2 [visible(touches::write_code)] => |_, args| match text_of(&args[1]) {
        Some(name) => with_module(args, |module| CodeRequest::LoadFile(module, name)),
        None => badarg(),
    },
    "code_load_binary"/3 [visible(touches::write_code)] => load_binary,
    "code_finish"/2 [visible(touches::write_code)] => finish,
    "code_missing"/0 [visible(touches::read_code)] => |cx, _| {
        cx.p.module_missing = true;
        Ok(Term::OK)
    },
    "code_delete"/1 [visible(touches::write_code)] =>
        |_, args| with_module(args, CodeRequest::Delete),
    "code_forget_old"/1 [visible(touches::write_code)] =>
        |_, args| with_module(args, CodeRequest::Purge),
    "code_which"/1 [visible(touches::read_code)] => |_, args| with_module(args, CodeRequest::Which),
    "code_object"/1 [visible(touches::read_code)] =>
        |_, args| with_module(args, CodeRequest::Object),
    "code_path"/0 [visible(touches::read_code)] => |_, _| ask(CodeRequest::Path),
    "code_set_path"/1 [visible(touches::write_code)] => |cx, args| {
        cx.s.host.code_path = Some(args[0].clone());
        Ok(Term::OK)
    },
    "code_root_dir"/0 [visible(touches::read_code)] => |_, _| ask(CodeRequest::RootDir),
    "code_loaded"/0 [visible(touches::read_code)] => code_loaded,
    "code_forms"/1 [visible(touches::write_code)] => code_forms,
);

fn ask(request: CodeRequest) -> Return {
    Err(Control::Code(Box::new(request)).into())
}

fn with_module(args: &[Term], request: impl FnOnce(Atom) -> CodeRequest) -> Return {
    match args[0].as_atom() {
        Some(module) => ask(request(module)),
        None => badarg(),
    }
}

fn bytes_of(term: &Term) -> Option<Vec<u8>> {
    Some(term.as_bits()?.to_bytes()?.into_owned())
}

fn load_binary(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(file), Some(bytes)) = (text_of(&args[1]), bytes_of(&args[2])) else {
        return badarg();
    };
    with_module(args, |module| CodeRequest::LoadBinary { module, file, bytes })
}

/// `erlang:load_module(Module, Binary)`: knows of no file, so that stays the one that was known.
fn load_module(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(bytes) = bytes_of(&args[1]) else { return badarg() };
    let known = args[0].as_atom().and_then(|module| cx.code.module(module));
    let file = known.map(ModuleInfo::object_file).unwrap_or_default();
    with_module(args, |module| CodeRequest::LoadBinary { module, file, bytes })
}

/// `code_finish(Version, Accept)`
fn finish(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let version = args[0].as_int().and_then(|version| u32::try_from(version).ok());
    match version {
        Some(version) if (version as usize) < cx.code.modules.len() => {
            ask(CodeRequest::Finish { version, accept: args[1].is_true() })
        }
        _ => badarg(),
    }
}

/// `true`, or `undefined` if there is no such module.
fn delete_module(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_atom() {
        Some(module) if cx.code.old_version(module).is_some() => badarg(),
        Some(module) if cx.code.is_loaded(module) => ask(CodeRequest::Delete(module)),
        Some(_) => Ok(Term::UNDEFINED),
        None => badarg(),
    }
}

fn purge_module(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_atom() {
        Some(module) if cx.code.old_version(module).is_some() => ask(CodeRequest::Purge(module)),
        _ => badarg(),
    }
}

fn check_old_code(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_atom() {
        Some(module) => Ok(Term::bool(cx.code.old_version(module).is_some())),
        None => badarg(),
    }
}

/// Whether a process runs old code of a module, or will return to it.
fn check_process_code(cx: &mut Ctx<'_>, pid: &Term, module: &Term) -> Return {
    let (Some(pid), Some(module)) = (pid.as_pid(), module.as_atom()) else { return badarg() };
    let process: Option<&Process> =
        if cx.p.pid == pid { Some(cx.p) } else { cx.s.node.process(pid) };
    let runs = match (process, cx.code.old_version(module)) {
        (Some(process), Some(old)) => code_loading::runs(process, &old.range),
        _ => false,
    };
    Ok(Term::bool(runs))
}

/// `erlang:check_process_code(Pid, Module, Options)`
fn check_process_code_with(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(options) = args[2].to_vec() else { return badarg() };
    let mut request = None;
    for option in &options {
        match option.as_tuple() {
            Some([key, id]) if key.is_atom(Atom::new("async")) => request = Some(id.clone()),
            Some([key, value])
                if key.is_atom(Atom::new("allow_gc")) && value.as_bool().is_some() => {}
            _ => return badarg(),
        }
    }
    let answer = check_process_code(cx, &args[0], &args[1])?;
    let Some(id) = request else { return Ok(answer) };
    let me = cx.p.pid;
    cx.node().send(me, Term::tuple([Term::atom("check_process_code"), id, answer]));
    Ok(Term::atom("async"))
}

/// No native code runs here: it fails as where the library is not installed.
fn load_nif(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(path) = text_of(&args[0]) else { return badarg() };
    if let Some(function) = cx.code.function_at(cx.p.pc) {
        cx.s.node.natives.insert(function.mfa.module, Rc::from(path.as_str()));
    }
    let text =
        format!("Failed to load NIF library: '{path}' is native code, which is not run here");
    let reason = Term::tuple([Term::atom("load_failed"), Term::string(&text)]);
    Ok(Term::tuple([Term::from(known::ERROR), reason]))
}

/// `[{Module, File}]`
fn code_loaded(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let mut versions: Vec<&ModuleInfo> =
        cx.code.modules.iter().filter(|module| is_current(cx, module)).collect();
    versions.sort_by_key(|module| module.name);
    let entries = versions
        .into_iter()
        .map(|module| Term::tuple([Term::from(module.name), Term::string(&module.object_file())]));
    Ok(Term::list(entries.collect::<Vec<_>>()))
}

/// The abstract forms that a loaded module was made from, or `undefined`.
fn code_forms(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(module) = args[0].as_atom() else { return badarg() };
    Ok(match cx.code.module(module) {
        Some(info) => Term::list(front::forms(info.source.tree(), true)),
        None => Term::UNDEFINED,
    })
}

fn is_current(cx: &Ctx<'_>, version: &ModuleInfo) -> bool {
    cx.code.module(version.name).is_some_and(|current| current.range == version.range)
}

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

fn is_builtin(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if args[0].as_atom().is_none() || args[1].as_atom().is_none() || !args[2].is_integer() {
        return badarg();
    }
    Ok(Term::bool(named(args).is_some_and(super::otp_bifs::is_one)))
}

fn loaded(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let mut names: Vec<Atom> = cx.code.modules.iter().map(|module| module.name).collect();
    names.sort();
    names.dedup();
    names.retain(|name| cx.code.is_loaded(*name));
    Ok(Term::list(names.into_iter().map(Term::from).collect::<Vec<_>>()))
}

fn functions(module: &ModuleInfo, list: &[(Atom, u32)]) -> Term {
    let module = module.name.as_str();
    let listed = |&&(name, arity): &&(Atom, u32)| !later::is_later(module, name.as_str(), arity);
    let pairs = list
        .iter()
        .filter(listed)
        .map(|&(name, arity)| Term::tuple([Term::from(name), Term::from(arity)]));
    Term::list(pairs.collect::<Vec<_>>())
}

/// What tells one version of a module from another: the MD5 sum of its forms.
fn md5(module: &ModuleInfo) -> Vec<u8> {
    let mut text = String::new();
    let format = Format { columns: false, ..Format::default() };
    // Writing to a string does not fail.
    let _ = abstract_format::write_module(module.source.tree(), format, &mut text);
    checksums::md5(text.as_bytes())
}

/// Attributes as `module_info(attributes)` has them.
fn attributes(module: &ModuleInfo) -> Term {
    let mut entries = Vec::new();
    for (name, value) in &module.attributes {
        // What the compiler has used up.
        if matches!(name.as_str(), "compile" | "export_type" | "optional_callbacks" | "callback") {
            continue;
        }
        let value = if value.is_list() { value.clone() } else { Term::list([value.clone()]) };
        entries.push(Term::tuple([Term::from(*name), value]));
    }
    let vsn = Atom::new("vsn");
    if !module.attributes.iter().any(|(name, _)| *name == vsn) {
        let number = num_bigint::BigInt::from_bytes_be(num_bigint::Sign::Plus, &md5(module));
        entries.insert(0, Term::tuple([Term::from(vsn), Term::list([Term::big(number)])]));
    }
    Term::list(entries)
}

fn item(module: &ModuleInfo, name: &str) -> Option<Term> {
    Some(match name {
        "module" => Term::from(module.name),
        "exports" => functions(module, &module.exports),
        "functions" => functions(module, &module.functions),
        "attributes" => attributes(module),
        "compile" => {
            let path = module.source.path().map(|path| path.to_string_lossy().into_owned());
            Term::list([
                Term::tuple([Term::atom("version"), Term::string("8.2.3")]),
                Term::tuple([Term::atom("options"), Term::NIL]),
                Term::tuple([Term::atom("source"), Term::string(&path.unwrap_or_default())]),
            ])
        }
        "md5" => Term::binary(md5(module)),
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

fn fun_item(fun: &Fun, item: &str) -> Option<Term> {
    Some(match (fun, item) {
        (_, "module") => Term::from(fun.module()),
        (_, "arity") => Term::from(fun.arity()),
        (Fun::Local(closure), "name") if !closure.has_code() => Term::NIL,
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
        (Fun::Local(closure), "pid") => Term::from(closure.maker),
        (Fun::External { .. }, "index" | "new_index" | "uniq" | "new_uniq" | "pid" | "refc") => {
            Term::UNDEFINED
        }
        _ => return None,
    })
}

fn fun_info_all(_: &mut Ctx<'_>, args: &[Term]) -> Return {
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
    let items =
        items.iter().filter_map(|item| Some(Term::tuple([Term::atom(item), fun_item(fun, item)?])));
    Ok(Term::list(items.collect::<Vec<_>>()))
}

fn fun_info(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(fun), Some(item)) = (args[0].as_fun(), args[1].as_atom()) else { return badarg() };
    match fun_item(fun, item.as_str()) {
        Some(value) => Ok(Term::tuple([args[1].clone(), value])),
        None => badarg(),
    }
}
