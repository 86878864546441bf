//! Which values of two runs are the same.

use atom::Atom;
use compare::same::Names;
use machine::{Pid, Term};
use term::Ref;

fn pid(number: u64) -> Term {
    Term::from(Pid(number))
}

fn pair(first: Term, second: Term) -> Term {
    Term::tuple([first, second])
}

#[test]
fn names_are_matched_one_to_one() {
    let mut names = Names::default();
    assert!(names.same(&pair(pid(80), pid(81)), &pair(pid(90), pid(91))));
    // From then on they belong together, in both directions.
    assert!(names.same(&pid(80), &pid(90)));
    assert!(!names.same(&pid(80), &pid(91)));
    assert!(!names.same(&pid(82), &pid(91)));
    let mut names = Names::default();
    assert!(!names.same(&pair(pid(80), pid(80)), &pair(pid(90), pid(91))));
    // What was found on the way to a difference is forgotten.
    assert!(names.same(&pid(80), &pid(91)));
    // A process is no reference.
    assert!(!names.same(&pid(83), &Term::from(Ref(93))));
}

#[test]
fn values_are_compared_exactly() {
    let mut names = Names::default();
    assert!(!names.same(&Term::int(1), &Term::from(1.0)));
    assert!(names.same(&Term::list([Term::int(1)]), &Term::list([Term::int(1)])));
    assert!(!names.same(&Term::list([Term::int(1)]), &Term::list([Term::int(2)])));
    assert!(!names.same(&Term::tuple([]), &Term::tuple([Term::int(2)])));
}

#[test]
fn stack_traces_are_all_the_same() {
    let entry = |name: &str, line: i64| {
        let line = pair(Term::atom("line"), Term::int(line));
        let (module, name) = (Term::from(Atom::new("m")), Term::atom(name));
        Term::list([Term::tuple([module, name, Term::int(1), Term::list([line])])])
    };
    let mut names = Names::default();
    let failed = |stack: Term| pair(Term::atom("EXIT"), pair(Term::atom("badarg"), stack));
    assert!(names.same(&failed(entry("f", 3)), &failed(entry("g", 7))));
    // A list that only looks a little like one is not.
    let other = |name: &str| Term::list([pair(Term::atom("m"), Term::atom(name))]);
    assert!(!names.same(&other("f"), &other("g")));
}
