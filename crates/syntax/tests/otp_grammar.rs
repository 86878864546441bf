//! Single forms, correct and wrong, against OTP's `erl_parse`: the same tree with the same
//! positions, or the same error at the same place.
//!
//! `grammar/forms.txt` has at least one form for every rule of the grammar. Each is also mutated
//! token by token (left out, doubled, swapped, replaced, one put in), which gives thousands of near
//! misses. Syntax that the installed OTP is too old for is left out: what we accept and it does
//! not is checked to use such syntax.

mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use support::Otp;
use syntax::abstract_format::{Format, write_form};
use syntax::ast::{ComprehensionKind, GeneratorKind, Kind, Module, NodeId, RecordName};
use syntax::options::Options;
use syntax::token::TokenKind;

const FORMS: &str = include_str!("grammar/forms.txt");

fn read(otp: &Otp, text: &str) -> Module {
    let mut options = Options::default();
    let mut text = text;
    if let Some(rest) = text.strip_prefix("@maybe ") {
        options.features.push("maybe_expr".to_owned());
        text = rest;
    }
    syntax::read_module_bytes(Path::new("form.erl"), text.as_bytes().to_vec(), &otp.files, &options)
}

/// The forms of a text but for what every file has.
fn forms(module: &Module) -> Vec<NodeId> {
    let is_own = |&&form: &&NodeId| {
        !matches!(module.kind(form), Kind::FileAttribute { .. } | Kind::EndOfFile)
    };
    module.forms.iter().filter(is_own).copied().collect()
}

/// Whether a tree uses syntax that came after OTP 25.
fn is_newer(module: &Module, form: NodeId) -> bool {
    let mut newer = false;
    module.for_each_below(form, |node| {
        newer |= match module.kind(node) {
            Kind::ZipGenerator { .. } | Kind::Sigil { .. } => true,
            Kind::Generator { which, strict, .. } => strict || which == GeneratorKind::Map,
            Kind::Comprehension { which, exprs, .. } => {
                which == ComprehensionKind::Map || exprs.len > 1
            }
            Kind::Call { callee, .. } | Kind::Remote { module: callee, .. } => {
                // Parentheses would make it an old one.
                matches!(module.kind(callee), Kind::Call { .. })
                    && module.token(module[callee].last).kind == TokenKind::RParen
            }
            Kind::Record { name, .. }
            | Kind::RecordAccess { name, .. }
            | Kind::RecordIndex { name, .. } => match name {
                RecordName::Local(name) => {
                    module.token(module[name].anchor).kind != TokenKind::Atom
                }
                _ => true,
            },
            Kind::RecordAttribute { native, .. } => native,
            Kind::RecordType { name, .. } => !matches!(module.kind(name), Kind::Atom(_)),
            Kind::TypeAttribute { which: syntax::ast::TypeKind::Nominal, .. } => true,
            _ => false,
        }
    });
    newer
}

/// All texts that differ from `text` by one change of a token.
fn mutants(module: &Module, text: &str, seed: usize) -> Vec<String> {
    const POOL: &[&str] = &[
        "a", "X", "1", "(", ")", "[", "]", "{", "}", "<<", ">>", ",", ";", "->", "|", "||", "::",
        "=", "==", "+", "-", "*", "/", "++", "!", "#", ":", "..", "...", "=>", ":=", "<-", "<=",
        "when", "case", "of", "end", "fun", "catch", "after", "try", "receive", "begin", "if",
        "not", "andalso", "\"s\"", "$c", "1.5", "_",
    ];
    let prefix = if text.starts_with("@maybe ") { "@maybe " } else { "" };
    let tokens: Vec<&str> = module
        .tokens
        .iter()
        .filter(|token| token.kind != TokenKind::Eof && token.span.end > token.span.start)
        .map(|token| module.text(token.span))
        .filter(|token| !token.is_empty())
        .collect();
    let mut result = Vec::new();
    let join = |tokens: Vec<&str>| {
        // A space before a full stop inside a form would make it the end of the form.
        let mut text = prefix.to_owned();
        for token in tokens {
            let glued = token == "." && !text.ends_with("} ");
            if glued {
                text.truncate(text.trim_end().len());
            }
            text.push_str(token);
            if !glued {
                text.push(' ');
            }
        }
        text
    };
    for index in 0..tokens.len().saturating_sub(1) {
        let pick = |n: usize| POOL[(seed * 7 + index * 13 + n * 17) % POOL.len()];
        let mut without = tokens.clone();
        without.remove(index);
        result.push(join(without));
        let mut doubled = tokens.clone();
        doubled.insert(index, tokens[index]);
        result.push(join(doubled));
        if index + 2 < tokens.len() {
            let mut swapped = tokens.clone();
            swapped.swap(index, index + 1);
            result.push(join(swapped));
        }
        for n in 0..2 {
            let mut replaced = tokens.clone();
            replaced[index] = pick(n);
            result.push(join(replaced));
            let mut inserted = tokens.clone();
            inserted.insert(index, pick(n + 2));
            result.push(join(inserted));
        }
    }
    result
}

#[test]
fn forms_and_their_mutants() {
    let Some(otp) = Otp::find("forms_and_their_mutants") else { return };
    let mut texts: Vec<String> = Vec::new();
    for (seed, line) in FORMS.lines().enumerate() {
        texts.push(line.to_owned());
        texts.extend(mutants(&read(&otp, line), line, seed));
    }
    let mut ours = String::new();
    let (mut newer, mut deep) = (0, 0);
    for text in &texts {
        let module = read(&otp, text);
        match forms(&module)[..] {
            [form] if is_newer(&module, form) => {
                newer += 1;
                ours.push_str("skip.\n");
            }
            [form] => write_form(&module, form, Format::default(), &mut ours).unwrap(),
            _ => {
                deep += 1;
                ours.push_str("skip.\n");
            }
        }
    }
    let directory = std::env::temp_dir().join(format!("erlscope-grammar-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (text_file, our_file) = (directory.join("texts"), directory.join("ours"));
    std::fs::write(&text_file, texts.join("\n") + "\n").unwrap();
    std::fs::write(&our_file, ours).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grammar/compare.escript");
    let output = Command::new("escript")
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .arg(script)
        .arg(&text_file)
        .arg(&our_file)
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut summary = String::new();
    let _ = write!(summary, "{} texts, {newer} of newer syntax, {deep} no form: ", texts.len());
    let differences: Vec<&str> =
        report.lines().filter(|line| !line.starts_with("counts ")).collect();
    summary.push_str(report.lines().last().unwrap_or("no report"));
    println!("{summary}");
    std::fs::write(directory.join("report"), &report).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = differences.iter().take(40).copied().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{summary}\n{} differences:\n{shown}", differences.len());
    let _ = std::fs::remove_dir_all(&directory);
}
