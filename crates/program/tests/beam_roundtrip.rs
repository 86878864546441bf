//! Modules out of `.beam` files: the abstract code of every compiled module of the installed OTP,
//! turned into a tree and written in abstract format again, must be the forms we started from.
//!
//! The comparison is ours (both sides are read by our own readers); `judged_by_erl` has OTP read
//! and compare a sample.
#![allow(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::path::{Path, PathBuf};

use program::beam::{self, BeamError};
use program::consult::consult;
use program::files::otp::Otp;
use program::from_abstract;
use program::terms::{Term, TermKind};
use rayon::prelude::*;
use syntax::abstract_format::{Format, write_module};
use syntax::ast::Module;

/// The installed OTP, unless the tests that need it are switched off.
fn installed(test: &str) -> Option<Otp> {
    let off = std::env::var_os("ERLSCOPE_NO_JUDGE").is_some();
    let otp = if off { None } else { Otp::find(&|name| std::env::var(name).ok()) };
    if otp.is_none() {
        println!("skipped: {test} (no Erlang/OTP)");
    }
    otp
}

fn beams(otp: &Otp) -> Vec<PathBuf> {
    let dirs = otp.applications().values().map(|dir| dir.join("ebin"));
    let entries = dirs.flat_map(|dir| std::fs::read_dir(dir).into_iter().flatten().flatten());
    let paths = entries.map(|entry| entry.path());
    let mut beams: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "beam")).collect();
    beams.sort();
    beams
}

fn forms_as_text(module: &Module) -> String {
    let mut text = String::new();
    write_module(module, Format::default(), &mut text).unwrap();
    text
}

/// Whether two terms are the same, lists being lists whatever their shape. Annotations with more
/// than a location count as their location. The first difference is the error.
fn same(left: Term<'_>, right: Term<'_>) -> Result<(), String> {
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        let (left, right) = (plain(left), plain(right));
        let differ =
            || Err(format!("{:.300}\n  became {:.300}", left.to_string(), right.to_string()));
        match (left.kind(), right.kind()) {
            (TermKind::Big(_), TermKind::Big(_)) if left.integer() == right.integer() => {}
            (TermKind::Bytes(_), TermKind::Bytes(_)) if left.bytes() == right.bytes() => {}
            (TermKind::Tuple(_), TermKind::Tuple(_)) => {
                let (left_parts, right_parts) = (left.tuple().unwrap(), right.tuple().unwrap());
                if left_parts.len() != right_parts.len() {
                    return differ();
                }
                pending.extend(left_parts.into_iter().zip(right_parts));
            }
            (TermKind::List { .. }, TermKind::List { .. }) => {
                let (left_parts, left_tail) = left.list_and_tail().unwrap();
                let (right_parts, right_tail) = right.list_and_tail().unwrap();
                if left_parts.len() != right_parts.len()
                    || left_tail.is_some() != right_tail.is_some()
                {
                    return differ();
                }
                pending.extend(left_parts.into_iter().zip(right_parts));
                pending.extend(left_tail.zip(right_tail));
            }
            (TermKind::Map(_), TermKind::Map(_)) => {
                let (left_pairs, right_pairs) = (left.map().unwrap(), right.map().unwrap());
                if left_pairs.len() != right_pairs.len() {
                    return differ();
                }
                for ((left_key, left), (right_key, right)) in
                    left_pairs.into_iter().zip(right_pairs)
                {
                    pending.extend([(left_key, right_key), (left, right)]);
                }
            }
            (TermKind::Big(_) | TermKind::Bytes(_), _) => return differ(),
            (left_kind, right_kind) if left_kind == right_kind => {}
            _ => return differ(),
        }
    }
    Ok(())
}

fn plain(term: Term<'_>) -> Term<'_> {
    let TermKind::List { .. } = term.kind() else { return term };
    let properties = term.list().unwrap_or_default();
    let all_pairs = properties.iter().all(|p| p.tuple().is_some_and(|parts| parts.len() == 2));
    let location = properties.iter().find_map(|property| property.tagged("location"));
    match location {
        Some(location) if all_pairs => location[0],
        _ => term,
    }
}

/// `None`: there is no abstract code to compare.
fn round_trip(path: &Path) -> Option<Result<(), String>> {
    let code = match beam::abstract_code(&std::fs::read(path).ok()?) {
        Ok(code) => code,
        Err(BeamError::NoAbstractCode) => return None,
        Err(error) => return Some(Err(error.to_string())),
    };
    let module = from_abstract::module(path, &code.terms, &code.forms);
    let consulted = consult(path, forms_as_text(&module).into_bytes());
    if let Some(problem) = module.diagnostics.iter().chain(&consulted.diagnostics).next() {
        return Some(Err(problem.message.clone()));
    }
    if code.forms.len() != consulted.roots.len() {
        return Some(Err(format!("{} forms became {}", code.forms.len(), consulted.roots.len())));
    }
    let mut pairs = code.forms.iter().zip(consulted.roots());
    Some(pairs.try_for_each(|(&form, root)| same(code.terms.get(form), root)))
}

#[test]
fn forms_of_all_installed_modules() {
    let Some(otp) = installed("forms_of_all_installed_modules") else { return };
    let beams = beams(&otp);
    let results: Vec<_> =
        beams.par_iter().filter_map(|path| Some((path, round_trip(path)?))).collect();
    let wrong: Vec<_> = results.iter().filter(|(_, result)| result.is_err()).collect();
    for (path, result) in wrong.iter().take(20) {
        println!("{}: {}", path.display(), result.as_ref().unwrap_err());
    }
    let (all, good) = (results.len(), results.len() - wrong.len());
    println!("{good} of {all} modules with abstract code ({} .beam files)", beams.len());
    assert_eq!(good, all);
}

/// Compares the forms of `.beam` files with those in files that we wrote; prints one line a pair.
const JUDGE: &str = r#"
    {ok, Pairs} = file:consult(hd(init:get_plain_arguments())),
    Plain = fun(Form) ->
                erl_parse:map_anno(fun(A) -> erl_anno:new(erl_anno:location(A)) end, Form)
            end,
    [begin
         {ok, {_, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
         {ok, Ours} = file:consult(Text),
         Same = lists:map(Plain, Forms) =:= lists:map(Plain, Ours),
         io:format("~s ~w~n", [filename:basename(Beam), Same])
     end || {Beam, Text} <- Pairs],
    halt()."#;

#[test]
fn judged_by_erl() {
    let Some(otp) = installed("judged_by_erl") else { return };
    let dir = std::env::temp_dir().join(format!("erlscope-beam-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let mut pairs = String::new();
    let sample: Vec<_> = beams(&otp).into_iter().step_by(25).collect();
    for (index, path) in sample.iter().enumerate() {
        let Ok(code) = beam::abstract_code(&std::fs::read(path).unwrap()) else { continue };
        let module = from_abstract::module(path, &code.terms, &code.forms);
        let file = dir.join(format!("{index}.forms"));
        let text = format!("%% coding: utf-8\n{}", forms_as_text(&module));
        std::fs::write(&file, text).unwrap();
        pairs += &format!("{{{path:?}, {file:?}}}.\n");
    }
    let list = dir.join("pairs");
    std::fs::write(&list, &pairs).unwrap();
    let output = std::process::Command::new("erl")
        .args(["-noshell", "-eval", JUDGE, "-extra"])
        .arg(&list)
        .output()
        .unwrap();
    let verdicts = String::from_utf8_lossy(&output.stdout).into_owned();
    std::fs::remove_dir_all(&dir).unwrap();
    let wrong: Vec<_> = verdicts.lines().filter(|line| !line.ends_with(" true")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(verdicts.lines().count(), pairs.lines().count());
    println!("{} modules judged by erl", pairs.lines().count());
}
