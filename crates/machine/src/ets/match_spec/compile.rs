//! Compiling match specifications, and complaining about them.
//!
//! With a list for complaints compiling goes on after one, as far as it can (that is how
//! `ets:test_ms/2` reports all of them); without, it stops at the first. Expressions are compiled
//! from a list of things still to do, in the order in which OTP compiles them, because the order of
//! complaints shows: arguments and elements from the last to the first, lists from the head.

use term::{Term, View};

use super::code::{Action, Op};
use super::pattern::{BadHead, Pattern};
use super::{Clause, Complaint, Dialect, MatchSpec, variable};
use crate::code_space::{CodeSpace, Target};
use ::code::module::Mfa;

/// Complaints, if somebody wants them; else the first one ends the compilation.
pub(crate) struct Complaints<'a>(pub Option<&'a mut Vec<Complaint>>);

/// It is no specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Invalid;

/// Complaints have at most this many characters.
const LONGEST: usize = 99;

impl Complaints<'_> {
    /// Notes a complaint; `Err` if nobody wants to hear more.
    fn add(&mut self, text: String) -> Result<(), Invalid> {
        match &mut self.0 {
            Some(list) => {
                list.push(Complaint(text.chars().take(LONGEST).collect()));
                Ok(())
            }
            None => Err(Invalid),
        }
    }

    fn any(&self) -> bool {
        self.0.as_ref().is_some_and(|list| !list.is_empty())
    }
}

/// Functions that may be called: those of `erlang` with these names and arities.
const FUNCTIONS: &[(&str, u32)] = &[
    ("is_atom", 1),
    ("is_float", 1),
    ("is_integer", 1),
    ("is_list", 1),
    ("is_number", 1),
    ("is_pid", 1),
    ("is_port", 1),
    ("is_reference", 1),
    ("is_tuple", 1),
    ("is_map", 1),
    ("is_binary", 1),
    ("is_function", 1),
    ("is_record", 3),
    ("abs", 1),
    ("element", 2),
    ("hd", 1),
    ("length", 1),
    ("node", 1),
    ("node", 0),
    ("round", 1),
    ("size", 1),
    ("map_size", 1),
    ("map_get", 2),
    ("is_map_key", 2),
    ("bit_size", 1),
    ("byte_size", 1),
    ("binary_part", 2),
    ("binary_part", 3),
    ("tl", 1),
    ("trunc", 1),
    ("float", 1),
    ("+", 1),
    ("-", 1),
    ("+", 2),
    ("-", 2),
    ("*", 2),
    ("/", 2),
    ("div", 2),
    ("rem", 2),
    ("band", 2),
    ("bor", 2),
    ("bxor", 2),
    ("bnot", 1),
    ("bsl", 2),
    ("bsr", 2),
    (">", 2),
    (">=", 2),
    ("<", 2),
    ("=<", 2),
    ("=:=", 2),
    ("==", 2),
    ("=/=", 2),
    ("/=", 2),
    ("not", 1),
    ("xor", 2),
];

/// Compiles a specification.
pub(crate) fn compile(
    code: &CodeSpace,
    source: &Term,
    dialect: Dialect,
    mut complaints: Complaints<'_>,
) -> Result<MatchSpec, Invalid> {
    let complaints = &mut complaints;
    // An empty list is a specification for tables only when it is used, not when it is compiled.
    if !matches!(source.view(), View::Cons(_)) {
        complaints.add("Match programs are not in a list.".to_owned())?;
        return Err(Invalid);
    }
    let Some(parts) = source.to_vec() else {
        complaints.add("Match programs are not in a proper list.".to_owned())?;
        return Err(Invalid);
    };
    let mut clauses = Vec::with_capacity(parts.len());
    for part in &parts {
        let Some([head, guards, body]) = part.as_tuple() else {
            complaints.add("Match program part is not a tuple of arity 3.".to_owned())?;
            return Err(Invalid);
        };
        let head = match dialect {
            Dialect::Trace if head.is_list() => match head.to_vec() {
                Some(elements) => Term::tuple(elements),
                None => {
                    let shown = term::format::erts::display(head);
                    complaints
                        .add(format!("Match expression part {shown} is not a proper list."))?;
                    return Err(Invalid);
                }
            },
            _ => head.clone(),
        };
        clauses.push((head, guards, body));
    }
    let mut compiled = Vec::with_capacity(clauses.len());
    for (head, guards, body) in clauses {
        compiled.push(clause(code, &head, guards, body, dialect, complaints)?);
    }
    let slots = compiled.iter().map(|clause| clause.pattern.variables.len()).max().unwrap_or(0);
    Ok(MatchSpec { clauses: compiled, slots, source: source.clone() })
}

fn clause(
    code: &CodeSpace,
    head: &Term,
    guards: &Term,
    body: &Term,
    dialect: Dialect,
    complaints: &mut Complaints<'_>,
) -> Result<Clause, Invalid> {
    let pattern = match Pattern::new(head) {
        Ok(pattern) => pattern,
        Err(bad) => {
            let text = match bad {
                BadHead::VariableAsKey => "Variable found in map key.",
                BadHead::AnyAsKey => "Underscore found in map key.",
            };
            complaints.add(text.to_owned())?;
            return Err(Invalid);
        }
    };
    let whole = super::is_any(head) || variable(head).is_some();
    if dialect == Dialect::Trace && !whole && head.as_tuple().is_none() {
        complaints.add("Match head is invalid in this context.".to_owned())?;
        return Err(Invalid);
    }
    let mut compiler = Compiler { code, pattern: &pattern, dialect, ops: Vec::new(), label: 0 };
    compiler.expressions(guards, true, complaints)?;
    let guard_ops = std::mem::take(&mut compiler.ops);
    if dialect == Dialect::Table && body.as_cons().is_none() {
        complaints.add("Body clause does not return anything.".to_owned())?;
        return Err(Invalid);
    }
    compiler.label = 0;
    compiler.expressions(body, false, complaints)?;
    let body_ops = compiler.ops;
    if complaints.any() {
        return Err(Invalid);
    }
    Ok(Clause { pattern, guards: guard_ops, body: body_ops, whole })
}

struct Compiler<'a> {
    code: &'a CodeSpace,
    pattern: &'a Pattern,
    dialect: Dialect,
    ops: Vec<Op>,
    /// Nothing before here may be changed any more: something jumps here.
    label: usize,
}

/// What is still to do for an expression.
enum Work<'a> {
    Expression(&'a Term),
    Emit(Op),
    /// Makes a value of so many parts; a constant, if they are.
    Build(Build, usize),
    /// A part of `andalso` or `orelse`: the jump that leads behind it.
    Part {
        and: bool,
        last: bool,
    },
    /// The end of it: so many jumps lead here.
    EndOfParts {
        and: bool,
        jumps: usize,
    },
}

#[derive(Clone, Copy)]
enum Build {
    Tuple,
    Cons,
    Map,
}

impl Compiler<'_> {
    /// A list of guards, or a body.
    fn expressions(
        &mut self,
        list: &Term,
        in_guard: bool,
        complaints: &mut Complaints<'_>,
    ) -> Result<(), Invalid> {
        if !list.is_list() {
            return complaints.add("Match expression is not a list.".to_owned());
        }
        let mut elements = list.elements();
        for expression in elements.by_ref() {
            self.expression(expression, in_guard, complaints)?;
            self.ops.push(if in_guard { Op::Check } else { Op::Drop });
            self.label = self.ops.len();
        }
        if !elements.is_proper() {
            return complaints.add("Match expression is not a proper list.".to_owned());
        }
        if !in_guard
            && self.dialect == Dialect::Table
            && let Some(last) = self.ops.last_mut()
        {
            *last = Op::Return;
        }
        Ok(())
    }

    fn expression(
        &mut self,
        term: &Term,
        in_guard: bool,
        complaints: &mut Complaints<'_>,
    ) -> Result<(), Invalid> {
        let mut work = vec![Work::Expression(term)];
        let mut jumps = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Expression(term) => self.start(term, in_guard, &mut work, complaints)?,
                Work::Emit(op) => self.ops.push(op),
                Work::Build(build, size) => self.build(build, size),
                Work::Part { and, last } => {
                    jumps.push(self.ops.len());
                    self.ops.push(match (last, and) {
                        (true, _) => Op::Jump(0),
                        (false, true) => Op::AndAlso(0),
                        (false, false) => Op::OrElse(0),
                    });
                }
                Work::EndOfParts { and, jumps: count } => {
                    self.ops.push(Op::Push(Term::bool(and)));
                    let here = self.ops.len();
                    for at in jumps.drain(jumps.len() - count..) {
                        if let Op::AndAlso(to) | Op::OrElse(to) | Op::Jump(to) = &mut self.ops[at] {
                            *to = here;
                        }
                    }
                    self.label = here;
                }
            }
        }
        Ok(())
    }

    /// Begins with one expression: emits it, or puts its parts on the list of work.
    fn start<'a>(
        &mut self,
        term: &'a Term,
        in_guard: bool,
        work: &mut Vec<Work<'a>>,
        complaints: &mut Complaints<'_>,
    ) -> Result<(), Invalid> {
        match term.view() {
            View::Cons(cell) => {
                work.push(Work::Build(Build::Cons, 2));
                work.push(Work::Expression(&cell.tail));
                work.push(Work::Expression(&cell.head));
            }
            View::Map(map) => {
                work.push(Work::Build(Build::Map, map.len()));
                for (key, value) in map.iter() {
                    work.push(Work::Expression(value));
                    work.push(Work::Expression(key));
                }
            }
            View::Tuple([inner]) if inner.as_tuple().is_some() => {
                let elements = inner.as_tuple().unwrap_or_default();
                work.push(Work::Build(Build::Tuple, elements.len()));
                work.extend(elements.iter().map(Work::Expression));
            }
            View::Tuple([name, args @ ..])
                if name.as_atom().is_some() && variable(name).is_none() =>
            {
                return self.call(term, name, args, in_guard, work, complaints);
            }
            View::Tuple(_) => {
                let shown = term::format::erts::display(term);
                return complaints.add(format!(
                    "{shown} is neither a function call, nor a tuple (tuples are written {{{{ ... \
                     }}}})."
                ));
            }
            View::Atom(atom) => match (variable(term), atom.as_str()) {
                (Some(number), _) => match self.pattern.variables.get(&number) {
                    Some(&slot) => self.ops.push(Op::Variable(slot)),
                    None => return complaints.add(format!("Variable ${number} is unbound.")),
                },
                (None, "$_") => self.ops.push(Op::Whole),
                (None, "$$") => {
                    self.ops.push(Op::All(self.pattern.variables.values().copied().collect()));
                }
                _ => self.ops.push(Op::Push(term.clone())),
            },
            _ => self.ops.push(Op::Push(term.clone())),
        }
        Ok(())
    }

    /// A tuple, cell or map of what is on the stack; at once, if that is constant.
    fn build(&mut self, build: Build, size: usize) {
        let parts = if let Build::Map = build { 2 * size } else { size };
        let from = self.ops.len().saturating_sub(parts);
        let constant = from >= self.label
            && self.ops.len() >= parts
            && self.ops[from..].iter().all(|op| matches!(op, Op::Push(_)));
        if !constant {
            self.ops.push(match build {
                Build::Tuple => Op::Tuple(size),
                Build::Cons => Op::Cons,
                Build::Map => Op::Map(size),
            });
            return;
        }
        let mut terms = self.ops.drain(from..).map(|op| match op {
            Op::Push(term) => term,
            _ => Term::NIL,
        });
        let term = match build {
            Build::Tuple => {
                let elements: Vec<Term> = terms.collect();
                Term::tuple(elements.into_iter().rev())
            }
            Build::Cons => {
                let head = terms.next().unwrap_or_default();
                let tail = terms.next().unwrap_or_default();
                drop(terms);
                Term::cons(head, tail)
            }
            Build::Map => {
                let mut map = term::Map::new();
                while let (Some(key), Some(value)) = (terms.next(), terms.next()) {
                    map.insert(key, value);
                }
                drop(terms);
                Term::map(map)
            }
        };
        self.ops.push(Op::Push(term));
    }

    /// `{Name, Args...}`
    fn call<'a>(
        &mut self,
        term: &Term,
        name: &Term,
        args: &'a [Term],
        in_guard: bool,
        work: &mut Vec<Work<'a>>,
        complaints: &mut Complaints<'_>,
    ) -> Result<(), Invalid> {
        let Some(atom) = name.as_atom() else { return Err(Invalid) };
        let text = atom.as_str();
        let shown = || term::format::erts::display(term);
        match text {
            "const" => match args {
                [value] => self.ops.push(Op::Push(value.clone())),
                _ => {
                    return complaints.add(format!(
                        "Special form 'const' called with more than one argument in {}.",
                        shown()
                    ));
                }
            },
            "and" | "or" => {
                if args.is_empty() {
                    return complaints.add(format!(
                        "Special form '{text}' called without arguments in {}.",
                        shown()
                    ));
                }
                let count = args.len();
                let op = if text == "and" { Op::And(count) } else { Op::Or(count) };
                work.push(Work::Emit(op));
                work.extend(args.iter().map(Work::Expression));
            }
            "andalso" | "andthen" | "orelse" => {
                let and = text != "orelse";
                if args.is_empty() {
                    let name = if and { "andalso" } else { "orelse" };
                    return complaints.add(format!(
                        "Special form '{name}' called without arguments in {}.",
                        shown()
                    ));
                }
                work.push(Work::EndOfParts { and, jumps: args.len() });
                for (i, arg) in args.iter().enumerate().rev() {
                    work.push(Work::Part { and, last: i + 1 == args.len() });
                    work.push(Work::Expression(arg));
                }
            }
            "self" => {
                if !args.is_empty() {
                    return complaints
                        .add(format!("Special form 'self' called with arguments in {}.", shown()));
                }
                self.ops.push(Op::SelfPid);
            }
            _ => match special(text) {
                Some(special) => {
                    return self.special(&special, term, args, in_guard, work, complaints);
                }
                None => return self.function(name, args, in_guard, work, complaints),
            },
        }
        Ok(())
    }

    fn function<'a>(
        &mut self,
        name: &Term,
        args: &'a [Term],
        in_guard: bool,
        work: &mut Vec<Work<'a>>,
        complaints: &mut Complaints<'_>,
    ) -> Result<(), Invalid> {
        let Some(atom) = name.as_atom() else { return Err(Invalid) };
        let arity = args.len();
        let complaint =
            |what: &str| format!("Function {}/{arity} {what}.", term::format::erts::display(name));
        match (atom.as_str(), arity) {
            ("get_tcw", 0) if self.dialect == Dialect::Trace => {
                self.ops.push(Op::Push(Term::int(0)));
                return Ok(());
            }
            ("set_tcw", 1) if self.dialect == Dialect::Trace && !in_guard => {
                work.push(Work::Emit(Op::Push(Term::int(0))));
                work.push(Work::Emit(Op::Drop));
                work.push(Work::Expression(&args[0]));
                return Ok(());
            }
            ("get_tcw", 0) | ("set_tcw", 1) => {
                return complaints.add(complaint("cannot be called in this context"));
            }
            _ => {}
        }
        let known = FUNCTIONS.contains(&(atom.as_str(), arity as u32));
        let mfa = Mfa { module: atom::known::ERLANG, name: atom, arity: arity as u32 };
        let target = self.code.find_export(mfa).map(|export| export.target);
        match target {
            Some(Target::Builtin(builtin)) if known => {
                let run = self.code.builtins[builtin as usize].run;
                work.push(Work::Emit(Op::Call { run, arity }));
                work.extend(args.iter().map(Work::Expression));
                Ok(())
            }
            _ => complaints.add(complaint("does_not_exist")),
        }
    }

    /// A special form of tracing.
    fn special<'a>(
        &mut self,
        special: &Special,
        term: &Term,
        args: &'a [Term],
        in_guard: bool,
        work: &mut Vec<Work<'a>>,
        complaints: &mut Complaints<'_>,
    ) -> Result<(), Invalid> {
        let name = special.shown;
        if self.dialect != Dialect::Trace {
            return complaints.add(format!("Special form '{name}' used in wrong dialect."));
        }
        if in_guard && !special.in_guards {
            return complaints.add(format!("Special form '{name}' called in guard context."));
        }
        if !special.arities.contains(&args.len()) {
            let how =
                if special.arities == [0] { "arguments" } else { "wrong number of arguments" };
            let shown = term::format::erts::display(term);
            let name = special.name;
            return complaints.add(format!("Special form '{name}' called with {how} in {shown}."));
        }
        match special.action {
            Some(action) => work.push(Work::Emit(Op::Action(action))),
            None => {
                // `message`: its value is the result.
                work.push(Work::Emit(Op::Push(Term::TRUE)));
                work.push(Work::Emit(Op::Return));
            }
        }
        work.extend(args.iter().map(Work::Expression));
        Ok(())
    }
}

struct Special {
    name: &'static str,
    /// What complaints call it.
    shown: &'static str,
    arities: &'static [usize],
    in_guards: bool,
    action: Option<Action>,
}

fn special(name: &str) -> Option<Special> {
    let make = |name, arities, action| Special {
        name,
        shown: name,
        arities,
        in_guards: false,
        action: Some(action),
    };
    Some(match name {
        "message" => Special { action: None, ..make("message", &[1], Action::Silent) },
        "is_seq_trace" => {
            Special { in_guards: true, ..make("is_seq_trace", &[0], Action::IsSeqTrace) }
        }
        "set_seq_token" => {
            let plain = make("set_seq_token", &[2], Action::SetSeqToken);
            Special { shown: "set_seq_trace", ..plain }
        }
        "get_seq_token" => make("get_seq_token", &[0], Action::GetSeqToken),
        "return_trace" => make("return_trace", &[0], Action::ReturnTrace),
        "exception_trace" => make("exception_trace", &[0], Action::ExceptionTrace),
        "display" => make("display", &[1], Action::Display),
        "process_dump" => make("process_dump", &[0], Action::Unsupported("process_dump")),
        "enable_trace" => make("enable_trace", &[1, 2], Action::Unsupported("enable_trace")),
        "disable_trace" => make("disable_trace", &[1, 2], Action::Unsupported("disable_trace")),
        "trace" => make("trace", &[2, 3], Action::Unsupported("trace")),
        "caller" => make("caller", &[0], Action::Caller),
        "caller_line" => make("caller_line", &[0], Action::CallerLine),
        "silent" => make("silent", &[1], Action::Silent),
        _ => return None,
    })
}
