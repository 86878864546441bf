//! Runs `M:run(M:args())` of benchmark modules and prints milliseconds.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use machine::{Machine, Outcome, Term};
use term::Atom;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Dirs(Vec<PathBuf>, program::files::ProjectFiles);

impl Loader for Dirs {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let path = self.0.iter().map(|d| d.join(format!("{module}.erl"))).find(|p| p.exists())?;
        let source = syntax::read_module(&path, &self.1, &syntax::options::Options::default());
        let code = match code::lower::lower(&source) {
            Ok(code) => code,
            Err(problems) => {
                eprintln!("{module}: {problems:?}");
                return None;
            }
        };
        if std::env::var("DUMP").is_ok() {
            eprintln!("{}", code::print::module(&code));
        }
        Some(Loaded { code, source: Arc::new(source) })
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let dir = args.next().expect("directory");
    let library = program::files::Library::of_machine(None).expect("library");
    let otp: Vec<PathBuf> = ["stdlib-4.2", "kernel-8.5.3"]
        .iter()
        .map(|app| Path::new("/usr/lib/erlang/lib").join(app).join("src"))
        .collect();
    for module in args {
        let files = program::files::ProjectFiles::new(
            Arc::new(program::files::Library::without_otp()),
            Default::default(),
        );
        let _ = &library;
        let mut dirs = vec![PathBuf::from(&dir)];
        dirs.extend(otp.clone());
        let loader = Rc::new(Dirs(dirs, files));
        let world = Rc::new(Sealed::default());
        let mut machine = Machine::new(loader, world.clone());
        let m = Atom::new(&module);
        // args() first.
        let starter = Atom::new("bench_start");
        let _ = starter;
        machine.ensure_loaded(m);
        let begin = Instant::now();
        let pid =
            machine.spawn(Atom::new("erlscope_bench"), Atom::new("main"), vec![Term::from(m)]);
        let outcome = machine.run_to_end(pid, u64::MAX);
        let ms = begin.elapsed().as_secs_f64() * 1000.0;
        let shown = match outcome {
            Outcome::Ended(reason) => format!("{reason:?}"),
            other => format!("{other:?}"),
        };
        println!("{module}: {ms:.1} ms  {}", shown.chars().take(300).collect::<String>());
    }
}
