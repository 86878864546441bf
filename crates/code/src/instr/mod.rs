//! The instructions.
//!
//! Operands are slots of the current frame. A [`Use`] reads a slot and knows whether it is the last
//! to do so; a plain [`Slot`] is written. Ranges of slots (`at`, `len`) are consumed: the
//! instruction takes the values out. A call clobbers every slot from `at` on, and its result is
//! found in `at`.
//!
//! `fail` is where to go when a test does not hold or, in a guard, an operation cannot be done.
//! [`RAISE`] in its place means that an operation raises an exception.

mod effects;
mod operands;

use atom::Atom;

pub use effects::Effects;
pub use operands::{
    ArithOp, BitsPart, BitsSize, BitsType, CompareOp, Endian, Failure, MAX_SLOTS, Mark, Pc, RAISE,
    Slot, TypeTest, UnaryOp, Use,
};

// Four instructions in a line of the cache.
const _: () = assert!(size_of::<Instr>() == 16);

#[derive(Clone, Copy, Debug)]
pub enum Instr {
    /// Stands for all instructions of a function that has not run yet: the Machine is to finish it
    /// ([`Function::finish`](crate::module::Function::finish)) and go on with what is here then.
    Unfinished,
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
    /// What the node that the instruction was made for is, or is compared with: a structure that
    /// was built, or that a pattern is about to take apart, the base of an update, a key.
    Show {
        src: Use,
    },

    // ---- contracts ---------------------------------------------------------------------------
    /// What comes is a function's contract, until [`Instr::EndContract`]; inside of another
    /// contract it is passed over.
    BeginContract {
        skip: Pc,
    },
    EndContract,
    /// The body of the function that is running, whose contract looks at what it returns. The
    /// same function as far as anybody can see.
    CallBody {
        function: u32,
        at: Slot,
        len: u8,
    },
    /// The same in the place of the function.
    TailBody {
        function: u32,
        len: u8,
    },

    // ---- messages ----------------------------------------------------------------------------
    Send {
        dst: Slot,
        to: Use,
        message: Use,
    },
    /// A `receive` begins that takes only messages with this value in them: if it is a reference,
    /// those that came before it was made need not be looked at.
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
