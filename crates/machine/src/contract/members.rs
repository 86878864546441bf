//! Contracts about processes: how many there are, how often they are started again, and that they
//! are over when a call is.
//!
//! A process belongs to a contract about `f/N` from when it first calls `f/N`, however it was
//! started. A process is *started again* if the process that started it had started one before that
//! has ended, and that called `f/N` with equal arguments: so a supervisor does. Who may outlive a
//! call is known by descent: those that the calling process has started since, and theirs.
//!
//! All that have ever belonged to a contract are remembered; each look goes through them.

use atom::Atom;
use term::{Pid, Term, order};

use crate::process::Process;
use crate::state::State;

/// A process that a contract is about.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) module: Atom,
    pub(crate) number: u32,
    pub(crate) pid: Pid,
    parent: Option<Pid>,
    pub(crate) args: Vec<Term>,
}

/// A process calls the function that a contract is about: whether it is one of them only now.
pub(crate) fn joins(
    s: &mut State,
    p: &Process,
    (module, number): (Atom, u32),
    args: &[Term],
) -> bool {
    let members = &mut s.host.book.members;
    let is_it = |it: &Member| it.pid == p.pid && (it.module, it.number) == (module, number);
    if members.iter().any(is_it) {
        return false;
    }
    let (pid, parent, args) = (p.pid, p.parent, args.to_vec());
    members.push(Member { module, number, pid, parent, args });
    true
}

/// How many processes there are that a contract is about.
pub(crate) fn alive(s: &State, (module, number): (Atom, u32)) -> u64 {
    let own = s.host.book.members.iter().filter(|it| (it.module, it.number) == (module, number));
    own.filter(|it| s.node.is_alive(it.pid)).count() as u64
}

/// How often a process that has just joined was started before.
pub(crate) fn started_before(s: &State, p: &Process, which: (Atom, u32), args: &[Term]) -> u64 {
    let members = s.host.book.members.iter();
    let same = members.filter(|it| {
        (it.module, it.number) == which
            && it.pid != p.pid
            && it.parent.is_some()
            && it.parent == p.parent
            && it.args.len() == args.len()
            && it.args.iter().zip(args).all(|(a, b)| order::exact_eq(a, b))
            && !s.node.is_alive(it.pid)
    });
    same.count() as u64
}

/// One that a process has started, or that those have started, since there were so many, and that
/// is not over.
pub(crate) fn outliving(
    s: &State,
    p: &Process,
    which: (Atom, u32),
    since: usize,
) -> Option<Member> {
    let members = s.host.book.members.iter().skip(since);
    let mut own = members.filter(|it| (it.module, it.number) == which && it.pid != p.pid);
    own.find(|it| s.node.is_alive(it.pid) && descends(s, it, p.pid)).cloned()
}

/// Whether a process is a descendant of another, as far as those between them still exist or are
/// known.
fn descends(s: &State, member: &Member, from: Pid) -> bool {
    /// Longer lines are not followed.
    const MOST: usize = 1_000;
    let parent_of = |pid: Pid| {
        let process = s.node.process(pid).and_then(|process| process.parent);
        let known = || s.host.book.members.iter().find(|it| it.pid == pid)?.parent;
        process.or_else(known)
    };
    let parents = std::iter::successors(member.parent, |pid| parent_of(*pid));
    parents.take(MOST).any(|pid| pid == from)
}
