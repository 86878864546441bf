//! Deep and large data, smaller than `cargo xtask bench machine` has it, with the same program: no
//! depth of calls or of data may use up the thread's stack, which is made small here.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::world::Sealed;
use machine::{Ending, Machine, Term};
use program::Program;
use program::load::LoadOptions;
use runner::loader::{Prefer, ProgramLoader};

fn runs(name: &'static str, size: i64) {
    const STACK: usize = 512 * 1024;
    let body = move || {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/programs/size.erl");
        let options = LoadOptions { without_otp: true, ..LoadOptions::default() };
        let program = Program::load(&[path], &options).expect("the program is read");
        let loader = ProgramLoader::new(Arc::new(program), Prefer::Embedded);
        let mut machine = Machine::new(Rc::new(loader), Rc::new(Sealed::default()));
        let pid = machine.spawn(Atom::new("size"), Atom::new(name), vec![Term::int(size)]);
        match machine.run_to_end(pid, u64::MAX) {
            Ending::Ended(reason) if reason.is_atom(atom::known::NORMAL) => {}
            other => panic!("size:{name}({size}): {other:?}"),
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(body).expect("a thread");
    thread.join().expect("it ends");
}

#[test]
fn body_recursion() {
    runs("body", 1_000_000);
}

#[test]
fn long_lists() {
    runs("list", 500_000);
}

#[test]
fn large_binaries() {
    runs("binary", 10_000_000);
}

#[test]
fn nested_terms() {
    runs("nested", 200_000);
}

#[test]
fn many_processes() {
    runs("processes", 20_000);
}
