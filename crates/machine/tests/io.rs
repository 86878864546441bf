//! Programs that write and read: what they print on the Machine, with the embedded library, against
//! what they print under `erl`.
//!
//! Every file of `tests/io` is a module without a `-module` line; each of its exported functions
//! without arguments is a program. Without `erl` nothing is compared, and the test says so.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;

use machine::code_space::{Loaded, Loader};
use machine::world::World;
use machine::{Ending, Machine};
use runner::library;
use term::{Atom, format};

/// The module under test and the embedded library.
struct Sources {
    name: Atom,
    text: String,
}

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let source = if module == self.name {
            // The judge's module is compiled in its own directory.
            let path = format!("{}/{module}.erl", env!("CARGO_TARGET_TMPDIR"));
            library::read_source(Path::new(&path), &self.text)
        } else {
            library::tree(module.as_str())?
        };
        assert!(source.diagnostics.is_empty(), "{module}: {:?}", source.diagnostics);
        match code::lower::lower(&source) {
            Ok(code) => Some(Loaded { code, source: Arc::new(source).into() }),
            Err(problems) => panic!("{module}: {problems:?}"),
        }
    }
}

/// The lines that programs read.
const INPUT: &str = "first line\n12 foo 3.5\n{term, [1,2]}.\nabc\ndéf\n\nlast";

#[derive(Default)]
struct Console {
    output: RefCell<String>,
}

impl World for Console {
    fn print(&self, text: &str) {
        self.output.borrow_mut().push_str(text);
    }
    fn print_error(&self, _: &str) {}
    fn input_line(&self, number: usize) -> Option<String> {
        INPUT.split_inclusive('\n').nth(number).map(str::to_owned)
    }
    fn start_time(&self) -> u64 {
        0
    }
}

fn on_machine(module: &str, text: &str, function: &str) -> String {
    let name = Atom::new(module);
    let world = Rc::new(Console::default());
    let loader = Sources { name, text: format!("-module({module}).\n{text}") };
    let mut machine = Machine::new(Rc::new(loader), Rc::clone(&world) as Rc<dyn World>);
    let pid = machine.spawn(name, Atom::new(function), Vec::new());
    let outcome = machine.run_to_end(pid, 1_000_000);
    let output = world.output.borrow().clone();
    match outcome {
        Ending::Ended(reason) if reason.is_atom(Atom::new("normal")) => output,
        Ending::Ended(reason) => format!("{output}{}", format::pretty::to_string(&reason)),
        other => format!("{output}{other:?}"),
    }
}

/// Compiles a module for OTP; `None` without OTP.
fn compile(dir: &Path, module: &str, text: &str) -> Option<()> {
    let source = dir.join(format!("{module}.erl"));
    fs::write(&source, format!("-module({module}).\n{text}")).ok()?;
    let compiled =
        Command::new("erlc").args(["+nowarn_format", "-o"]).arg(dir).arg(&source).status();
    assert!(compiled.ok()?.success(), "{module} does not compile");
    Some(())
}

fn on_otp(dir: &Path, module: &str, function: &str) -> Option<String> {
    let input = dir.join("input");
    fs::write(&input, INPUT).ok()?;
    // A process of its own, as on our side; `halt` waits for the output.
    let start = format!(
        "io:setopts([{{encoding, unicode}}]), {{_, R}} = spawn_monitor({module}, {function}, []), \
         receive {{'DOWN', R, _, _, normal}} -> ok; {{'DOWN', R, _, _, E}} -> io:format(\"~tp\", [E]) end, \
         halt()."
    );
    let output = Command::new("erl")
        .args(["-noshell", "-kernel", "logger_level", "none", "-pa"])
        .arg(dir)
        .args(["-eval", &start])
        .current_dir(dir)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .stdin(fs::File::open(input).ok()?)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn programs_print_what_they_print_under_otp() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/io");
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let wanted = std::env::var("PROGRAMS").unwrap_or_default();
    let mut files: Vec<_> = fs::read_dir(dir).expect("tests/io").flatten().collect();
    files.sort_by_key(|entry| entry.path());
    let (mut wrong, mut count) = (0, 0);
    for file in files {
        let path = file.path();
        let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a program");
        if compile(&scratch, &module, &text).is_none() {
            return eprintln!("skipped: there is no OTP");
        }
        let names = text.lines().filter_map(|line| line.strip_suffix("() ->"));
        let names = names.filter(|name| !name.starts_with(' '));
        for function in names.filter(|name| format!("{module}:{name}").contains(&wanted)) {
            let Some(otp) = on_otp(&scratch, &module, function) else { return };
            count += 1;
            let ours = on_machine(&module, &text, function);
            if ours != otp {
                wrong += 1;
                eprintln!("{module}:{function}\n---- otp\n{otp}\n---- ours\n{ours}\n----");
            }
        }
    }
    assert_eq!(wrong, 0, "of {count} programs");
}
