//! What instructions read, write and where they may go; for analyses.
//!
//! One description of every instruction ([`Instr::effects`]) serves all of them: lowering resolves
//! labels by it, the optimiser moves values by it, liveness marks last uses by it. An instruction
//! that is missing here, or says too little, shows as a value that is gone too early; so it names
//! all kinds and has no rest.

use super::{Instr, Pc, RAISE, Slot, Use};

/// What an instruction does to slots and where it may go; for analyses. Each analysis has code of
/// its own: most ask for one of the four only, and all of them together are what loading a module
/// takes the longest for.
pub struct Effects<U, C, D, T>
where
    U: FnMut(&mut Use),
    C: FnMut(Slot, u16),
    D: FnMut(Slot),
    T: FnMut(&mut Pc),
{
    /// Slots that are read.
    pub uses: U,
    /// Ranges of slots that are read and emptied.
    pub consumes: C,
    /// Slots that are written.
    pub defines: D,
    /// Addresses where it may go besides the next instruction.
    pub targets: T,
}

impl Instr {
    /// Whether the next instruction is never reached from here.
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Instr::Jump { .. }
                | Instr::TailCall { .. }
                | Instr::TailBody { .. }
                | Instr::TailImport { .. }
                | Instr::TailFun { .. }
                | Instr::TailDynamic { .. }
                | Instr::Return { .. }
                | Instr::ReturnInt { .. }
                | Instr::ReturnAtom { .. }
                | Instr::ReturnCons { .. }
                | Instr::ReturnTuple { .. }
                | Instr::Reraise { .. }
                | Instr::Fail { .. }
                | Instr::IfClause
                | Instr::FunctionClause { .. }
                | Instr::Skip { .. }
                | Instr::Wait { .. }
                | Instr::SwitchAtom { .. }
                | Instr::SwitchInt { .. }
        )
    }

    /// Reports what the instruction does. Entries of switch tables are not reported.
    #[inline]
    pub fn effects<U, C, D, T>(&mut self, e: Effects<U, C, D, T>)
    where
        U: FnMut(&mut Use),
        C: FnMut(Slot, u16),
        D: FnMut(Slot),
        T: FnMut(&mut Pc),
    {
        let Effects { mut uses, mut consumes, mut defines, mut targets } = e;
        let mut fail_to = |fail: &mut Pc| {
            if *fail != RAISE {
                targets(fail);
            }
        };
        match self {
            Instr::Unfinished
            | Instr::Enter { .. }
            | Instr::EndTry
            | Instr::EndContract
            | Instr::IfClause
            | Instr::Accept
            | Instr::Mark { .. } => {}
            Instr::Show { src } => uses(src),
            Instr::Move { dst, src } => {
                uses(src);
                defines(*dst);
            }
            Instr::Move2 { dst1, src1, dst2, src2 } => {
                uses(src1);
                uses(src2);
                defines(*dst1);
                defines(*dst2);
            }
            Instr::Move3 { dst1, src1, dst2, src2, dst3, src3 } => {
                uses(src1);
                uses(src2);
                uses(src3);
                defines(*dst1);
                defines(*dst2);
                defines(*dst3);
            }
            Instr::LoadInt { dst, .. }
            | Instr::LoadAtom { dst, .. }
            | Instr::LoadNil { dst }
            | Instr::LoadConst { dst, .. }
            | Instr::ExternalFun { dst, .. } => defines(*dst),
            Instr::Drop { slot } => defines(*slot),
            Instr::Cons { dst, head, tail } => {
                uses(head);
                uses(tail);
                defines(*dst);
            }
            Instr::List { dst, at, len } => {
                consumes(*at, *len + 1);
                defines(*dst);
            }
            Instr::Tuple { dst, at, len } => {
                consumes(*at, *len);
                defines(*dst);
            }
            Instr::MapNew { dst, at, len } => {
                consumes(*at, *len * 2);
                defines(*dst);
            }
            Instr::MapPut { dst, map, key, value, fail }
            | Instr::MapUpdate { dst, map, key, value, fail } => {
                uses(map);
                uses(key);
                uses(value);
                defines(*dst);
                fail_to(fail);
            }
            Instr::Closure { dst, at, len, .. } => {
                consumes(*at, *len);
                defines(*dst);
            }
            Instr::BitsBuild { at, len, sizes, fail, .. } => {
                consumes(*at, *len + *sizes);
                defines(*at);
                fail_to(fail);
            }
            Instr::SetElement { dst, tuple, value, .. } => {
                uses(tuple);
                uses(value);
                defines(*dst);
            }
            Instr::Arith { dst, a, b, fail, .. } => {
                uses(a);
                uses(b);
                defines(*dst);
                fail_to(fail);
            }
            Instr::ArithInt { dst, a, fail, .. }
            | Instr::AddInt { dst, a, fail, .. }
            | Instr::SubInt { dst, a, fail, .. }
            | Instr::Unary { dst, a, fail, .. } => {
                uses(a);
                defines(*dst);
                fail_to(fail);
            }
            Instr::Compare { dst, a, b, .. } => {
                uses(a);
                uses(b);
                defines(*dst);
            }
            Instr::TypeTestValue { dst, a, .. } => {
                uses(a);
                defines(*dst);
            }
            Instr::Branch { a, b, fail, .. } => {
                uses(a);
                uses(b);
                fail_to(fail);
            }
            Instr::BranchInt { a, fail, .. }
            | Instr::IsAtom { a, fail, .. }
            | Instr::IsInt { a, fail, .. }
            | Instr::IsNil { a, fail }
            | Instr::IsConst { a, fail, .. }
            | Instr::TypeTest { a, fail, .. }
            | Instr::IsTuple { a, fail, .. }
            | Instr::IsTagged { a, fail, .. }
            | Instr::SwitchAtom { a, fail, .. }
            | Instr::SwitchInt { a, fail, .. } => {
                uses(a);
                fail_to(fail);
            }
            Instr::IsBoolean { a, other, fail } => {
                uses(a);
                fail_to(other);
                fail_to(fail);
            }
            Instr::GetCons { a, head, tail, fail } => {
                uses(a);
                defines(*head);
                defines(*tail);
                fail_to(fail);
            }
            Instr::CaseList { a, head, tail, cons, fail } => {
                uses(a);
                defines(*head);
                defines(*tail);
                fail_to(cons);
                fail_to(fail);
            }
            Instr::GetElement { dst, a, .. } => {
                uses(a);
                defines(*dst);
            }
            Instr::MapGet { dst, map, key, fail } => {
                uses(map);
                uses(key);
                defines(*dst);
                fail_to(fail);
            }
            Instr::BitsStart { a, context, fail } => {
                uses(a);
                defines(*context);
                defines(Slot(context.0 + 1));
                fail_to(fail);
            }
            Instr::BitsGet { context, size, dst, fail, .. } => {
                read_context(*context, &mut uses);
                uses(size);
                defines(*dst);
                fail_to(fail);
            }
            Instr::BitsSkip { context, size, fail, .. } => {
                read_context(*context, &mut uses);
                uses(size);
                fail_to(fail);
            }
            Instr::BitsEnd { context, fail } => {
                read_context(*context, &mut uses);
                fail_to(fail);
            }
            Instr::BitsRest { context, dst } => {
                read_context(*context, &mut uses);
                defines(*dst);
            }
            Instr::Jump { to } => targets(to),
            Instr::BeginContract { skip } => targets(skip),
            Instr::Call { at, len, .. }
            | Instr::CallBody { at, len, .. }
            | Instr::CallImport { at, len, .. }
            | Instr::CallBuiltin { at, len, .. } => {
                consumes(*at, u16::from(*len));
                defines(*at);
            }
            Instr::GuardImport { at, len, fail, .. }
            | Instr::GuardBuiltin { at, len, fail, .. } => {
                consumes(*at, u16::from(*len));
                defines(*at);
                fail_to(fail);
            }
            Instr::CallFun { at, len } => {
                consumes(*at, u16::from(*len) + 1);
                defines(*at);
            }
            Instr::CallDynamic { at, len } => {
                consumes(*at, u16::from(*len) + 2);
                defines(*at);
            }
            Instr::TailCall { len, .. }
            | Instr::TailBody { len, .. }
            | Instr::TailImport { len, .. } => {
                consumes(Slot(0), u16::from(*len));
            }
            Instr::TailFun { len } => consumes(Slot(0), u16::from(*len) + 1),
            Instr::TailDynamic { len } => consumes(Slot(0), u16::from(*len) + 2),
            Instr::Return { src } | Instr::Fail { src, .. } => uses(src),
            Instr::ReturnInt { .. } | Instr::ReturnAtom { .. } => {}
            Instr::ReturnCons { head, tail } => {
                uses(head);
                uses(tail);
            }
            Instr::ReturnTuple { at, len } => consumes(*at, *len),
            Instr::Try { handler, at } => {
                (0..3).for_each(|i| defines(Slot(at.0 + i)));
                targets(handler);
            }
            Instr::Reraise { at } => consumes(*at, 3),
            Instr::CatchValue { dst, at } => {
                consumes(*at, 3);
                defines(*dst);
            }
            Instr::StackTrace { dst, src } => {
                uses(src);
                defines(*dst);
            }
            Instr::FunctionClause { arity } => consumes(Slot(0), *arity),
            Instr::Send { dst, to, message } => {
                uses(to);
                uses(message);
                defines(*dst);
            }
            Instr::SkipOlder { reference } => uses(reference),
            Instr::Peek { dst, none } => {
                defines(*dst);
                targets(none);
            }
            Instr::Skip { again } | Instr::Wait { again } => targets(again),
            Instr::WaitTimeout { timeout, again } => {
                uses(timeout);
                targets(again);
            }
        }
    }
}

impl Instr {
    /// The slot of the value that the instruction makes, where it is free to choose.
    pub fn destinations(&mut self) -> [Option<&mut Slot>; 2] {
        match self {
            Instr::Move { dst, .. }
            | Instr::LoadInt { dst, .. }
            | Instr::LoadAtom { dst, .. }
            | Instr::LoadNil { dst }
            | Instr::LoadConst { dst, .. }
            | Instr::ExternalFun { dst, .. }
            | Instr::Cons { dst, .. }
            | Instr::List { dst, .. }
            | Instr::Tuple { dst, .. }
            | Instr::MapNew { dst, .. }
            | Instr::MapPut { dst, .. }
            | Instr::MapUpdate { dst, .. }
            | Instr::Closure { dst, .. }
            | Instr::SetElement { dst, .. }
            | Instr::Arith { dst, .. }
            | Instr::ArithInt { dst, .. }
            | Instr::AddInt { dst, .. }
            | Instr::SubInt { dst, .. }
            | Instr::Unary { dst, .. }
            | Instr::Compare { dst, .. }
            | Instr::TypeTestValue { dst, .. }
            | Instr::GetElement { dst, .. }
            | Instr::MapGet { dst, .. }
            | Instr::BitsGet { dst, .. }
            | Instr::BitsRest { dst, .. }
            | Instr::StackTrace { dst, .. }
            | Instr::CatchValue { dst, .. }
            | Instr::Send { dst, .. }
            | Instr::Peek { dst, .. } => [Some(dst), None],
            Instr::GetCons { head, tail, .. } | Instr::CaseList { head, tail, .. } => {
                [Some(head), Some(tail)]
            }
            _ => [None, None],
        }
    }

    /// Whether the instruction does nothing but make a value.
    pub fn is_pure(&self) -> bool {
        matches!(
            self,
            Instr::Move { .. }
                | Instr::LoadInt { .. }
                | Instr::LoadAtom { .. }
                | Instr::LoadNil { .. }
                | Instr::LoadConst { .. }
                | Instr::ExternalFun { .. }
                | Instr::Cons { .. }
                | Instr::List { .. }
                | Instr::Tuple { .. }
                | Instr::Closure { .. }
                | Instr::Compare { .. }
                | Instr::TypeTestValue { .. }
                | Instr::GetElement { .. }
                | Instr::BitsRest { .. }
                | Instr::StackTrace { .. }
        )
    }

    /// The first slot of those that a call leaves undefined.
    pub fn clobbers_from(&self) -> Option<Slot> {
        match self {
            Instr::Call { at, .. }
            | Instr::CallBody { at, .. }
            | Instr::CallImport { at, .. }
            | Instr::CallBuiltin { at, .. }
            | Instr::CallFun { at, .. }
            | Instr::CallDynamic { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// The match context that the instruction reads: this slot and the next.
    pub fn context(&self) -> Option<Slot> {
        match self {
            Instr::BitsGet { context, .. }
            | Instr::BitsSkip { context, .. }
            | Instr::BitsEnd { context, .. }
            | Instr::BitsRest { context, .. } => Some(*context),
            _ => None,
        }
    }
}

/// A match context is read but never given up by an instruction that uses it.
fn read_context(context: Slot, uses: &mut impl FnMut(&mut Use)) {
    uses(&mut Use::of(context));
    uses(&mut Use::of(Slot(context.0 + 1)));
}
