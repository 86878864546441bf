//! Guided, blind and plain inputs for programs that guidance was not tuned on: those that slices
//! are tested with, every sixth of them, its first function, with the types that its first lines
//! say.
//!
//! Plain inputs are those of PropEr's generators for these types, sizes growing as in a property:
//! by PropEr itself where `ERL_LIBS` leads to it, else by what stands in for it.
//! `INPUTS_TABLE=1 cargo nextest run --workspace --test untuned --no-capture` prints the table.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use session::inputs::{Request, What, find, text};
use session::{Control, Reading, run};

/// Inputs of each kind.
const RUNS: u64 = 300;

/// A function of a program, with what it takes: in the words of the corpus.
struct Subject {
    module: String,
    function: String,
    args: Vec<String>,
    text: String,
}

fn subjects() -> Vec<Subject> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slice/tests/corpus");
    let entries = std::fs::read_dir(directory).expect("the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let all = paths.iter().filter_map(|path| subject(path));
    all.enumerate().filter(|(number, _)| number % 6 == 0).map(|(_, subject)| subject).collect()
}

fn subject(path: &Path) -> Option<Subject> {
    let text = std::fs::read_to_string(path).ok()?;
    let inputs = text.lines().find_map(|line| line.strip_prefix("%% inputs: "))?;
    let (function, rest) = inputs.split_once('(')?;
    let args = parts(&rest[..closing(rest)?], ',');
    let module = path.file_stem()?.to_str()?.to_owned();
    let function = function.to_owned();
    // Texts among the values are no types.
    let are_types = !args.is_empty() && !args.iter().any(|arg| arg.contains(['"', '<', '[', '.']));
    are_types.then_some(Subject { module, function, args, text })
}

/// Where the parenthesis closes that is open before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += i32::from("({".contains(c)) - i32::from(")}".contains(c));
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The parts of a text between separators that are in no parentheses.
fn parts(text: &str, separator: char) -> Vec<String> {
    let (mut depth, mut all) = (0, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from("({".contains(c)) - i32::from(")}".contains(c));
        match c == separator && depth == 0 {
            true => all.push(String::new()),
            false => all.last_mut().expect("a part").push(c),
        }
    }
    all.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// A type of the corpus as a type of the language, or as a generator.
fn erlang(ty: &str, is_generator: bool) -> String {
    let inner = |text: &str| erlang(text, is_generator);
    let all = |text: &str, separator| -> Vec<String> {
        parts(text, separator).iter().map(|part| inner(part)).collect()
    };
    if let Some(list) = ty.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')')) {
        return format!("list({})", inner(list));
    }
    if let Some(values) = ty.strip_prefix("one(").and_then(|rest| rest.strip_suffix(')')) {
        let values = all(values, ';');
        return match is_generator {
            true => format!("oneof([{}])", values.join(", ")),
            false => values.join(" | "),
        };
    }
    if let Some(elements) = ty.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return format!("{{{}}}", all(elements, ',').join(", "));
    }
    match ty {
        "int" => "integer()".to_owned(),
        "nat" => "non_neg_integer()".to_owned(),
        "bool" => "boolean()".to_owned(),
        "string" | "binary" | "float" | "any" | "atom" => format!("{ty}()"),
        value => value.to_owned(),
    }
}

fn directory(subject: &Subject) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("untuned").join(&subject.module);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}

/// Writes the program with a spec; its file.
fn with_spec(subject: &Subject, directory: &Path) -> PathBuf {
    let args: Vec<String> = subject.args.iter().map(|arg| erlang(arg, false)).collect();
    let spec = format!("-spec {}({}) -> any().\n", subject.function, args.join(", "));
    let path = directory.join(format!("{}.erl", subject.module));
    std::fs::write(&path, format!("{}\n{spec}", subject.text)).expect("a file");
    path
}

fn reached(
    subject: &Subject,
    path: &Path,
    guided: bool,
    corpus: Option<PathBuf>,
) -> (usize, usize) {
    let arity = subject.args.len();
    let what = What::Function(format!("{}:{}/{arity}", subject.module, subject.function));
    let mut request = Request::new(vec![path.to_path_buf()], what);
    request.reading = Reading { without_otp: true, ..Reading::default() };
    let files = corpus.as_ref().and_then(|dir| std::fs::read_dir(dir).ok()).map(Iterator::count);
    request.options.runs = files.map_or(RUNS, |files| files as u64);
    request.options.guided = guided;
    request.options.shrinking = 0;
    request.corpus = corpus;
    request.measure = true;
    let answer = match find(&request, &Control::default()) {
        Ok(answer) => answer,
        Err(error) => panic!("{}: {error}", subject.module),
    };
    (answer.branches.iter().filter(|branch| branch.reached).count(), answer.branches.len())
}

/// The values of PropEr's generators, as a corpus.
fn plain(subject: &Subject, directory: &Path) -> PathBuf {
    let args: Vec<String> = subject.args.iter().map(|arg| erlang(arg, true)).collect();
    let program = format!(
        "-module(plain).\n-include_lib(\"proper/include/proper.hrl\").\n-export([main/0]).\n\
         main() ->\n    [begin\n         {{ok, Value}} = proper_gen:pick({{{}}}, 1 + N * 42 div {RUNS}),\n\
         io:format(\"~0tp.~n\", [Value])\n     end || N <- lists:seq(1, {RUNS})].\n",
        args.join(", ")
    );
    let path = directory.join("plain.erl");
    std::fs::write(&path, program).expect("a file");
    let request = run::Request {
        paths: vec![path],
        call: Some("plain:main()".to_owned()),
        keep_output: true,
        ..run::Request::default()
    };
    let ran = run::run(&request, &Control::default()).expect("values are made");
    let corpus = directory.join("corpus");
    std::fs::create_dir_all(&corpus).expect("a directory");
    for (number, line) in ran.output.lines().enumerate() {
        if text::read(line.trim_end_matches('.')).is_ok() {
            let file = corpus.join(format!("{number:04}.input"));
            std::fs::write(file, line).expect("a file");
        }
    }
    corpus
}

#[test]
fn guided_inputs_reach_more_of_other_programs() {
    let subjects = subjects();
    assert!(subjects.len() >= 30, "{}", subjects.len());
    let mut table = format!(
        "{:<24} {:>8} {:>6} {:>6} {:>6}\n",
        "program", "branches", "plain", "blind", "guided"
    );
    let (mut sums, mut as_plain, mut as_blind) = ([0; 4], 0, 0);
    let mut times = Vec::new();
    for subject in &subjects {
        let directory = directory(subject);
        let path = with_spec(subject, &directory);
        let (blind, all) = reached(subject, &path, false, None);
        let (guided, _) = reached(subject, &path, true, None);
        let (plain, _) = reached(subject, &path, false, Some(plain(subject, &directory)));
        let row = [all, plain, blind, guided];
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        as_plain += usize::from(guided >= plain);
        as_blind += usize::from(guided >= blind);
        if blind < all {
            let open = |reached: usize| (all - reached) as f64;
            // None left open counts as one half of a branch.
            times.push(open(blind) / open(guided).max(0.5));
        }
        let name = &subject.module;
        let _ = writeln!(table, "{name:<24} {all:>8} {plain:>6} {blind:>6} {guided:>6}");
    }
    let [all, plain, blind, guided] = sums;
    let _ = writeln!(table, "{:<24} {all:>8} {plain:>6} {blind:>6} {guided:>6}", "sum");
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    let _ = writeln!(
        table,
        "{RUNS} runs: guided inputs reach as much as plain ones or more in {as_plain} of {} \
         programs, as much as blind ones in {as_blind}; of {} programs that blind ones leave \
         branches open in they leave {mean:.2} times less open",
        subjects.len(),
        times.len()
    );
    if std::env::var_os("INPUTS_TABLE").is_some() {
        println!("{table}");
    }
    assert!(guided >= blind && guided >= plain, "{table}");
}
