//! Compares the Machine with `erl`: expressions are evaluated by both, and what becomes of them
//! (value, or class and reason of the exception, and the builtin that failed with its
//! `error_info`) is compared to the letter.
//!
//! Without `erl` on the path nothing is compared, and the test says so.

mod expressions;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use machine::{Ending, Machine};
use syntax::source::Files;
use term::{Atom, Term, print};

pub(crate) use expressions::{Expression, expressions};

/// Where OTP is installed, if it is: asks `erl` once.
pub(crate) fn otp_root() -> Option<PathBuf> {
    let output = Command::new("erl")
        .args(["-noshell", "-eval", "io:put_chars(code:root_dir()), halt()."])
        .output()
        .ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(root))
}

/// What `erl` makes of each expression.
fn judged(expressions: &[Expression], name: &str) -> Vec<String> {
    let dir = std::env::temp_dir().join(format!("erlscope-judge-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the comparison");
    let (input, output) = (dir.join("in"), dir.join("out"));
    let lines: String = expressions.iter().map(|e| format!("{}\n", e.text)).collect();
    std::fs::write(&input, lines).expect("expressions written");
    let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge/judge.erl");
    let start = format!(
        "{{ok, judge, Code}} = compile:file({judge:?}, [binary]), \
         code:load_binary(judge, \"judge\", Code), judge:main([{input:?}, {output:?}])."
    );
    let status = Command::new("erl")
        .args(["-noshell", "-eval", &start])
        .env("ERL_CRASH_DUMP", "/dev/null")
        .env("TZ", "UTC")
        .current_dir(&dir)
        .status()
        .expect("erl runs");
    assert!(status.success(), "erl failed");
    let text = std::fs::read_to_string(&output).expect("results of erl");
    let _ = std::fs::remove_dir_all(&dir);
    text.lines().map(masked).collect()
}

/// What the Machine makes of each expression.
fn computed(expressions: &[Expression], otp: &Path) -> Vec<String> {
    const TOGETHER: usize = 200;
    let mut results = Vec::new();
    for chunk in expressions.chunks(TOGETHER) {
        let texts: Vec<&str> = chunk.iter().map(|e| e.text.as_str()).collect();
        match run_together(&texts, otp) {
            Some(shown) => results.extend(shown),
            // One of them does not compile: find out which.
            None => results.extend(texts.iter().map(|text| {
                run_together(&[text], otp)
                    .and_then(|mut shown| shown.pop())
                    .unwrap_or_else(|| "no expression".to_owned())
            })),
        }
    }
    results
}

/// One module with a function for every expression; each runs in a process of its own.
fn run_together(texts: &[&str], otp: &Path) -> Option<Vec<String>> {
    let mut module = String::from(concat!(
        "-module(t).\n-compile(export_all).\n",
        "start(F) -> exit({done, try t:F() of V -> {value, V}\n",
        "  catch C:R:S -> {C, R, case S of [Top | _] -> Top; _ -> none end} end}).\n",
    ));
    for (i, text) in texts.iter().enumerate() {
        let _ = writeln!(module, "e{i}() -> {text}.");
    }
    let loader = Sources { module, otp: otp.to_owned() };
    let compiled = loader.compile("t.erl", loader.module.clone().into_bytes());
    if let Err(problem) = compiled {
        if texts.len() == 1 {
            eprintln!("{}: {problem}", texts[0]);
        }
        return None;
    }
    let mut machine = Machine::new(Rc::new(loader), Rc::new(Sealed::default()));
    let shown = (0..texts.len()).map(|i| {
        let function = Term::atom(&format!("e{i}"));
        let pid = machine.spawn(Atom::new("t"), Atom::new("start"), vec![function]);
        masked(&match machine.run_to_end(pid, 1_000_000) {
            Ending::Ended(reason) => outcome(&reason),
            other => format!("{other:?}"),
        })
    });
    Some(shown.collect())
}

fn outcome(reason: &Term) -> String {
    let done = match reason.as_tuple() {
        Some([done, outcome]) if done.is_atom(Atom::new("done")) => outcome.as_tuple(),
        _ => None,
    };
    match done {
        Some([_, value]) => format!("value {}", print::to_string(value)),
        Some([class, reason, top]) => format!(
            "{} {}{}",
            print::to_string(class),
            print::to_string(reason),
            explained(top).unwrap_or_default()
        ),
        _ => format!("ended {}", print::to_string(reason)),
    }
}

fn explained(top: &Term) -> Option<String> {
    let Some([module, name, args, location]) = top.as_tuple() else { return None };
    let info = location.elements().find_map(|entry| match entry.as_tuple() {
        Some([key, info]) if key.is_atom(Atom::new("error_info")) => Some(info.clone()),
        _ => None,
    })?;
    let failed = Term::tuple([module.clone(), name.clone(), args.clone(), info]);
    Some(format!(" in {}", print::to_string(&failed)))
}

/// Identifiers and funs are different on every node: they are only shown as what they are.
fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '#']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let mask = [("#Ref<", "#Ref"), ("#Fun<", "#Fun"), ("#Port<", "#Port"), ("<0.", "#Pid")]
            .into_iter()
            .find(|(start, _)| rest.starts_with(start));
        match (mask, rest.find('>')) {
            (Some((_, name)), Some(end)) => {
                out.push_str(name);
                rest = &rest[end + 1..];
            }
            _ => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// Modules from the text of a test, from our library, then from OTP's.
struct Sources {
    module: String,
    otp: PathBuf,
}

impl Sources {
    fn compile(&self, path: &str, bytes: Vec<u8>) -> Result<Loaded, String> {
        let options = syntax::options::Options::default();
        let source = syntax::read_module_bytes(Path::new(path), bytes, self, &options);
        let errors: Vec<_> = source
            .diagnostics
            .iter()
            .filter(|d| d.severity == syntax::diagnostic::Severity::Error)
            .collect();
        if !errors.is_empty() {
            return Err(format!("{errors:?}"));
        }
        match code::lower::lower(&source) {
            Ok(code) => Ok(Loaded { code, source: Arc::new(source).into() }),
            Err(problems) => Err(format!("{problems:?}")),
        }
    }

    fn directories(&self) -> Vec<PathBuf> {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stdlib/erl");
        let lib = self.otp.join("lib");
        let mut directories: Vec<PathBuf> =
            ["data", "otp", "front", "system"].iter().map(|part| ours.join(part)).collect();
        for application in ["stdlib", "kernel"] {
            directories.extend(self.lib_dir(application).map(|dir| dir.join("src")));
        }
        directories.retain(|dir| dir.starts_with(&lib) || dir.is_dir());
        directories
    }
}

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        if module.as_str() == "t" {
            return self.compile("t.erl", self.module.clone().into_bytes()).ok();
        }
        let file = format!("{}.erl", module.as_str());
        let path = self.directories().iter().map(|dir| dir.join(&file)).find(|p| p.is_file())?;
        self.compile(&path.to_string_lossy(), std::fs::read(&path).ok()?).ok()
    }
}

impl Files for Sources {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        let entries = std::fs::read_dir(self.otp.join("lib")).ok()?;
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .filter(|entry| {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                name.split_once('-').map_or(&*name, |(name, _)| name) == application
            })
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found.pop()
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
}

/// Compares all expressions of a file; differences that are not announced are a failure.
pub(crate) fn compare(file: &Path) {
    let text = std::fs::read_to_string(file).expect("a file of expressions");
    let expressions = expressions(&text);
    let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(otp) = otp_root() else {
        println!("skipped: no erl on the path, {} expressions of {name}", expressions.len());
        return;
    };
    let theirs = judged(&expressions, &name);
    assert_eq!(theirs.len(), expressions.len(), "results of erl for {name}");
    let ours = computed(&expressions, &otp);
    let mut differences = Vec::new();
    for ((expression, ours), theirs) in expressions.iter().zip(&ours).zip(&theirs) {
        let text = &expression.text;
        if (ours == theirs) == expression.differs.is_some() {
            differences.push(match &expression.differs {
                Some(reason) => format!("{text}\n  does not differ: {reason}"),
                None => format!("{text}\n  Machine: {ours}\n  erl:     {theirs}"),
            });
        }
    }
    let announced = expressions.iter().filter(|e| e.differs.is_some()).count();
    println!(
        "{name}: {} expressions compared, {} differ unexpectedly, {announced} announced",
        expressions.len(),
        differences.len(),
    );
    const SHOWN: usize = 60;
    let shown: Vec<&str> = differences.iter().take(SHOWN).map(String::as_str).collect();
    assert!(differences.is_empty(), "{} differ\n{}", differences.len(), shown.join("\n"));
}
