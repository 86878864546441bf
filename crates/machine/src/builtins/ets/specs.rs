//! Match specifications on their own: compiling, running over lists, testing.

use std::rc::Rc;

use term::{Term, View};

use super::{Ctx, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Builtin, Return, builtins};
use crate::ets::match_spec::Dialect;
use crate::ets::match_spec::compile::{Complaints, compile};
use crate::ets::match_spec::run::Runner;

pub(super) const TABLE: &[Builtin] = builtins!(ETS, HIDDEN;
    "match_spec_compile"/1 => match_spec_compile,
    "match_spec_run_r"/3 => match_spec_run_r,
    "is_compiled_ms"/1 => |cx, args| Ok(Term::bool(
        args[0].as_ref().is_some_and(|id| cx.s.node.tables.match_spec(id).is_some())
    )),
);

pub(super) const ERLANG: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "match_spec_test"/3 => match_spec_test,
);

fn match_spec_compile(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let spec = compile(cx.code, &args[0], Dialect::Table, Complaints(None)).map_err(|_| bad())?;
    let id = cx.s.new_ref();
    cx.s.node.tables.add_match_spec(id, Rc::new(spec));
    Ok(Term::from(id))
}

/// What the elements of a list give, put in front of a list: the last first.
fn match_spec_run_r(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    if !args[0].is_list() {
        return Err(bad());
    }
    let spec = args[1].as_ref().and_then(|id| cx.s.node.tables.match_spec(id)).ok_or_else(bad)?;
    let mut result = args[2].clone();
    let mut runner = Runner::default();
    let mut elements = args[0].elements();
    for element in elements.by_ref() {
        if let Some(value) = runner.run(cx, &spec, element)? {
            result = Term::cons(value, result);
        }
    }
    if elements.is_proper() { Ok(result) } else { Err(bad()) }
}

fn match_spec_test(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let dialect = match args[2].view() {
        View::Atom(name) if name.as_str() == "table" => Dialect::Table,
        View::Atom(name) if name.as_str() == "trace" => Dialect::Trace,
        _ => return Err(bad()),
    };
    if dialect == Dialect::Trace && !args[0].is_list() {
        return Err(bad());
    }
    let mut complaints = Vec::new();
    let spec = compile(cx.code, &args[1], dialect, Complaints(Some(&mut complaints)));
    let complaints = Term::list(
        complaints
            .iter()
            .map(|complaint| {
                Term::tuple([Term::from(atom::known::ERROR), Term::string(&complaint.0)])
            })
            .collect::<Vec<_>>(),
    );
    let Ok(spec) = spec else {
        return Ok(Term::tuple([Term::from(atom::known::ERROR), complaints]));
    };
    let mut runner = Runner::default();
    let result = match dialect {
        Dialect::Table => runner.run(cx, &spec, &args[0])?,
        Dialect::Trace => {
            let arguments: Vec<Term> = args[0].elements().cloned().collect();
            let (tuple, list) = (Term::tuple(arguments.iter().cloned()), Term::list(arguments));
            runner.run_call(cx, &spec, &tuple, &list)?
        }
    };
    let flags = [
        (result.is_some() && runner.flags.return_trace, "return_trace"),
        (result.is_some() && runner.flags.exception_trace, "exception_trace"),
    ];
    let flags = flags.iter().filter(|(set, _)| *set).map(|(_, name)| Term::atom(name));
    Ok(Term::tuple([
        Term::OK,
        result.unwrap_or(Term::FALSE),
        Term::list(flags.collect::<Vec<_>>()),
        complaints,
    ]))
}
