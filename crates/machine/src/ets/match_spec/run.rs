//! Running a compiled specification.

use smallvec::SmallVec;
use term::{Map, Term};

use super::code::{Action, Op};
use super::{Clause, MatchSpec};
use crate::builtins::{Control, Ctx, Stop};

/// What came out besides a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) return_trace: bool,
    pub(crate) exception_trace: bool,
}

/// The room that running takes; used again for object after object.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    slots: Vec<Term>,
    stack: Vec<Term>,
    pub(crate) flags: Flags,
}

/// Why a sequence of instructions ended before its end.
enum Ended {
    /// A guard does not hold, or a function in one failed.
    Failed,
    Stop(Box<Stop>),
}

impl Runner {
    /// The value that the first matching clause gives for a term.
    pub(crate) fn run(
        &mut self,
        cx: &mut Ctx<'_>,
        spec: &MatchSpec,
        term: &Term,
    ) -> Result<Option<Term>, Box<Stop>> {
        self.run_call(cx, spec, term, term)
    }

    /// The same for a call: its arguments as a tuple and as a list.
    pub(crate) fn run_call(
        &mut self,
        cx: &mut Ctx<'_>,
        spec: &MatchSpec,
        matched: &Term,
        whole: &Term,
    ) -> Result<Option<Term>, Box<Stop>> {
        if self.slots.len() < spec.slots {
            self.slots.resize(spec.slots, Term::NIL);
        }
        for clause in &spec.clauses {
            let subject = if clause.whole { whole } else { matched };
            if !clause.pattern.matches(subject, &mut self.slots) {
                continue;
            }
            self.flags = Flags::default();
            match self.clause(cx, clause, whole) {
                Ok(value) => return Ok(Some(value)),
                Err(Ended::Failed) => {}
                Err(Ended::Stop(stop)) => return Err(stop),
            }
        }
        Ok(None)
    }

    fn clause(&mut self, cx: &mut Ctx<'_>, clause: &Clause, whole: &Term) -> Result<Term, Ended> {
        self.execute(cx, &clause.guards, whole, false)?;
        self.execute(cx, &clause.body, whole, true)
    }

    fn pop(&mut self) -> Term {
        // The code was made so that the value is there.
        self.stack.pop().unwrap_or_default()
    }

    /// Executes instructions; the value is what the last `Return` gave, else `true`.
    fn execute(
        &mut self,
        cx: &mut Ctx<'_>,
        code: &[Op],
        whole: &Term,
        in_body: bool,
    ) -> Result<Term, Ended> {
        self.stack.clear();
        let mut result = Term::TRUE;
        let mut at = 0;
        // What a function that failed gives.
        let failed = || {
            if in_body { Ok(Term::from(atom::known::EXIT)) } else { Err(Ended::Failed) }
        };
        while let Some(op) = code.get(at) {
            at += 1;
            match op {
                Op::Push(term) => self.stack.push(term.clone()),
                Op::Variable(slot) => self.stack.push(self.slots[*slot].clone()),
                Op::Whole => self.stack.push(whole.clone()),
                Op::All(slots) => {
                    let all = Term::list(slots.iter().map(|&slot| self.slots[slot].clone()));
                    self.stack.push(all);
                }
                Op::Tuple(size) => {
                    let from = self.stack.len().saturating_sub(*size);
                    let tuple = Term::tuple(self.stack.drain(from..).rev().collect::<Vec<_>>());
                    self.stack.push(tuple);
                }
                Op::Cons => {
                    let tail = self.pop();
                    let head = self.pop();
                    self.stack.push(Term::cons(head, tail));
                }
                Op::Map(size) => {
                    let map = self.map(*size);
                    self.stack.push(map);
                }
                Op::Call { run, arity } => {
                    let from = self.stack.len().saturating_sub(*arity);
                    let mut args: SmallVec<[Term; 3]> = self.stack.drain(from..).rev().collect();
                    let value = match run(cx, &mut args) {
                        Ok(value) => value,
                        Err(stop) => match *stop {
                            Stop::Raise(_) => failed()?,
                            control => return Err(Ended::Stop(Box::new(control))),
                        },
                    };
                    self.stack.push(value);
                }
                Op::And(count) | Op::Or(count) => {
                    let all = matches!(op, Op::And(_));
                    let from = self.stack.len().saturating_sub(*count);
                    let mut value = Some(all);
                    for term in self.stack.drain(from..).rev() {
                        value = match (value, term.as_bool()) {
                            (Some(so_far), Some(this)) if all => Some(so_far & this),
                            (Some(so_far), Some(this)) => Some(so_far | this),
                            _ => None,
                        };
                    }
                    let value = value.map_or_else(failed, |value| Ok(Term::bool(value)))?;
                    self.stack.push(value);
                }
                Op::AndAlso(to) | Op::OrElse(to) => {
                    let decides = matches!(op, Op::OrElse(_));
                    let value = self.pop();
                    match value.as_bool() {
                        Some(value) if value != decides => {}
                        Some(_) => {
                            self.stack.push(value);
                            at = *to;
                        }
                        None => {
                            self.stack.push(failed()?);
                            at = *to;
                        }
                    }
                }
                Op::Jump(to) => at = *to,
                Op::SelfPid => self.stack.push(Term::from(cx.p.pid)),
                Op::Check => {
                    if !self.pop().is_true() {
                        return Err(Ended::Failed);
                    }
                }
                Op::Drop => drop(self.pop()),
                Op::Return => result = self.pop(),
                Op::Action(action) => self.action(cx, *action)?,
            }
        }
        Ok(result)
    }

    fn map(&mut self, size: usize) -> Term {
        let from = self.stack.len().saturating_sub(2 * size);
        let mut map = Map::new();
        let mut parts = self.stack.drain(from..);
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            map.insert(key, value);
        }
        drop(parts);
        Term::map(map)
    }

    fn action(&mut self, cx: &mut Ctx<'_>, action: Action) -> Result<(), Ended> {
        let value = match action {
            Action::ReturnTrace => {
                self.flags.return_trace = true;
                Term::TRUE
            }
            Action::ExceptionTrace => {
                self.flags.exception_trace = true;
                Term::TRUE
            }
            Action::IsSeqTrace => Term::FALSE,
            Action::SetSeqToken => {
                // Nothing is traced: only the name of the token is looked at.
                let name = self.pop();
                let _ = self.pop();
                let known = name.as_atom().is_some_and(|name| {
                    matches!(
                        name.as_str(),
                        "label"
                            | "serial"
                            | "send"
                            | "receive"
                            | "print"
                            | "timestamp"
                            | "monotonic_timestamp"
                            | "strict_monotonic_timestamp"
                    )
                });
                if known { Term::TRUE } else { Term::from(atom::known::EXIT) }
            }
            Action::GetSeqToken => Term::NIL,
            Action::Display => {
                let shown = term::format::erts::display(&self.pop());
                cx.s.host.world.print(&format!("{shown}\n"));
                Term::TRUE
            }
            Action::Silent => {
                let _ = self.pop();
                Term::TRUE
            }
            Action::Caller | Action::CallerLine => Term::UNDEFINED,
            Action::Unsupported(name) => {
                let text = format!("'{name}' in a match specification is not supported");
                return Err(Ended::Stop(Control::Unsupported(text).into()));
            }
        };
        self.stack.push(value);
        Ok(())
    }
}
