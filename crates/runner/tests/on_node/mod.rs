//! A program on a node of its own, in a world that is sealed.

use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::world::Sealed;
use machine::{Ending, Machine};
use program::Program;
use runner::loader::{Prefer, ProgramLoader};

/// What `main/0` of a module prints, and how it ended if not as it should.
pub(crate) fn printed(program: &Arc<Program>, name: &str) -> String {
    let loader = ProgramLoader::new(Arc::clone(program), Prefer::Embedded);
    let problems = loader.problems();
    let world = Rc::new(Sealed::default());
    let mut machine = Machine::new(Rc::new(loader), Rc::clone(&world) as Rc<_>);
    if let Err(outcome) = machine.boot() {
        panic!("the node does not start: {outcome:?}");
    }
    let pid = machine.spawn(Atom::new(name), Atom::new("main"), Vec::new());
    let outcome = machine.run_to_end(pid, 1_000_000);
    let mut printed = world.output.borrow().clone();
    match outcome {
        Ending::Ended(reason) if reason.is_atom(Atom::new("normal")) => {}
        Ending::Ended(reason) => {
            printed += &format!("ended: {}\n", term::print::to_string(&reason));
        }
        other => printed += &format!("ended: {other:?}\n"),
    }
    for problem in problems.borrow().iter() {
        printed += &format!("{}: {}\n", problem.module, problem.message);
    }
    printed
}
