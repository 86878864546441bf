//! The instructions.
//!
//! Operands are slots of the current frame. A [`Use`] reads a slot and knows whether it is the last
//! to do so; a plain [`Slot`] is written. Ranges of slots (`at`, `len`) are consumed: the
//! instruction takes the values out. A call clobbers every slot from `at` on, and its result is
//! found in `at`.
//!
//! `fail` is where to go when a test does not hold or, in a guard, an operation cannot be done.
//! [`RAISE`] in its place means that an operation raises an exception.

use atom::Atom;

/// A place in the frame of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Slot(pub u16);

/// A slot that is read. The highest bit says that nobody reads it afterwards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Use(u16);

const LAST: u16 = 1 << 15;
/// The largest number of slots in a frame.
pub const MAX_SLOTS: usize = (LAST - 1) as usize;

impl Use {
    pub fn of(slot: Slot) -> Use {
        Use(slot.0)
    }

    #[inline]
    pub fn slot(self) -> Slot {
        Slot(self.0 & !LAST)
    }

    #[inline]
    pub fn index(self) -> usize {
        (self.0 & !LAST) as usize
    }

    #[inline]
    pub fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    pub fn mark_last(&mut self) {
        self.0 |= LAST;
    }
}

impl std::fmt::Debug for Use {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.index(), if self.is_last() { "!" } else { "" })
    }
}

/// Address of an instruction. In a [`crate::module::Function`]: from its start; when linked: in
/// the code space.
pub type Pc = u32;

/// In the place of a `fail` address: raise an exception.
pub const RAISE: Pc = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    IntDiv,
    Rem,
    Band,
    Bor,
    Bxor,
    Bsl,
    Bsr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Bnot,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    ExactEq,
    ExactNe,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeTest {
    Atom,
    Binary,
    Bitstring,
    Boolean,
    Float,
    Function,
    Integer,
    List,
    Map,
    Number,
    Pid,
    Port,
    Reference,
    Tuple,
    Cons,
}

/// Errors that the language raises by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// `{badmatch, V}`
    BadMatch,
    /// `{case_clause, V}`
    CaseClause,
    /// `{try_clause, V}`
    TryClause,
    /// `{else_clause, V}`
    ElseClause,
    /// `{badrecord, V}`
    BadRecord,
    /// `{bad_generator, V}`
    BadGenerator,
    /// `{bad_filter, V}`
    BadFilter,
    /// `{badarg, V}`: not a boolean where `andalso` or `orelse` wants one
    BadBoolean,
    /// `{badmap, V}`
    BadMap,
    /// `V` itself
    Plain,
}

/// What is said about a node of the program where it is marked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// The expression is going to be evaluated.
    Reached,
    /// The head and the guard of the clause hold: its body comes next. Of a generator: an element
    /// matches its pattern. Of a `receive`: it gave up, and the body after `after` comes next.
    Chosen,
    /// The pattern of the match, `P = E` or `P ?= E`, fits.
    Matched,
    /// The condition in a guard or a filter holds.
    True,
    /// It does not hold, or cannot be computed.
    False,
}

// Four instructions in a line of the cache.
const _: () = assert!(size_of::<Instr>() == 16);

#[derive(Clone, Copy, Debug)]
pub enum Instr {
    /// First instruction of every function: makes room for its frame.
    Enter {
        size: u16,
    },

    // ---- moving ------------------------------------------------------------------------------
    Move {
        dst: Slot,
        src: Use,
    },
    LoadInt {
        dst: Slot,
        value: i32,
    },
    LoadAtom {
        dst: Slot,
        atom: Atom,
    },
    LoadNil {
        dst: Slot,
    },
    LoadConst {
        dst: Slot,
        index: u32,
    },
    /// Several moves, one after the other.
    Move2 {
        dst1: Slot,
        src1: Use,
        dst2: Slot,
        src2: Use,
    },
    Move3 {
        dst1: Slot,
        src1: Use,
        dst2: Slot,
        src2: Use,
        dst3: Slot,
        src3: Use,
    },
    /// Releases a value that nobody will read.
    Drop {
        slot: Slot,
    },

    // ---- building ----------------------------------------------------------------------------
    Cons {
        dst: Slot,
        head: Use,
        tail: Use,
    },
    /// `[S1, …, Sn | Tail]` out of `len + 1` slots.
    List {
        dst: Slot,
        at: Slot,
        len: u16,
    },
    Tuple {
        dst: Slot,
        at: Slot,
        len: u16,
    },
    /// A map out of `len` pairs of slots.
    MapNew {
        dst: Slot,
        at: Slot,
        len: u16,
    },
    /// `Map#{Key => Value}`; raises `{badmap, _}`.
    MapPut {
        dst: Slot,
        map: Use,
        key: Use,
        value: Use,
        fail: Pc,
    },
    /// `Map#{Key := Value}`; raises `{badmap, _}` or `{badkey, _}`.
    MapUpdate {
        dst: Slot,
        map: Use,
        key: Use,
        value: Use,
        fail: Pc,
    },
    /// Closure `index` of the module, with an environment out of `len` slots.
    Closure {
        dst: Slot,
        at: Slot,
        len: u16,
        index: u32,
    },
    /// A fun of another module: import `index`.
    ExternalFun {
        dst: Slot,
        index: u32,
    },
    /// A bit string out of `len` parts from `part` on: consumes a value for each, then the sizes
    /// of those whose size is computed. The result goes to `at`.
    BitsBuild {
        at: Slot,
        part: u32,
        len: u16,
        sizes: u16,
        fail: Pc,
    },
    /// The tuple with element `index` (from 0) replaced; it is known to be there.
    SetElement {
        dst: Slot,
        tuple: Use,
        index: u16,
        value: Use,
    },

    // ---- computing ---------------------------------------------------------------------------
    Arith {
        op: ArithOp,
        dst: Slot,
        a: Use,
        b: Use,
        fail: Pc,
    },
    /// The same with a small constant on the right.
    ArithInt {
        op: ArithOp,
        dst: Slot,
        a: Use,
        value: i16,
        fail: Pc,
    },
    /// Addition of a small constant.
    AddInt {
        dst: Slot,
        a: Use,
        value: i32,
        fail: Pc,
    },
    SubInt {
        dst: Slot,
        a: Use,
        value: i32,
        fail: Pc,
    },
    Unary {
        op: UnaryOp,
        dst: Slot,
        a: Use,
        fail: Pc,
    },
    Compare {
        op: CompareOp,
        dst: Slot,
        a: Use,
        b: Use,
    },
    /// The outcome of a type test as an atom.
    TypeTestValue {
        test: TypeTest,
        dst: Slot,
        a: Use,
    },

    // ---- testing -----------------------------------------------------------------------------
    Branch {
        op: CompareOp,
        a: Use,
        b: Use,
        fail: Pc,
    },
    BranchInt {
        op: CompareOp,
        a: Use,
        value: i32,
        fail: Pc,
    },
    IsAtom {
        a: Use,
        atom: Atom,
        fail: Pc,
    },
    IsInt {
        a: Use,
        value: i32,
        fail: Pc,
    },
    IsNil {
        a: Use,
        fail: Pc,
    },
    /// Exactly equal to a constant.
    IsConst {
        a: Use,
        index: u32,
        fail: Pc,
    },
    TypeTest {
        test: TypeTest,
        a: Use,
        fail: Pc,
    },
    /// Goes to `other` for `false`, to `fail` for anything but `true` and `false`.
    IsBoolean {
        a: Use,
        other: Pc,
        fail: Pc,
    },
    /// A tuple of this size.
    IsTuple {
        a: Use,
        len: u16,
        fail: Pc,
    },
    /// A tuple of this size with this atom first.
    IsTagged {
        a: Use,
        len: u16,
        tag: Atom,
        fail: Pc,
    },
    GetCons {
        a: Use,
        head: Slot,
        tail: Slot,
        fail: Pc,
    },
    /// `[]` goes on, a cell is taken apart and goes to `cons`, anything else to `fail`.
    CaseList {
        a: Use,
        head: Slot,
        tail: Slot,
        cons: Pc,
        fail: Pc,
    },
    /// Element `index` (from 0) of what is known to be a tuple.
    GetElement {
        dst: Slot,
        a: Use,
        index: u16,
    },
    MapGet {
        dst: Slot,
        map: Use,
        key: Use,
        fail: Pc,
    },
    /// Goes to the entry of table `index` for the atom in `a`, else to `fail`.
    SwitchAtom {
        a: Use,
        index: u32,
        fail: Pc,
    },
    SwitchInt {
        a: Use,
        index: u32,
        fail: Pc,
    },

    // ---- matching bit strings ----------------------------------------------------------------
    /// Starts matching: the bit string goes to `context`, position 0 to the slot after it.
    BitsStart {
        a: Use,
        context: Slot,
        fail: Pc,
    },
    /// Reads part `part`; a computed size is in `size`. The value goes to `dst`.
    BitsGet {
        context: Slot,
        part: u32,
        size: Use,
        dst: Slot,
        fail: Pc,
    },
    /// Skips part `part`.
    BitsSkip {
        context: Slot,
        part: u32,
        size: Use,
        fail: Pc,
    },
    /// Nothing is left.
    BitsEnd {
        context: Slot,
        fail: Pc,
    },
    /// What is left, as a bit string.
    BitsRest {
        context: Slot,
        dst: Slot,
    },

    // ---- calling -----------------------------------------------------------------------------
    Jump {
        to: Pc,
    },
    /// A function of this module (when linked: its address).
    Call {
        function: u32,
        at: Slot,
        len: u8,
    },
    /// Calls in tail position find their arguments in the first slots of the frame.
    TailCall {
        function: u32,
        len: u8,
    },
    /// A function of another module, by index of import (when linked: of export).
    CallImport {
        import: u32,
        at: Slot,
        len: u8,
    },
    TailImport {
        import: u32,
        len: u8,
    },
    /// A builtin (only when linked).
    CallBuiltin {
        builtin: u32,
        at: Slot,
        len: u8,
    },
    /// A builtin in a guard.
    GuardImport {
        import: u32,
        at: Slot,
        len: u8,
        fail: Pc,
    },
    GuardBuiltin {
        builtin: u32,
        at: Slot,
        len: u8,
        fail: Pc,
    },
    /// The fun is in the slot after the arguments.
    CallFun {
        at: Slot,
        len: u8,
    },
    TailFun {
        len: u8,
    },
    /// `M:F(…)`: module and function in the two slots after the arguments.
    CallDynamic {
        at: Slot,
        len: u8,
    },
    TailDynamic {
        len: u8,
    },
    Return {
        src: Use,
    },
    /// Values made to be returned.
    ReturnInt {
        value: i32,
    },
    ReturnAtom {
        atom: Atom,
    },
    ReturnCons {
        head: Use,
        tail: Use,
    },
    ReturnTuple {
        at: Slot,
        len: u16,
    },

    // ---- exceptions --------------------------------------------------------------------------
    /// From here on an exception goes to `handler`, with class, reason and raw stack trace in the
    /// three slots from `at` on.
    Try {
        handler: Pc,
        at: Slot,
    },
    EndTry,
    /// Raises again what a handler was given.
    Reraise {
        at: Slot,
    },
    /// What old-style `catch` makes of an exception.
    CatchValue {
        dst: Slot,
        at: Slot,
    },
    /// Makes the raw stack trace in `src` one that Erlang code can look at.
    StackTrace {
        dst: Slot,
        src: Use,
    },
    Fail {
        failure: Failure,
        src: Use,
    },
    IfClause,
    /// No clause of the function matched; its arguments are in the first slots.
    FunctionClause {
        arity: u16,
    },

    // ---- for an observer ---------------------------------------------------------------------
    /// Execution is here: about the node that the instruction was made for. Does nothing.
    Mark {
        mark: Mark,
    },

    // ---- messages ----------------------------------------------------------------------------
    Send {
        dst: Slot,
        to: Use,
        message: Use,
    },
    /// A `receive` begins that takes only messages with this value in them: if it is a reference, those
    /// that came before it was made need not be looked at.
    SkipOlder {
        reference: Use,
    },
    /// Looks at the next message that was not looked at; goes to `none` if there is none.
    Peek {
        dst: Slot,
        none: Pc,
    },
    /// Takes the message that was looked at out of the mailbox.
    Accept,
    /// Leaves the message that was looked at, and goes to `again`.
    Skip {
        again: Pc,
    },
    /// Waits for a message, then goes to `again`.
    Wait {
        again: Pc,
    },
    /// Waits for a message or the time, then goes to `again` or on.
    WaitTimeout {
        timeout: Use,
        again: Pc,
    },
}

/// What kind of value a segment of a bit string holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitsType {
    Integer,
    Float,
    /// A bit string (`binary`, `bits`, `bytes`, `bitstring`).
    Bits,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endian {
    Big,
    Little,
    Native,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitsSize {
    /// Bits, unit counted in.
    Fixed(u32),
    /// In a slot, to be multiplied by the unit.
    Computed,
    /// All that is left, or all of the value.
    Rest,
}

/// A segment of a bit string that is built or matched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BitsPart {
    pub ty: BitsType,
    pub signed: bool,
    pub endian: Endian,
    pub unit: u16,
    pub size: BitsSize,
}

/// What an instruction does to slots and where it may go; for analyses.
pub struct Effects<'a> {
    /// Slots that are read.
    pub uses: &'a mut dyn FnMut(&mut Use),
    /// Ranges of slots that are read and emptied.
    pub consumes: &'a mut dyn FnMut(Slot, u16),
    /// Slots that are written.
    pub defines: &'a mut dyn FnMut(Slot),
    /// Addresses where it may go besides the next instruction.
    pub targets: &'a mut dyn FnMut(&mut Pc),
}

impl Instr {
    /// Whether the next instruction is never reached from here.
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Instr::Jump { .. }
                | Instr::TailCall { .. }
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
    pub fn effects(&mut self, e: Effects<'_>) {
        let Effects { uses, consumes, defines, targets } = e;
        let mut fail_to = |fail: &mut Pc| {
            if *fail != RAISE {
                targets(fail);
            }
        };
        match self {
            Instr::Enter { .. }
            | Instr::EndTry
            | Instr::IfClause
            | Instr::Accept
            | Instr::Mark { .. } => {}
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
                read_context(*context, uses);
                uses(size);
                defines(*dst);
                fail_to(fail);
            }
            Instr::BitsSkip { context, size, fail, .. } => {
                read_context(*context, uses);
                uses(size);
                fail_to(fail);
            }
            Instr::BitsEnd { context, fail } => {
                read_context(*context, uses);
                fail_to(fail);
            }
            Instr::BitsRest { context, dst } => {
                read_context(*context, uses);
                defines(*dst);
            }
            Instr::Jump { to } => targets(to),
            Instr::Call { at, len, .. }
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
            Instr::TailCall { len, .. } | Instr::TailImport { len, .. } => {
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
fn read_context(context: Slot, uses: &mut dyn FnMut(&mut Use)) {
    uses(&mut Use::of(context));
    uses(&mut Use::of(Slot(context.0 + 1)));
}
