//! The loop over instructions: what each of them does, or who does it.
//!
//! It is one function, because `pc` and `base` are kept in registers only as long as nobody else
//! can see them. What takes more than a few lines has a name: in `building.rs` (terms), `ops.rs`
//! (operators and tests), `bits.rs`, `calls.rs` and `builtin.rs`, `raise.rs` (exceptions),
//! `messages.rs`; what is met again and again is inlined, or the loop would lose speed.
//!
//! A turn ends where the loop returns an [`Exit`].

use std::mem;

use atom::known;
use code::instr::{ArithOp, Instr, Pc, RAISE, Slot, Use};
use term::{Term, Tuple, arith, order};

use super::builtin::{builtin_call, take_args};
use super::ops::{compare, compare_ints};
use super::{Exit, bits, building, calls, messages, ops, raise};
use crate::builtins::Ctx;
use crate::code_space::{CodeSpace, Target};
use crate::contract::{self, asking};
use crate::exception::{self, Exception};
use crate::observe::{self, Event, Interest};
use crate::process::{Deadline, Frame, Handler, Process};
use crate::state::State;
use crate::step;

/// Runs `p`, and tells an observer about it if it is `WATCHED`: about every instruction if it is
/// `FOLLOWED`, too.
pub(super) fn run_loop<const WATCHED: bool, const FOLLOWED: bool>(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    budget: &mut u32,
) -> Exit {
    if let Some(start) = p.start.take() {
        match calls::begin(code, s, p, start) {
            Ok((pc, base)) => (p.pc, p.base) = (pc, base),
            Err(exit) => return exit,
        }
    }
    let mut pc = p.pc;
    let mut base = p.base;
    // The `receive` that is looking at messages; for the observer.
    let mut receiving = pc;

    /// Reads an operand, taking the value out if this is its last use.
    macro_rules! get {
        ($used:expr) => {{
            let used: Use = $used;
            let slot = &mut p.stack[base + used.index()];
            if used.is_last() { mem::take(slot) } else { slot.clone() }
        }};
    }
    /// Looks at an operand.
    macro_rules! see {
        ($used:expr) => {
            p.stack[base + $used.index()]
        };
    }
    /// Releases an operand that was only looked at, if this was its last use.
    macro_rules! done {
        ($used:expr) => {
            if $used.is_last() {
                let slot = &mut p.stack[base + $used.index()];
                if !slot.is_immediate() {
                    *slot = Term::NIL;
                }
            }
        };
    }
    macro_rules! set {
        ($dst:expr, $value:expr) => {{
            let value: Term = $value;
            p.stack[base + $dst.0 as usize] = value;
        }};
    }
    /// Goes to `$fail` if the condition does not hold.
    macro_rules! test {
        ($holds:expr, $fail:expr) => {
            if $holds { pc += 1 } else { pc = $fail }
        };
    }
    /// Leaves the instruction with an exception.
    macro_rules! raise {
        ($block:lifetime, $exception:expr) => {
            break $block $exception
        };
    }
    /// The outcome of something that may fail: goes on, or to `$fail`, or raises.
    macro_rules! attempt {
        ($block:lifetime, $result:expr, $dst:expr, $fail:expr) => {
            match $result {
                Ok(value) => {
                    set!($dst, value);
                    pc += 1;
                }
                Err(exception) => {
                    if $fail != RAISE {
                        pc = $fail;
                    } else {
                        break $block exception;
                    }
                }
            }
        };
    }
    /// Returns a value to the caller.
    macro_rules! give {
        ($value:expr) => {{
            let value: Term = $value;
            if WATCHED && !observe::is_body(code, p) {
                (p.pc, p.base) = (pc, base);
                observe::tell(code, s, Some(p), Interest::CALLS, &Event::Return { value: &value });
            }
            p.stack[base] = value;
            match p.frames.pop() {
                Some(frame) => {
                    pc = frame.pc;
                    base = frame.base as usize;
                }
                None => return Exit::Ended(Term::from(known::NORMAL)),
            }
        }};
    }
    /// Goes to the start of a function whose frame begins at `base`: what its first instruction
    /// would do is done at once, unless the turn is over.
    macro_rules! enter {
        ($function:expr) => {{
            let function: Pc = $function;
            pc = function;
            if *budget > 0
                && let Instr::Enter { size } = code.instrs[function as usize]
            {
                *budget -= 1;
                let top = base + size as usize;
                if p.stack.len() < top {
                    calls::grow(&mut p.stack, top);
                }
                pc += 1;
            }
        }};
    }
    /// Tells the observer about a call of a function with its arguments in these slots.
    macro_rules! tell_call {
        ($function:expr, $at:expr, $len:expr, $tail:expr) => {
            if WATCHED && s.host.watch.wants(Interest::CALLS) {
                (p.pc, p.base) = (pc, base);
                let at = base + $at as usize;
                let args = &p.stack[at..at + $len as usize];
                observe::tell_call(code, s, p, $function, args, $tail);
            }
        };
    }
    /// Goes where a helper says.
    macro_rules! go {
        ($result:expr) => {
            match $result {
                Ok(place) => (pc, base) = place,
                Err(exit) => return exit,
            }
        };
    }

    /// Calls a builtin.
    macro_rules! builtin {
        ($builtin:expr, $at:expr, $len:expr, $tail:expr) => {{
            (p.pc, p.base) = (pc, base);
            s.node.turn.before_builtin(*budget);
            let place = builtin_call(code, s, p, $builtin, $at, $len as usize, $tail);
            if !s.node.turn.is_charged() {
                go!(place);
            } else {
                *budget = s.node.turn.take_charge(*budget);
                go!(place);
                if *budget == 0 {
                    // It took as long as the turn, or longer: time passes before the process looks
                    // at a clock.
                    (p.pc, p.base) = (pc, base);
                    return Exit::Yielded;
                }
            }
        }};
    }

    'run: loop {
        if FOLLOWED {
            let stands = std::mem::replace(&mut p.pc, pc);
            p.base = base;
            observe::tell_instruction(code, s, p, &code.instrs[pc as usize]);
            if s.is_probing() {
                // It is asked about other messages from the same place.
                p.pc = stands;
            }
        }
        let exception = 'raise: {
            match code.instrs[pc as usize] {
                Instr::Unfinished => {
                    (p.pc, p.base) = (pc, base);
                    return Exit::Unfinished(pc);
                }
                Instr::Enter { size } => {
                    if *budget == 0 {
                        (p.pc, p.base) = (pc, base);
                        return Exit::Yielded;
                    }
                    *budget -= 1;
                    let top = base + size as usize;
                    if p.stack.len() < top {
                        calls::grow(&mut p.stack, top);
                    }
                    pc += 1;
                }

                // ---- moving
                Instr::Move { dst, src } => {
                    set!(dst, get!(src));
                    pc += 1;
                }
                Instr::Move2 { dst1, src1, dst2, src2 } => {
                    set!(dst1, get!(src1));
                    set!(dst2, get!(src2));
                    pc += 1;
                }
                Instr::Move3 { dst1, src1, dst2, src2, dst3, src3 } => {
                    set!(dst1, get!(src1));
                    set!(dst2, get!(src2));
                    set!(dst3, get!(src3));
                    pc += 1;
                }
                Instr::LoadInt { dst, value } => {
                    set!(dst, Term::int(i64::from(value)));
                    pc += 1;
                }
                Instr::LoadAtom { dst, atom } => {
                    set!(dst, Term::from(atom));
                    pc += 1;
                }
                Instr::LoadNil { dst } => {
                    set!(dst, Term::NIL);
                    pc += 1;
                }
                Instr::LoadConst { dst, index } => {
                    set!(dst, code.consts[index as usize].clone());
                    pc += 1;
                }
                Instr::Drop { slot } => {
                    set!(slot, Term::NIL);
                    pc += 1;
                }

                // ---- building
                Instr::Cons { dst, head, tail } => {
                    let head = get!(head);
                    let tail = get!(tail);
                    set!(dst, Term::cons(head, tail));
                    pc += 1;
                }
                Instr::List { dst, at, len } => {
                    let at = base + at.0 as usize;
                    let list = building::list(&mut p.stack[at..=at + len as usize]);
                    set!(dst, list);
                    pc += 1;
                }
                Instr::Tuple { dst, at, len } => {
                    let at = base + at.0 as usize;
                    let elements = Tuple::take_from(&mut p.stack[at..at + len as usize]);
                    let tuple = Term::from(elements);
                    set!(dst, tuple);
                    pc += 1;
                }
                Instr::MapNew { dst, at, len } => {
                    let at = base + at.0 as usize;
                    let map = building::map(&mut p.stack[at..at + 2 * len as usize]);
                    set!(dst, map);
                    pc += 1;
                }
                Instr::MapPut { dst, map, key, value, fail } => {
                    let (map, key, value) = (get!(map), get!(key), get!(value));
                    attempt!('raise, ops::map_put(map, key, value), dst, fail);
                }
                Instr::MapUpdate { dst, map, key, value, fail } => {
                    let (map, key, value) = (get!(map), get!(key), get!(value));
                    attempt!('raise, ops::map_update(map, &key, value), dst, fail);
                }
                Instr::Closure { dst, at, len, index } => {
                    let at = base + at.0 as usize;
                    let env = &mut p.stack[at..at + len as usize];
                    let fun = building::closure(&code.closures[index as usize], p.pid, env);
                    set!(dst, fun);
                    pc += 1;
                }
                Instr::ExternalFun { dst, index } => {
                    set!(dst, building::external_fun(code.exports[index as usize].mfa));
                    pc += 1;
                }
                Instr::BitsBuild { at, part, len, sizes, fail } => {
                    let first = base + at.0 as usize;
                    let parts = &code.bits_parts[part as usize..(part + u32::from(len)) as usize];
                    let slots = &mut p.stack[first..first + (len + sizes) as usize];
                    attempt!('raise, bits::build(parts, slots), at, fail);
                }
                Instr::SetElement { dst, tuple, index, value } => {
                    let value = get!(value);
                    if let Ok(mut tuple) = get!(tuple).into_tuple() {
                        tuple.make_mut()[index as usize] = value;
                        set!(dst, tuple.into());
                    }
                    pc += 1;
                }

                // ---- computing
                Instr::Arith { op, dst, a, b, fail } => {
                    let small = match op {
                        ArithOp::Add => see!(a).add_small(&see!(b)),
                        ArithOp::Sub => see!(a).sub_small(&see!(b)),
                        _ => None,
                    };
                    if let Some(value) = small {
                        set!(dst, value);
                        pc += 1;
                        continue 'run;
                    }
                    let result = ops::arith(op, &see!(a), &see!(b));
                    match result {
                        Ok(value) => {
                            done!(a);
                            done!(b);
                            set!(dst, value);
                            pc += 1;
                        }
                        Err(_) if fail != RAISE => pc = fail,
                        Err(reason) => {
                            let args = vec![see!(a).clone(), see!(b).clone()];
                            raise!('raise, ops::operator_failed(ops::arith_name(op), reason, args))
                        }
                    }
                }
                Instr::ArithInt { op, dst, a, value, fail } => {
                    let b = Term::int(i64::from(value));
                    match ops::arith(op, &see!(a), &b) {
                        Ok(value) => {
                            done!(a);
                            set!(dst, value);
                            pc += 1;
                        }
                        Err(_) if fail != RAISE => pc = fail,
                        Err(reason) => {
                            let args = vec![see!(a).clone(), b];
                            raise!('raise, ops::operator_failed(ops::arith_name(op), reason, args))
                        }
                    }
                }
                Instr::AddInt { dst, a, value, fail } => {
                    let b = Term::int(i64::from(value));
                    if let Some(sum) = see!(a).add_small(&b) {
                        set!(dst, sum);
                        pc += 1;
                        continue 'run;
                    }
                    match arith::add(&see!(a), &b) {
                        Ok(value) => {
                            done!(a);
                            set!(dst, value);
                            pc += 1;
                        }
                        Err(_) if fail != RAISE => pc = fail,
                        // With a constant, OTP notes the function alone, not the operator.
                        Err(error) => raise!('raise, Exception::atom(ops::reason(error))),
                    }
                }
                Instr::SubInt { dst, a, value, fail } => {
                    let b = Term::int(i64::from(value));
                    if let Some(difference) = see!(a).sub_small(&b) {
                        set!(dst, difference);
                        pc += 1;
                        continue 'run;
                    }
                    match arith::sub(&see!(a), &b) {
                        Ok(value) => {
                            done!(a);
                            set!(dst, value);
                            pc += 1;
                        }
                        Err(_) if fail != RAISE => pc = fail,
                        // With a constant, OTP notes the function alone, not the operator.
                        Err(error) => raise!('raise, Exception::atom(ops::reason(error))),
                    }
                }
                Instr::Unary { op, dst, a, fail } => match ops::unary(op, &see!(a)) {
                    Ok(value) => {
                        done!(a);
                        set!(dst, value);
                        pc += 1;
                    }
                    Err(_) if fail != RAISE => pc = fail,
                    Err(reason) => {
                        let args = vec![see!(a).clone()];
                        raise!('raise, ops::operator_failed(ops::unary_name(op), reason, args))
                    }
                },
                Instr::Compare { op, dst, a, b } => {
                    let holds = compare(op, &see!(a), &see!(b));
                    done!(a);
                    done!(b);
                    set!(dst, Term::bool(holds));
                    pc += 1;
                }
                Instr::TypeTestValue { test, dst, a } => {
                    let holds = ops::type_test(test, &see!(a));
                    done!(a);
                    set!(dst, Term::bool(holds));
                    pc += 1;
                }

                // ---- testing
                Instr::Branch { op, a, b, fail } => {
                    let holds = compare(op, &see!(a), &see!(b));
                    done!(a);
                    done!(b);
                    test!(holds, fail);
                }
                Instr::BranchInt { op, a, value, fail } => {
                    let holds = match see!(a).as_int() {
                        Some(n) => compare_ints(op, n, i64::from(value)),
                        None => compare(op, &see!(a), &Term::int(i64::from(value))),
                    };
                    done!(a);
                    test!(holds, fail);
                }
                Instr::IsAtom { a, atom, fail } => {
                    let holds = see!(a).is_atom(atom);
                    test!(holds, fail);
                }
                Instr::IsInt { a, value, fail } => {
                    let holds = see!(a).same_word(&Term::int(i64::from(value)));
                    test!(holds, fail);
                }
                Instr::IsNil { a, fail } => test!(see!(a).is_nil(), fail),
                Instr::IsConst { a, index, fail } => {
                    let holds = order::exact_eq(&see!(a), &code.consts[index as usize]);
                    done!(a);
                    test!(holds, fail);
                }
                Instr::TypeTest { test, a, fail } => {
                    let holds = ops::type_test(test, &see!(a));
                    done!(a);
                    test!(holds, fail);
                }
                Instr::IsBoolean { a, other, fail } => match see!(a).as_bool() {
                    Some(true) => pc += 1,
                    Some(false) => pc = other,
                    None => pc = fail,
                },
                Instr::IsTuple { a, len, fail } => {
                    test!(see!(a).as_tuple().is_some_and(|t| t.len() == len as usize), fail);
                }
                Instr::IsTagged { a, len, tag, fail } => {
                    let holds = see!(a).as_tuple().is_some_and(|t| {
                        t.len() == len as usize && t.first().is_some_and(|t| t.is_atom(tag))
                    });
                    test!(holds, fail);
                }
                Instr::GetCons { a, head, tail, fail } => {
                    match building::take_cell(&mut see!(a), a.is_last()) {
                        Some((first, rest)) => {
                            set!(head, first);
                            set!(tail, rest);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                Instr::CaseList { a, head, tail, cons, fail } => {
                    match building::take_cell(&mut see!(a), a.is_last()) {
                        Some((first, rest)) => {
                            set!(head, first);
                            set!(tail, rest);
                            pc = cons;
                        }
                        None => test!(see!(a).is_nil(), fail),
                    }
                }
                Instr::GetElement { dst, a, index } => {
                    let value = match see!(a).as_tuple() {
                        Some(tuple) => tuple[index as usize].clone(),
                        None => Term::NIL,
                    };
                    done!(a);
                    set!(dst, value);
                    pc += 1;
                }
                Instr::MapGet { dst, map, key, fail } => {
                    let value = see!(map).as_map().and_then(|map| map.get(&see!(key)).cloned());
                    match value {
                        Some(value) => {
                            done!(map);
                            done!(key);
                            set!(dst, value);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                Instr::SwitchAtom { a, index, fail } => {
                    let to = ops::case_of_atom(&code.switches[index as usize], &see!(a));
                    pc = to.unwrap_or(fail);
                }
                Instr::SwitchInt { a, index, fail } => {
                    let to = ops::case_of_int(&code.switches[index as usize], &see!(a));
                    pc = to.unwrap_or(fail);
                }

                // ---- matching bit strings
                Instr::BitsStart { a, context, fail } => {
                    if see!(a).as_bits().is_some() {
                        set!(context, get!(a));
                        p.stack[base + context.0 as usize + 1] = Term::int(0);
                        pc += 1;
                    } else {
                        pc = fail;
                    }
                }
                Instr::BitsGet { context, part, size, dst, fail } => {
                    let at = base + context.0 as usize;
                    let part = &code.bits_parts[part as usize];
                    match bits::get(part, &p.stack[at], &p.stack[at + 1], &see!(size)) {
                        Some((value, position)) => {
                            p.stack[at + 1] = Term::int(position);
                            set!(dst, value);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                Instr::BitsSkip { context, part, size, fail } => {
                    let at = base + context.0 as usize;
                    let part = &code.bits_parts[part as usize];
                    match bits::skip(part, &p.stack[at], &p.stack[at + 1], &see!(size)) {
                        Some(position) => {
                            p.stack[at + 1] = Term::int(position);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                Instr::BitsEnd { context, fail } => {
                    let at = base + context.0 as usize;
                    test!(bits::left(&p.stack[at], &p.stack[at + 1]) == Some(0), fail);
                }
                Instr::BitsRest { context, dst } => {
                    let at = base + context.0 as usize;
                    let rest = bits::rest(&p.stack[at], &p.stack[at + 1]);
                    set!(dst, rest);
                    pc += 1;
                }

                // ---- calling
                Instr::Jump { to } => pc = to,
                Instr::Call { function, at, len } => {
                    tell_call!(function, at.0, len, false);
                    p.frames.push(Frame { pc: pc + 1, base: base as u32 });
                    base += at.0 as usize;
                    enter!(function);
                }
                Instr::TailCall { function, len } => {
                    tell_call!(function, 0, len, true);
                    enter!(function);
                }
                Instr::CallImport { import, at, len } => match code.exports[import as usize].target
                {
                    Target::Code(to) => {
                        tell_call!(to, at.0, len, false);
                        p.frames.push(Frame { pc: pc + 1, base: base as u32 });
                        base += at.0 as usize;
                        enter!(to);
                    }
                    Target::Builtin(builtin) => {
                        builtin!(builtin, at.0, len, false);
                    }
                    Target::Undefined => {
                        (p.pc, p.base) = (pc, base);
                        go!(calls::undefined(code, s, p, import, at, len as usize, false));
                    }
                },
                Instr::TailImport { import, len } => match code.exports[import as usize].target {
                    Target::Code(to) => {
                        tell_call!(to, 0, len, true);
                        p.left = pc;
                        enter!(to);
                    }
                    Target::Builtin(builtin) => {
                        builtin!(builtin, 0, len, true);
                    }
                    Target::Undefined => {
                        (p.pc, p.base) = (pc, base);
                        go!(calls::undefined(code, s, p, import, Slot(0), len as usize, true));
                    }
                },
                Instr::CallBuiltin { builtin, at, len } => builtin!(builtin, at.0, len, false),
                Instr::GuardBuiltin { builtin, at, len, fail } => {
                    let mut args = take_args(p, base + at.0 as usize, len as usize);
                    match (code.builtins[builtin as usize].run)(&mut Ctx { code, s, p }, &mut args)
                    {
                        Ok(value) => {
                            set!(at, value);
                            pc += 1;
                        }
                        Err(_) => pc = fail,
                    }
                }
                // Only builtins are allowed in guards; this is one that we do not have.
                Instr::GuardImport { import, .. } => {
                    let mfa = code.exports[import as usize].mfa;
                    (p.pc, p.base) = (pc, base);
                    return calls::missing_in_guard(code, s, p, mfa);
                }
                Instr::CallFun { at, len } => {
                    (p.pc, p.base) = (pc, base);
                    go!(calls::fun(code, s, p, at, len as usize, false));
                }
                Instr::TailFun { len } => {
                    (p.pc, p.base) = (pc, base);
                    go!(calls::fun(code, s, p, Slot(0), len as usize, true));
                }
                Instr::CallDynamic { at, len } => {
                    (p.pc, p.base) = (pc, base);
                    go!(calls::dynamic(code, s, p, at, len as usize, false));
                }
                Instr::TailDynamic { len } => {
                    (p.pc, p.base) = (pc, base);
                    go!(calls::dynamic(code, s, p, Slot(0), len as usize, true));
                }
                Instr::Return { src } => give!(get!(src)),
                Instr::ReturnInt { value } => give!(Term::int(i64::from(value))),
                Instr::ReturnAtom { atom } => give!(Term::from(atom)),
                Instr::ReturnCons { head, tail } => {
                    let head = get!(head);
                    give!(Term::cons(head, get!(tail)));
                }
                Instr::ReturnTuple { at, len } => {
                    let at = base + at.0 as usize;
                    give!(Tuple::take_from(&mut p.stack[at..at + len as usize]).into());
                }

                // ---- exceptions
                Instr::Try { handler, at } => {
                    let frames = p.frames.len() as u32;
                    p.handlers.push(Handler { pc: handler, base: base as u32, frames, at });
                    pc += 1;
                }
                Instr::EndTry => {
                    p.handlers.pop();
                    pc += 1;
                }
                Instr::Reraise { at } => {
                    let at = base + at.0 as usize;
                    raise!('raise, raise::again(&mut p.stack[at..at + 3]))
                }
                Instr::CatchValue { dst, at } => {
                    let at = base + at.0 as usize;
                    let value = raise::caught(code, &mut p.stack[at..at + 3]);
                    set!(dst, value);
                    pc += 1;
                }
                Instr::StackTrace { dst, src } => {
                    let trace = exception::stack_trace(code, &see!(src));
                    set!(dst, trace);
                    pc += 1;
                }
                Instr::Fail { failure, src } => {
                    let value = get!(src);
                    raise!('raise, raise::failed(failure, value))
                }
                Instr::IfClause => raise!('raise, Exception::atom(known::IF_CLAUSE)),
                Instr::FunctionClause { arity } => {
                    let args: Vec<Term> =
                        p.stack[base..base + arity as usize].iter_mut().map(mem::take).collect();
                    raise!('raise, calls::function_clause(code, pc, args))
                }

                // ---- for an observer
                Instr::Mark { mark } => {
                    if WATCHED && s.host.watch.wants(Interest::NODES) && !s.is_probing() {
                        (p.pc, p.base) = (pc, base);
                        observe::tell_mark(code, s, p, mark);
                    }
                    pc += 1;
                }
                Instr::Show { src } => {
                    if WATCHED && s.host.watch.wants(Interest::NODES) && !s.is_probing() {
                        (p.pc, p.base) = (pc, base);
                        observe::tell_value(code, s, p, &see!(src));
                    }
                    done!(src);
                    pc += 1;
                }

                // ---- contracts
                Instr::BeginContract { skip } => {
                    if p.contract.is_inside() {
                        pc = skip;
                    } else {
                        p.contract.inside = p.frames.len() as u32 + 1;
                        p.contract.since = p.reductions;
                        pc += 1;
                    }
                }
                Instr::EndContract => {
                    p.contract.inside = 0;
                    pc += 1;
                }
                Instr::CallBody { function, at, .. } => {
                    p.frames.push(Frame { pc: pc + 1, base: base as u32 });
                    base += at.0 as usize;
                    enter!(function);
                }
                Instr::TailBody { function, .. } => enter!(function),

                // ---- messages
                Instr::Send { dst, to, message } => {
                    if step::stops_before_send(s, p) {
                        (p.pc, p.base) = (pc, base);
                        return Exit::Visible;
                    }
                    if s.host.book.known.is_some() {
                        (p.pc, p.base) = (pc, base);
                        if let Some(exception) = contract::communicates(code, s, p, "send") {
                            raise!('raise, exception)
                        }
                    }
                    let to = get!(to);
                    let message = get!(message);
                    (p.pc, p.base) = (pc, base);
                    step::note_send(s, p, &to, &message);
                    match messages::send(&mut Ctx { code, s, p }, &to, message.clone()) {
                        Ok(()) => {
                            set!(dst, message);
                            pc += 1;
                        }
                        Err(exception) => raise!('raise, exception),
                    }
                }
                Instr::SkipOlder { reference } => {
                    messages::skip_older(s, p, base + reference.index());
                    pc += 1;
                }
                Instr::Peek { dst, none } => {
                    if step::stops_before_receive(s, p) {
                        (p.pc, p.base) = (pc, base);
                        return Exit::AtReceive;
                    }
                    if WATCHED {
                        receiving = pc;
                    }
                    if s.host.book.known.is_some() && !s.is_probing() {
                        (p.pc, p.base) = (pc, base);
                        if let Some(exception) = contract::communicates(code, s, p, "receive") {
                            raise!('raise, exception)
                        }
                    }
                    match p.mailbox.get(p.looked) {
                        Some(message) => {
                            let message = message.clone();
                            set!(dst, message);
                            pc += 1;
                        }
                        None => pc = none,
                    }
                }
                Instr::Accept => {
                    if s.is_probing() {
                        return Exit::Matched;
                    }
                    if WATCHED {
                        (p.pc, p.base) = (pc, base);
                    }
                    let asked = match s.host.book.known {
                        None => None,
                        Some(_) => {
                            (p.pc, p.base) = (pc, base);
                            asking::ask_protocols(code, s, p)
                        }
                    };
                    messages::take::<WATCHED>(code, s, p, receiving);
                    match asked {
                        None => pc += 1,
                        Some(start) => match calls::beside(code, s, p, start) {
                            Ok(place) => (pc, base) = place,
                            Err(exit) => return exit,
                        },
                    }
                }
                Instr::Skip { again } => {
                    if s.is_probing() {
                        return Exit::Unmatched;
                    }
                    p.looked += 1;
                    pc = again;
                    // To look at a message takes time: a long mailbox is not searched for nothing.
                    if !s.is_driven() {
                        if *budget == 0 {
                            (p.pc, p.base) = (pc, base);
                            return Exit::Yielded;
                        }
                        *budget -= 1;
                    }
                }
                Instr::Wait { again } => {
                    if let Some(exit) = step::at_wait(s, p, (again, base)) {
                        return exit;
                    }
                    (p.pc, p.base) = (again, base);
                    messages::trim(code, p);
                    return Exit::Waits;
                }
                Instr::WaitTimeout { timeout, again } => {
                    let slot = base + timeout.index();
                    match step::at_timed_wait(s, p, (again, base), slot) {
                        Ok(None) => {}
                        Ok(Some(exit)) => return exit,
                        Err(exception) => raise!('raise, exception),
                    }
                    if let Err(exception) = messages::set_timeout(s, p, slot) {
                        raise!('raise, exception)
                    }
                    if p.timeout == Some(Deadline::Expired) {
                        if WATCHED {
                            (p.pc, p.base) = (pc, base);
                            observe::tell(code, s, Some(p), Interest::MESSAGES, &Event::GiveUp);
                        }
                        messages::end_receive(s, p);
                        pc += 1;
                    } else {
                        (p.pc, p.base) = (again, base);
                        messages::trim(code, p);
                        return Exit::Waits;
                    }
                }
            }
            continue 'run;
        };
        (p.pc, p.base) = (pc, base);
        match raise::throw(code, s, p, exception) {
            Ok(place) => (pc, base) = place,
            Err(exit) => return exit,
        }
    }
}
