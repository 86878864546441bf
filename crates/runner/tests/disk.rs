//! The programs of `crates/machine/tests/io/files.erl` on the real disk and in memory: they must
//! print the same. And what a program may not reach, it does not reach.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::world::{Files, Sealed, World};
use machine::{Ending, Machine};
use program::Program;
use runner::loader::{Prefer, ProgramLoader};
use runner::world::RealWorld;
use runner::world::permissions::Permissions;

/// The real world seen from a directory; what is printed is kept.
struct Seen {
    real: RealWorld,
    dir: PathBuf,
    output: RefCell<String>,
}

impl World for Seen {
    fn print(&self, text: &str) {
        self.output.borrow_mut().push_str(text);
    }
    fn start_time(&self) -> u64 {
        Sealed::default().start_time()
    }
    fn files(&self) -> Option<&dyn Files> {
        self.real.files()
    }
    fn current_dir(&self) -> Vec<u8> {
        self.dir.to_string_lossy().into_owned().into_bytes()
    }
}

fn run(name: &str, text: &str, function: &str, world: Rc<dyn World>) {
    let program = Program::load(&[], &Default::default()).expect("an empty program");
    let loader = ProgramLoader::new(Arc::new(program), Prefer::Embedded);
    loader.add_source(Atom::new(name), &format!("-module({name}).\n{text}"));
    let mut machine = Machine::new(Rc::new(loader), world);
    let pid = machine.spawn(Atom::new(name), Atom::new(function), Vec::new());
    let outcome = machine.run_to_end(pid, 1_000_000);
    let is_normal =
        matches!(&outcome, Ending::Ended(reason) if reason.is_atom(Atom::new("normal")));
    assert!(is_normal, "{function}: {outcome:?}");
}

/// A fresh directory.
fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a scratch directory");
    dir.canonicalize().expect("it exists")
}

fn on_disk(dir: &Path, permissions: Permissions, text: &str, function: &str) -> String {
    let real = RealWorld::new(permissions, 0);
    let seen = Rc::new(Seen { real, dir: dir.to_owned(), output: RefCell::default() });
    run("files", text, function, Rc::clone(&seen) as Rc<dyn World>);
    seen.output.borrow().clone()
}

#[test]
fn disk_and_memory_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machine/tests/io/files.erl");
    let text = fs::read_to_string(path).expect("the programs");
    let dir = scratch("disk");
    let mut permissions = Permissions::none();
    permissions.allow_write(&dir);
    let functions = text.lines().filter_map(|line| line.strip_suffix("() ->"));
    let mut compared = 0;
    for function in functions {
        let sealed = Rc::new(Sealed::default());
        run("files", &text, function, Rc::clone(&sealed) as Rc<dyn World>);
        let disk = on_disk(&dir, permissions.clone(), &text, function);
        assert_eq!(*sealed.output.borrow(), disk, "{function}");
        compared += 1;
    }
    assert!(compared > 10);
    assert_eq!(fs::read_dir(&dir).map_or(0, Iterator::count), 0, "nothing is left behind");
}

#[test]
fn what_is_not_allowed_is_refused() {
    let dir = scratch("refused");
    let inside = dir.join("inside");
    fs::create_dir(&inside).expect("a directory");
    fs::write(dir.join("secret"), "secret").expect("a file");
    let text = r#"
-compile([export_all, nowarn_export_all]).
main() ->
    ok = file:write_file("mine", "x"),
    ok = file:make_symlink("../secret", "link"),
    ok = file:make_symlink("../new", "dangling"),
    ok = file:make_dir("sub"),
    [io:format("~p~n", [Result]) || Result <- [
        file:read_file("mine"),
        file:read_file("../secret"),
        file:read_file("sub/../../secret"),
        file:read_file("link"),
        file:write_file("link", "overwritten"),
        file:write_file("dangling", "made"),
        file:write_file("../other", "made"),
        file:make_dir("../dir"),
        file:rename("mine", "../mine"),
        file:make_link("../secret", "hard"),
        file:delete("../secret"),
        file:change_mode("link", 8#777),
        file:list_dir(".."),
        file:read_file("/etc/passwd"),
        file:read_file("/proc/self/environ"),
        element(1, file:read_file_info("..")),
        file:read_file_info("../secret"),
        file:delete("link"),
        file:read_file("/dev/null")
    ]].
"#;
    let mut permissions = Permissions::none();
    permissions.allow_write(&inside);
    let output = on_disk(&inside, permissions, text, "main");
    let expected = ["{ok,<<\"x\">>}"].into_iter().chain(["{error,eacces}"; 14]).chain([
        "ok",
        "{error,eacces}",
        "ok",
        "{ok,<<>>}",
    ]);
    assert_eq!(output.lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert_eq!(fs::read_to_string(dir.join("secret")).ok().as_deref(), Some("secret"));
    let mut left: Vec<_> =
        fs::read_dir(&dir).expect("it exists").flatten().map(|entry| entry.file_name()).collect();
    left.sort();
    assert_eq!(left, ["inside", "secret"]);
}
