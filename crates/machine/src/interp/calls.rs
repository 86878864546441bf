//! Calls that are more than a jump: funs, computed names, builtins that ask for something.

use std::mem;

use atom::{Atom, known};
use code::instr::{Instr, Pc, Slot};
use code::module::Mfa;
use term::{Fun, Term};

use super::builtin::builtin_call;
use super::{Exit, Place, ops, throw};
use crate::builtins::{Builtin, absent, modules};
use crate::code_space::{CodeSpace, Target};
use crate::control::{Control, Start};
use crate::exception::{self, Exception, Trace};
use crate::observe::{self, Callee, Event, Interest};
use crate::process::{Frame, NOWHERE, Process, Status};
use crate::state::State;
use crate::step::Effect;
use crate::unsupported::{Lack, Unsupported};

/// Makes the stack reach up to a place, and some more.
#[cold]
pub(super) fn grow(stack: &mut Vec<Term>, top: usize) {
    stack.resize(top + top / 2 + 8, Term::NIL);
}

/// Moves the arguments of a tail call to the start of the frame.
#[inline]
pub(super) fn slide(p: &mut Process, base: usize, at: Slot, len: usize) {
    let at = base + at.0 as usize;
    if at != base {
        for i in 0..len {
            p.stack[base + i] = mem::take(&mut p.stack[at + i]);
        }
    }
}

/// The value of a builtin in tail position is that of the function that called it.
pub(super) fn give_back(p: &mut Process, value: Term) -> Result<Place, Exit> {
    let base = p.base;
    p.stack[base] = value;
    match p.frames.pop() {
        Some(frame) => Ok((frame.pc, frame.base as usize)),
        None => Err(Exit::Ended(Term::from(known::NORMAL))),
    }
}

/// The function that is running called another in tail position: it is not on the stack any more,
/// its caller is. (No handler is its own, or the call would not be in tail position.)
pub(super) fn leave_frame(p: &mut Process) {
    if let Some(frame) = p.frames.pop() {
        // A frame keeps where to go on; the call is the instruction before.
        (p.pc, p.base) = (frame.pc - 1, frame.base as usize);
    }
}

/// Tells the observer that a builtin is called.
#[cold]
pub(super) fn tell_builtin(
    code: &CodeSpace,
    s: &State,
    p: &Process,
    number: u32,
    args: &[Term],
    tail: bool,
) {
    let builtin = &code.builtins[number as usize];
    let (module, name) = (Atom::new(builtin.module), Atom::new(builtin.name));
    let mfa = Mfa { module, name, arity: builtin.arity };
    let callee = Callee { mfa, target: Target::Builtin(number) };
    let event = Event::Call { callee, args, tail: tail || s.host.watch.replacing };
    observe::tell(code, s, Some(p), Interest::CALLS, &event);
}

/// The entry of a builtin that failed in a stack trace.
pub(super) fn builtin_entry(builtin: &Builtin, args: Vec<Term>, cause: Option<Atom>) -> Trace {
    let mut info = builtin.errors.map(ops::error_info_of);
    if let (Some(info), Some(cause)) = (&mut info, cause) {
        info.insert(Term::atom("cause"), Term::from(cause));
    }
    Trace::In { module: Atom::new(builtin.module), name: Atom::new(builtin.name), args, info }
}

/// No clause of the function at `pc` takes these arguments.
pub(super) fn function_clause(code: &CodeSpace, pc: Pc, args: Vec<Term>) -> Exception {
    let mut exception = Exception::atom(known::FUNCTION_CLAUSE);
    if let Some(function) = code.function_at(pc) {
        let mfa = function.mfa;
        exception.trace = Trace::Failed {
            module: mfa.module,
            name: mfa.name,
            args,
            location: exception::location(code, function.start),
        };
    }
    exception
}

/// A call of a function that is not there: its module may have to be loaded first.
pub(super) fn undefined(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    import: u32,
    at: Slot,
    len: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let mfa = code.exports[import as usize].mfa;
    if !code.is_loaded(mfa.module) && !mem::take(&mut p.module_missing) {
        return Err(Exit::NeedModule(mfa.module));
    }
    not_there(code, s, p, mfa, at, len, tail)
}

/// A function that does not exist; or that OTP has and we do not. A module can have a function that
/// is called instead, as OTP's error handler does.
fn not_there(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    mfa: Mfa,
    at: Slot,
    len: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let (pc, base) = (p.pc, p.base);
    let first = base + at.0 as usize;
    let args: Vec<Term> = p.stack[first..first + len].iter_mut().map(mem::take).collect();
    let instead = Atom::new("$handle_undefined_function");
    let instead = code.find_export(Mfa { module: mfa.module, name: instead, arity: 2 });
    if let Some(instead) = instead.filter(|export| export.exported)
        && let Target::Code(to) = instead.target
    {
        let first = if tail { base } else { first };
        if p.stack.len() < first + 2 {
            grow(&mut p.stack, first + 2);
        }
        p.stack[first] = Term::from(mfa.name);
        p.stack[first + 1] = Term::list(args);
        if !tail {
            p.frames.push(Frame { pc: pc + 1, base: base as u32 });
        }
        return Ok((to, first));
    }
    if absent::is_absent(mfa) {
        return unsupported(code, s, p, Lack::function(mfa));
    }
    note_native(code, s, p, mfa);
    // The caller is not in the stack trace then, but whoever tells of a crash can still show it.
    p.left = if tail { p.pc } else { NOWHERE };
    if tail {
        leave_frame(p);
    }
    throw(code, s, p, undef(mfa.module, mfa.name, args))
}

/// Notes that a function of a module is called whose native code is not there.
pub(crate) fn note_native(code: &CodeSpace, s: &mut State, p: &Process, mfa: Mfa) {
    /// More are not remembered.
    const MOST: usize = 10;
    if s.node.natives.is_void() || s.host.missed_natives.len() >= MOST {
        return;
    }
    let Some(library) = s.node.natives.get(&mfa.module) else { return };
    let missed = Unsupported { lack: Lack::native(mfa, library), at: own_place(code, p) };
    if !s.host.missed_natives.contains(&missed) {
        s.host.missed_natives.push(missed);
    }
}

/// Something is not supported: the end of the run, or an exception where that is wanted.
fn unsupported(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    lack: Lack,
) -> Result<Place, Exit> {
    let what = Unsupported { lack, at: own_place(code, p) };
    let reason = Term::binary(what.to_string().as_bytes());
    s.host.unsupported = Some(what);
    if !s.host.unsupported_fails {
        return Err(Exit::Stopped);
    }
    throw(code, s, p, Exception::tagged(Atom::new("not_supported"), reason))
}

/// The same, asked for by a builtin, which is named.
pub(super) fn unsupported_builtin(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    builtin: &Builtin,
    what: String,
) -> Result<Place, Exit> {
    let lack = match builtin.module == modules::NATIVE.name {
        true => Lack::Library { what },
        false => Lack::of_builtin(builtin, what),
    };
    unsupported(code, s, p, lack)
}

/// A guard asks for a function that is none of ours: only builtins are allowed there.
pub(super) fn missing_in_guard(code: &CodeSpace, s: &mut State, p: &Process, mfa: Mfa) -> Exit {
    s.host.unsupported = Some(Unsupported { lack: Lack::function(mfa), at: own_place(code, p) });
    Exit::Stopped
}

/// Where a process is in the source, file and line: the innermost call that is not the library's.
fn own_place(code: &CodeSpace, p: &Process) -> Option<(String, u32)> {
    /// So many callers are looked at.
    const CALLERS: usize = 1000;
    // A frame keeps where to go on; the call is the instruction before.
    let callers = p.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
    std::iter::once(p.pc).chain(callers).take(CALLERS).find_map(|pc| {
        // Who called into this module in tail position is not on the stack.
        let module = code.function_at(pc)?.module;
        let left = code.instrs.get(p.left as usize).filter(|instr| match instr {
            Instr::TailImport { import, .. } => match code.exports[*import as usize].target {
                Target::Code(to) => code.function_at(to).is_some_and(|to| to.module == module),
                _ => false,
            },
            _ => false,
        });
        place_in_program(code, pc).or_else(|| left.and(place_in_program(code, p.left)))
    })
}

/// The file and line of an instruction, unless it is the library's.
fn place_in_program(code: &CodeSpace, pc: Pc) -> Option<(String, u32)> {
    let function = code.function_at(pc)?;
    let file = code.file_at(pc)?;
    let is_library = file.starts_with("erl/")
        || file.contains("/lib/erlang/lib/")
        || function.mfa.module.as_str().starts_with("erlscope_");
    let line = code.line_at(pc).filter(|_| !is_library)?;
    Some((file, line))
}

fn undef(module: Atom, name: Atom, args: Vec<Term>) -> Exception {
    Exception {
        trace: Trace::In { module, name, args, info: None },
        ..Exception::atom(known::UNDEF)
    }
}

/// Where the function was called that a process did not find, if that was in tail position.
pub(super) fn place_of_undefined(code: &CodeSpace, p: &Process, reason: &Term) -> Option<Pc> {
    let called = match code.instrs.get(p.left as usize)? {
        Instr::TailImport { import, .. } => code.exports[*import as usize].target,
        Instr::TailDynamic { .. } | Instr::TailFun { .. } => Target::Undefined,
        _ => return None,
    };
    (reason.is_atom(known::UNDEF) && matches!(called, Target::Undefined)).then_some(p.left)
}

/// Calls the fun in the slot after `len` arguments.
pub(super) fn fun(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    at: Slot,
    len: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let (pc, base) = (p.pc, p.base);
    let mut first = base + at.0 as usize;
    let value = mem::take(&mut p.stack[first + len]);
    let Some(fun) = value.as_fun() else {
        return throw(code, s, p, Exception::tagged(known::BADFUN, value));
    };
    if fun.arity() as usize != len {
        let args = p.stack[first..first + len].iter_mut().map(mem::take).collect::<Vec<_>>();
        let call = Term::tuple([value.clone(), Term::list(args)]);
        return throw(code, s, p, Exception::tagged(known::BADARITY, call));
    }
    match fun {
        Fun::Local(closure) => {
            let mut entry = closure.entry;
            if !code.has_code_of(closure) {
                // Its code is gone, or was never here; the same code may have been loaded.
                entry = match code.revived(closure) {
                    Some(again) => again,
                    None if code.is_loaded(closure.module) => {
                        return throw(code, s, p, Exception::tagged(known::BADFUN, value));
                    }
                    None if mem::take(&mut p.module_missing) => {
                        let args = p.stack[first..first + len].iter_mut().map(mem::take).collect();
                        let trace = Trace::InFun { fun: value, args };
                        return throw(
                            code,
                            s,
                            p,
                            Exception { trace, ..Exception::atom(known::UNDEF) },
                        );
                    }
                    None => {
                        let module = closure.module;
                        p.stack[first + len] = value;
                        return Err(Exit::NeedModule(module));
                    }
                };
            }
            if s.host.watch.wants(Interest::CALLS) {
                s.host.watch.captured.extend_from_slice(&closure.env);
                observe::tell_call(code, s, p, entry, &p.stack[first..first + len], tail);
                s.host.watch.captured.clear();
            }
            if tail {
                slide(p, base, at, len);
                first = base;
            } else {
                p.frames.push(Frame { pc: pc + 1, base: base as u32 });
            }
            let env = &closure.env;
            let top = first + len + env.len();
            if p.stack.len() < top {
                grow(&mut p.stack, top);
            }
            for (slot, value) in p.stack[first + len..top].iter_mut().zip(env) {
                *slot = value.clone();
            }
            Ok((entry, first))
        }
        Fun::External { module, name, .. } => {
            let mfa = Mfa { module: *module, name: *name, arity: len as u32 };
            let found = call_mfa(code, s, p, mfa, at, len, tail);
            if let Err(Exit::NeedModule(_) | Exit::Visible) = found {
                // Will be tried again from the start.
                p.stack[first + len] = value;
            }
            found
        }
    }
}

/// `M:F(…)`, with module and function in the two slots after the arguments.
pub(super) fn dynamic(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    at: Slot,
    len: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let first = p.base + at.0 as usize;
    let (module, name) = (&p.stack[first + len], &p.stack[first + len + 1]);
    let (Some(module), Some(name)) = (module.as_atom(), name.as_atom()) else {
        let args = p.stack[first..first + len].to_vec();
        let (module, name) = (module.clone(), name.clone());
        let mut exception = Exception::badarg();
        exception.trace = Trace::In {
            module: known::ERLANG,
            name: known::APPLY,
            args: vec![module, name, Term::list(args)],
            info: Some(ops::error_info()),
        };
        return throw(code, s, p, exception);
    };
    let mfa = Mfa { module, name, arity: len as u32 };
    call_mfa(code, s, p, mfa, at, len, tail)
}

/// Calls a function by name, with its arguments in the slots from `at` on.
fn call_mfa(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    mfa: Mfa,
    at: Slot,
    len: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let (pc, base) = (p.pc, p.base);
    match code.find_export(mfa).map_or(Target::Undefined, |export| export.target) {
        Target::Code(to) => {
            if s.host.watch.wants(Interest::CALLS) {
                let first = base + at.0 as usize;
                observe::tell_call(code, s, p, to, &p.stack[first..first + len], tail);
            }
            if tail {
                slide(p, base, at, len);
                Ok((to, base))
            } else {
                p.frames.push(Frame { pc: pc + 1, base: base as u32 });
                Ok((to, base + at.0 as usize))
            }
        }
        Target::Builtin(builtin) => builtin_call(code, s, p, builtin, at.0, len, tail),
        Target::Undefined => {
            if !code.is_loaded(mfa.module) && !mem::take(&mut p.module_missing) {
                return Err(Exit::NeedModule(mfa.module));
            }
            not_there(code, s, p, mfa, at, len, tail)
        }
    }
}

/// Where a process starts, or goes on that had to wait for a module.
pub(super) fn begin(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    start: Start,
) -> Result<Place, Exit> {
    match p.start_at.take() {
        Some(first) => call(code, s, p, start, first, false),
        None => call(code, s, p, start, p.base, true),
    }
}

/// Calls what `start` says beside the function that is running, which goes on behind this
/// instruction whatever the value is.
#[cold]
pub(super) fn beside(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    start: Start,
) -> Result<Place, Exit> {
    let size = code.function_at(p.pc).map_or(0, |function| function.frame_size as usize);
    call(code, s, p, start, p.base + size, false)
}

/// Calls what `start` says, with the arguments put at `first` on the stack. In tail position the
/// current frame is given up.
fn call(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    start: Start,
    first: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let first = if tail { p.base } else { first };
    let (args, extra) = match &start {
        Start::Apply { args, .. } => (args, 0),
        Start::Fun { args, .. } => (args, 1),
        Start::Raise(exception) => {
            let exception = exception.clone();
            return throw(code, s, p, exception);
        }
    };
    let len = args.len();
    let top = first + len + extra;
    if p.stack.len() <= top {
        grow(&mut p.stack, top + 1);
    }
    p.stack[first..first + len].clone_from_slice(args);
    let at = Slot((first - p.base) as u16);
    s.host.watch.replacing = true;
    let result = match &start {
        Start::Apply { module, name, .. } => {
            let mfa = Mfa { module: *module, name: *name, arity: len as u32 };
            call_mfa(code, s, p, mfa, at, len, tail)
        }
        Start::Fun { fun: value, .. } => {
            p.stack[first + len] = value.clone();
            fun(code, s, p, at, len, tail)
        }
        Start::Raise(_) => Ok((p.pc, p.base)),
    };
    s.host.watch.replacing = false;
    if let (Err(Exit::NeedModule(_) | Exit::Visible), None) = (&result, &p.start) {
        // To be done again from here when the module is there, or when it may act; unless what it
        // called was a builtin that asked for a call in its place.
        p.start = Some(start);
        p.start_at = (!tail).then_some(first);
    }
    result
}

/// A builtin asks for something.
pub(super) fn control(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    control: Control,
    at: usize,
    tail: bool,
) -> Result<Place, Exit> {
    match control {
        Control::Call(start) => call(code, s, p, start, at, tail),
        Control::Hibernate(start) => {
            p.unwind();
            p.start = Some(start);
            if p.mailbox.is_empty() { Err(Exit::Waits) } else { Err(Exit::Yielded) }
        }
        Control::Yield(value) => {
            let place = if tail {
                give_back(p, value)?
            } else {
                p.stack[at] = value;
                (p.pc + 1, p.base)
            };
            (p.pc, p.base) = place;
            Err(Exit::Yielded)
        }
        Control::Wait(value) => {
            let place = if tail {
                give_back(p, value)?
            } else {
                p.stack[at] = value;
                (p.pc + 1, p.base)
            };
            (p.pc, p.base) = place;
            Err(Exit::Waits)
        }
        Control::Code(request) => {
            let (place, answer) = if tail {
                let answer = p.base;
                (give_back(p, Term::NIL)?, answer)
            } else {
                ((p.pc + 1, p.base), at)
            };
            (p.pc, p.base) = place;
            Err(Exit::Code(request, answer))
        }
        Control::Exit => {
            p.status = Status::Exiting;
            Err(Exit::Ended(p.doomed.take().unwrap_or_else(|| Term::from(known::NORMAL))))
        }
        Control::Halt(status) => {
            s.host.halted = Some(status);
            s.effect(Effect::Halted);
            Err(Exit::Stopped)
        }
        // The call of a builtin sees to it.
        Control::NeedModule(module) => Err(Exit::NeedModule(module)),
        Control::Unsupported(what) => unsupported(code, s, p, Lack::Library { what }),
        Control::Absent(mfa) => unsupported(code, s, p, Lack::function(mfa)),
    }
}
