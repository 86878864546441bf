//! Every module of the installed Erlang/OTP: our abstract format against `epp:parse_file/2`, all
//! forms with the line and column of every node; and the same for modules with errors put into
//! them, where the error forms must be the same too.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Otp, in_parallel, options_for};
use syntax::abstract_format::{Format, write_module};
use syntax::ast::Module;
use syntax::options::Options;
use syntax::source::FileId;

/// One module in so many goes the whole way, through `file:consult/1`, which is slow.
const CONSULTED: usize = 40;
/// One module in so many is compared with lines only.
const LINES_ONLY: usize = 9;
/// One module in so many is damaged, each time in this many other ways.
const DAMAGED: usize = 12;
const DAMAGES: usize = 4;

/// A module to be read by both.
struct Job {
    source: PathBuf,
    options: Options,
}

#[test]
fn otp_modules_have_the_same_forms() {
    let Some(otp) = Otp::find("otp_modules_have_the_same_forms") else { return };
    let jobs = modules(&otp);
    let jobs: Vec<Job> =
        jobs.into_iter().map(|source| Job { options: options_for(&source), source }).collect();
    check(&otp, "modules", &jobs, 0);
}

#[test]
fn damaged_modules_have_the_same_forms() {
    let Some(otp) = Otp::find("damaged_modules_have_the_same_forms") else { return };
    let directory = scratch("damaged-sources");
    let mut jobs = Vec::new();
    for (index, path) in modules(&otp).into_iter().enumerate().step_by(DAMAGED) {
        let module = otp.read(&path);
        let mut options = options_for(&path);
        options.include_dirs.extend(path.parent().map(Path::to_path_buf));
        for seed in 0..DAMAGES {
            let Some(text) = damage(&module, index * 31 + seed * 7919) else { continue };
            let source = directory.join(format!("m{index}_{seed}.erl"));
            std::fs::write(&source, text).unwrap();
            jobs.push(Job { source, options: options.clone() });
        }
    }
    // Some damage is what a later release reads: a call of a call, where a comma was lost.
    check(&otp, "damaged modules", &jobs, jobs.len() / 200);
    let _ = std::fs::remove_dir_all(&directory);
}

fn modules(otp: &Otp) -> Vec<PathBuf> {
    let mut modules = otp.modules();
    if let Ok(only) = std::env::var("ERLSCOPE_ONLY") {
        modules.retain(|path| path.to_string_lossy().contains(&only));
    }
    modules
}

fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("erlscope-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    directory
}

/// The text of a module with a few tokens left out, doubled, swapped or replaced.
fn damage(module: &Module, seed: usize) -> Option<Vec<u8>> {
    const POOL: &[&str] = &[
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        ".",
        "->",
        "end",
        "case",
        "of",
        "#",
        "=",
        "::",
        "\"",
        "'",
        "?",
        "?X",
        "fun",
        "when",
        "|",
        "||",
        "<<",
        ">>",
        "$",
        "1.5",
        "X",
        "a",
        "-",
        ":",
        "-define(",
        "-endif.\n",
        "-else.\n",
        "-ifdef(x).\n",
        "%",
        "\n.\n",
        "catch",
        "16#",
        "@",
    ];
    // Only sources that are UTF-8 have the spans of their text in bytes.
    let text = module.files.first()?.text.as_ref();
    let tokens: Vec<_> = module
        .tokens
        .iter()
        .filter(|token| token.span.file == FileId::MAIN && token.is_plain())
        .filter(|token| token.span.start < token.span.end)
        .map(|token| (token.span.start as usize, token.span.end as usize))
        .collect();
    let mut random = seed as u64;
    random = random.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3_037_000_493);
    let mut next = |bound: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound.max(1)
    };
    let mut edits = Vec::new();
    for _ in 0..1 + tokens.len() / 500 {
        let &(start, end) = tokens.get(next(tokens.len()))?;
        let token = text.get(start..end)?;
        let replacement = match next(5) {
            0 => String::new(),
            1 => format!("{token} {token}"),
            2 => POOL[next(POOL.len())].to_owned(),
            3 => format!("{} {token}", POOL[next(POOL.len())]),
            _ => {
                let &(start, end) = tokens.get(next(tokens.len()))?;
                text.get(start..end)?.to_owned()
            }
        };
        edits.push((start, end, replacement));
    }
    edits.sort();
    edits.dedup_by_key(|edit| edit.0);
    let mut result = String::new();
    let mut at = 0;
    for (start, end, replacement) in edits {
        if start < at {
            continue;
        }
        result.push_str(text.get(at..start)?);
        result.push_str(&replacement);
        at = end;
    }
    result.push_str(text.get(at..)?);
    Some(result.into_bytes())
}

/// Has all modules read by both and compares; so many may differ.
fn check(otp: &Otp, what: &str, jobs: &[Job], tolerated: usize) {
    let directory = scratch(&what.replace(' ', "-"));
    let numbered: Vec<_> = jobs.iter().enumerate().collect();
    let lines = in_parallel(&numbered, |&(index, job)| {
        let columns = index % LINES_ONLY != 0;
        let format = Format { columns, ..Format::default() };
        let module = syntax::read_module(&job.source, &otp.files, &job.options);
        let mut text = String::new();
        write_module(&module, format, &mut text).expect("a string takes anything");
        let consulted = index % CONSULTED == 0;
        let name = format!("{index}.{}", if consulted { "terms" } else { "etf" });
        let file = directory.join(name);
        let bytes = if consulted {
            text.into_bytes()
        } else {
            support::etf::encode(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", job.source.display()))
        };
        std::fs::write(&file, bytes).expect("a file for the judge");
        let location = if columns { "{1,1}" } else { "1" };
        let mut line = format!("{}\t{}\t{location}", job.source.display(), file.display());
        for directory in &job.options.include_dirs {
            line += &format!("\t{}", directory.display());
        }
        line + "\n"
    });
    let list_file = directory.join("list");
    std::fs::write(&list_file, lines.concat()).expect("a file for the judge");
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grammar/compare_modules.escript");
    let output = Command::new("escript")
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .arg(script)
        .arg(&list_file)
        .output()
        .expect("escript");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let same = report.lines().filter(|line| line.starts_with("same ")).count();
    let mut differences: Vec<&str> =
        report.lines().filter(|line| !line.starts_with("same ")).collect();
    differences.sort_unstable();
    println!("{same} of {} {what} have the same forms", jobs.len());
    if let Ok(file) = std::env::var("ERLSCOPE_REPORT") {
        std::fs::write(file, differences.join("\n")).expect("a report");
    } else {
        let _ = std::fs::remove_dir_all(&directory);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = differences.iter().take(30).copied().collect::<Vec<_>>().join("\n");
    assert!(same + tolerated >= jobs.len(), "{same} of {} {what}\n{shown}", jobs.len());
}
