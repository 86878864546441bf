//! Programs and mutants for studies of the debugger.

use std::path::{Path, PathBuf};

/// What is put in the place of what, outside of texts and comments.
const CHANGES: &[(&str, &str)] = &[
    (" =< ", " < "),
    (" >= ", " > "),
    (" < ", " =< "),
    (" > ", " >= "),
    (" =:= ", " =/= "),
    (" == ", " /= "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" div ", " rem "),
    (" rem ", " div "),
    (" andalso ", " orelse "),
    ("true ->", "false ->"),
    ("-> false", "-> true"),
    ("-> true", "-> false"),
    ("-> ok", "-> ko"),
    ("{ok, ", "{ko, "),
    ("{reply, ", "{noreply, "),
    ("[]", "[x]"),
    (" ++ ", " -- "),
    ("lists:reverse(", "lists:sort("),
    ("lists:map(", "lists:filtermap("),
    ("max(", "min("),
    ("hd(", "length("),
    ("self()", "none"),
    ("X]", "X, X]"),
    ("(X,", "(0,"),
    (" N)", " N + 1)"),
    (" X)", " {X})"),
    ("_ ->", "none ->"),
];

/// A program that was changed once.
pub(crate) struct Mutant {
    pub(crate) text: String,
    pub(crate) line: u32,
    /// Where the change begins, from 1.
    pub(crate) column: u32,
}

/// Every way to change a program once.
pub(crate) fn mutants(text: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in text.lines().enumerate() {
        let mut add = |at: usize, old: usize, new: &str| {
            let same = line[at..].chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
            let column = (line[..at].chars().count() + same) as u32 + 1;
            let at = start + at;
            let changed = format!("{}{new}{}", &text[..at], &text[at + old..]);
            found.push(Mutant { text: changed, line: number as u32 + 1, column });
        };
        let is_code = !line.starts_with(['-', '%']) && !line.contains("main()");
        if is_code && !line.contains(['"', '%']) {
            for (old, new) in CHANGES {
                line.match_indices(old).for_each(|(at, _)| add(at, old.len(), new));
            }
            for (at, digit) in line.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
                let before = line[..at].chars().next_back();
                let is_number = !before.is_some_and(|c| c.is_alphanumeric() || "_$#".contains(c));
                if is_number && digit != '9' {
                    add(at, 1, &(digit as u8 + 1 - b'0').to_string());
                }
            }
        }
        start += line.len() + 1;
    }
    found
}

/// A program, and calls that run it.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) calls: Vec<String>,
    /// It starts processes.
    pub(crate) is_concurrent: bool,
}

impl Program {
    fn new(path: PathBuf, calls: impl FnOnce(&str, &str) -> Vec<String>) -> Program {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        let starts = ["spawn", "gen_server:start", "gen_statem:start", "supervisor:start"];
        let is_concurrent = starts.iter().any(|start| text.contains(start));
        let calls = calls(&name, &text);
        Program { name, path, text, calls, is_concurrent }
    }

    /// Whether it may be looked at while strategies are tuned: half of them, by their names.
    pub(crate) fn is_for_tuning(&self) -> bool {
        let hash = self
            .name
            .bytes()
            .fold(0xcbf2_9ce4_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        (hash >> 7) % 2 == 0
    }
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("programs")
        .map(|entry| entry.expect("a program").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    paths.sort();
    paths
}

/// Programs written to be debugged, and the corpora of slices and of the runner.
pub(crate) fn programs() -> Vec<Program> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let main = |name: &str, _: &str| vec![format!("{name}:main()")];
    let own = sources(&crates.join("session/tests/debugged"));
    let slices = sources(&crates.join("slice/tests/corpus"));
    let own = own.into_iter().map(|path| Program::new(path, main));
    let sliced = slices.into_iter().map(|path| Program::new(path, calls));
    own.chain(sliced).filter(|program| !program.calls.is_empty()).collect()
}

/// The calls that a program of the corpus of slices says it is made for: `inputs: f(int, atom)`.
fn calls(name: &str, text: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.split_once("inputs: ")).map(|(_, rest)| rest);
    let mut calls = Vec::new();
    for entry in line.unwrap_or_default().split_inclusive(')') {
        let entry = entry.trim_start_matches([',', ' ']);
        let Some((function, types)) = entry.trim_end_matches(')').split_once('(') else { continue };
        let args: Option<Vec<&str>> =
            types.split(", ").filter(|ty| !ty.is_empty()).map(value).collect();
        if let Some(args) = args {
            calls.push(format!("{name}:{function}({})", args.join(", ")));
        }
    }
    calls
}

fn value(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "int" => "7",
        "nat" => "4",
        "list int" => "[5, 2, 8, 2, -1]",
        "list nat" => "[3, 1, 4]",
        "string" => "\"Hello, world\"",
        "binary" => "<<1, 2, 3, 200>>",
        "atom" => "b",
        "list atom" => "[a, b]",
        "bool" => "true",
        "any" => "{a, [1]}",
        "float" => "2.5",
        _ => return None,
    })
}
