//! What the code of contracts asks the Machine (`crate::contract`). Contracts are numbered in their
//! modules; `Module` and `Number` say which one is meant.

use atom::{Atom, known};
use term::Term;

use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::builtins::row::{HIDDEN, visible};
use crate::contract::{self, Cause, Failed, Kind, Pending, What, asking, members, shown};
use crate::footprint::touches;

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "contract_failed"/5 => failed,
    "contract_raised"/6 => raised,
    "contract_spec_args"/3 => |cx, args| spec(cx, args, None),
    "contract_spec_result"/4 => |cx, args| spec(cx, args, Some(&args[3])),
    "contract_measure"/5 => measure,
    "contract_pure"/4 => pure,
    "contract_time"/5 => time,
    "contract_leave"/0 => leave,
    "contract_member"/5 [visible(touches::members)] => member,
    "contract_scope"/3 [visible(touches::members)] => scope,
    "contract_scope_over"/3 [visible(touches::members)] => scope_over,
    "contract_follow"/2 => |cx, args| {
        let Some((module, number)) = which(args) else { return badarg() };
        asking::followed(cx.p, module, number, None);
        Ok(Term::atom("ok"))
    },
    "contract_state"/3 => |cx, args| {
        let Some((module, number)) = which(args) else { return badarg() };
        asking::followed(cx.p, module, number, Some(args[2].clone()));
        Ok(Term::atom("ok"))
    },
    "contract_end"/1 [HIDDEN.operation()] => |cx, args| {
        cx.p.contract.inside = 0;
        Ok(args[0].clone())
    },
);

/// Which contract is meant.
fn which(args: &[Term]) -> Option<(Atom, u32)> {
    Some((args[0].as_atom()?, u32::try_from(args[1].as_int()?).ok()?))
}

fn list(term: &Term) -> Vec<Term> {
    term.to_vec().unwrap_or_default()
}

/// `{ok, Result}`, or none.
fn result(term: &Term) -> Option<Term> {
    match term.as_tuple() {
        Some([_, result]) => Some(result.clone()),
        _ => None,
    }
}

fn violated(
    cx: &mut Ctx<'_>,
    (module, number): (Atom, u32),
    cause: Cause,
    args: &[Term],
    result: Option<&Term>,
) -> Return {
    let failed = Failed { module, number, blame: None, cause, args, result };
    Err(contract::violated(cx.code, cx.s, cx.p, failed).into())
}

/// `contract_failed(Module, Number, Answer, Arguments, none | {ok, Result})`: a contract did not
/// say yes.
fn failed(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    let answer = &args[2];
    let cause = match answer.as_tuple() {
        Some([no, reason]) if no.is_atom(known::FALSE) => {
            let text = super::text_of(reason).unwrap_or_else(|| shown(reason));
            Cause::No { reason: Some(text) }
        }
        _ if answer.is_atom(known::FALSE) => Cause::No { reason: None },
        _ => Cause::NoAnswer { value: shown(answer) },
    };
    violated(cx, which, cause, &list(&args[3]), result(&args[4]).as_ref())
}

/// `contract_raised(Module, Number, Class, Reason, Arguments, none | {ok, Result})`
fn raised(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    let cause = Cause::Raised { class: shown(&args[2]), reason: shown(&args[3]) };
    violated(cx, which, cause, &list(&args[4]), result(&args[5]).as_ref())
}

/// `contract_spec_args(Module, Number, Arguments)`,
/// `contract_spec_result(Module, Number, Arguments, Result)`
fn spec(cx: &mut Ctx<'_>, args: &[Term], result: Option<&Term>) -> Return {
    let Some((module, number)) = which(args) else { return badarg() };
    let values = list(&args[2]);
    let known = cx.s.host.book.known.clone();
    match known.and_then(|known| known.misfit(module, number, &values, result)) {
        None => Ok(Term::from(known::TRUE)),
        Some(misfit) => violated(cx, (module, number), Cause::Misfit(misfit), &values, result),
    }
}

/// Puts a call on the stack of those that are not done with. If the call takes the place of one of
/// the same function that is there already (it was made in tail position), that one stands for it:
/// then the answer is `again`, and nobody will say that it is over.
fn enter(cx: &mut Ctx<'_>, (module, number): (Atom, u32), what: What, may_replace: bool) -> Return {
    // The function that asks was called by the one that the contract is about: as will be its body.
    let frames = cx.p.frames.len();
    let contracting = &mut cx.p.contract;
    contracting.forget_above(frames);
    if may_replace {
        let mut at = frames.saturating_sub(1);
        let mut is_first = true;
        for pending in contracting.pending.iter_mut().rev() {
            if pending.frames > at && is_first {
                // Of the same call.
                continue;
            }
            if pending.frames == at || (!is_first && pending.frames + 1 == at) {
                (at, is_first) = (pending.frames, false);
            } else {
                break;
            }
            if (pending.module, pending.number) == (module, number) {
                pending.what = what;
                return Ok(Term::atom("again"));
            }
        }
    }
    contracting.pending.push(Pending { module, number, frames, what });
    Ok(Term::atom("ok"))
}

/// `contract_measure(Module, Number, Arguments, Values, MayReplace)`: all of the values are less
/// than those of the call of the same function around this one, or at least not more.
fn measure(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some((module, number)) = which(args) else { return badarg() };
    let (called, values) = (list(&args[2]), list(&args[3]));
    let known = cx.s.host.book.known.clone();
    let declared = known.and_then(|known| known.declared(module, number));
    let strict = declared.is_some_and(|declared| declared.kind == Kind::StrictlyDecreases);
    let frames = cx.p.frames.len();
    let around = cx.p.contract.pending.iter().rev().find(|pending| {
        pending.frames < frames && (pending.module, pending.number) == (module, number)
    });
    if let Some(Pending { what: What::Measure { args: previous, values: before }, .. }) = around {
        let stays = before.iter().zip(&values).find(|(before, now)| {
            let ordering = contract::measure(now, before);
            ordering.is_gt() || (strict && ordering.is_eq())
        });
        if let Some((before, now)) = stays {
            let previous = previous.iter().map(shown).collect();
            let cause = Cause::NotLess { previous, before: shown(before), now: shown(now) };
            return violated(cx, (module, number), cause, &called, None);
        }
    }
    let what = What::Measure { args: called, values };
    enter(cx, (module, number), what, args[4].is_atom(known::TRUE))
}

/// `contract_pure(Module, Number, Arguments, MayReplace)`: from now on the call must not act.
fn pure(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    let what = What::Pure { args: list(&args[2]) };
    enter(cx, which, what, args[3].is_atom(known::TRUE))
}

/// `contract_time(Module, Number, Arguments, Milliseconds, Stops)`
fn time(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    let allowed = args[3].as_int().map(|ms| ms as f64).or_else(|| args[3].as_float());
    let Some(allowed) = allowed.filter(|ms| *ms >= 0.0) else {
        let cause = Cause::NoAnswer { value: shown(&args[3]) };
        return violated(cx, which, cause, &list(&args[2]), None);
    };
    let began = contract::time(cx.s, cx.p);
    let allowed = (allowed * 1_000.0) as u64;
    let stops = args[4].is_atom(known::TRUE);
    let what = What::Timed { args: list(&args[2]), began, allowed, stops };
    enter(cx, which, what, false)
}

/// `contract_leave()`: the body of the call is over.
fn leave(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let frames = cx.p.frames.len();
    let mut late = None;
    while let Some(pending) = cx.p.contract.pending.last() {
        if pending.frames < frames {
            break;
        }
        let over = cx.p.contract.pending.pop();
        if let Some(Pending {
            module,
            number,
            what: What::Timed { args, began, allowed, stops },
            ..
        }) = over
        {
            let took = contract::time(cx.s, cx.p).saturating_sub(began);
            if took > allowed {
                late = Some(((module, number), args, took, allowed, stops));
            }
        }
    }
    match late {
        None => Ok(Term::atom("ok")),
        Some((which, args, _, allowed, true)) => {
            violated(cx, which, Cause::Stopped { allowed }, &args, None)
        }
        Some((which, args, took, allowed, false)) => {
            violated(cx, which, Cause::Late { took, allowed }, &args, None)
        }
    }
}

/// `contract_member(Module, Number, Arguments, What, Most)`: a process calls the function that a
/// contract is about; there may be so many of them (`at_most`), or they may be started again so
/// often (`restarts`), or they are only remembered (`ends_before`).
fn member(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    let (values, most) = (list(&args[2]), args[4].as_int().map_or(0, |most| most.max(0) as u64));
    if !members::joins(cx.s, cx.p, which, &values) {
        return Ok(Term::atom("ok"));
    }
    cx.node().ask_for_all();
    let cause = match args[3].as_atom().map(Atom::as_str) {
        Some("at_most") => {
            let count = members::alive(cx.s, which);
            (count > most).then_some(Cause::TooMany { count, most })
        }
        Some("restarts") => {
            let times = members::started_before(cx.s, cx.p, which, &values);
            (times > most).then_some(Cause::Restarted { times, most })
        }
        _ => None,
    };
    match cause {
        Some(cause) => violated(cx, which, cause, &values, None),
        None => Ok(Term::atom("ok")),
    }
}

/// `contract_scope(Module, Number, Arguments)`: processes that are started from now on must be over
/// when the call is.
fn scope(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    let since = cx.s.host.book.members.len();
    enter(cx, which, What::Scope { args: list(&args[2]), since }, false)
}

/// `contract_scope_over(Module, Number, Name)`: the body of that call, of the function of this
/// name, is over.
fn scope_over(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(which) = which(args) else { return badarg() };
    cx.node().ask_for_all();
    let frames = cx.p.frames.len();
    let pending = cx.p.contract.pending.iter().rev();
    let own = pending.take_while(|it| it.frames >= frames).find_map(|it| match &it.what {
        What::Scope { args, since } if (it.module, it.number) == which => {
            Some((args.clone(), *since))
        }
        _ => None,
    });
    let Some((called, since)) = own else { return Ok(Term::atom("ok")) };
    let Some(member) = members::outliving(cx.s, cx.p, which, since) else {
        return Ok(Term::atom("ok"));
    };
    let name = args[2].as_atom().unwrap_or(known::UNDERSCORE);
    let called: Vec<String> = called.iter().map(shown).collect();
    let call = format!("{}:{name}({})", which.0, called.join(", "));
    let cause = Cause::Outlives { process: shown(&Term::from(member.pid)), call };
    violated(cx, which, cause, &member.args, None)
}
