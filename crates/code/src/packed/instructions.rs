//! Instructions as bytes: a number for the kind, then the operands in the order in which they are
//! listed here. The same for what else a module consists of.

use atom::Atom;

use super::bytes::{Names, Reader, Writer};
use crate::instr::{
    ArithOp, BitsPart, BitsSize, BitsType, CompareOp, Endian, Failure, Instr, Mark, Slot, TypeTest,
    UnaryOp, Use,
};
use crate::module::{ClosureCode, Mfa};

/// Where operands are written to.
pub(super) struct Out<'a> {
    pub(super) writer: &'a mut Writer,
    pub(super) names: &'a mut Names,
}

/// Where they are read from.
pub(super) struct In<'a> {
    pub(super) reader: Reader,
    pub(super) names: &'a [Atom],
}

/// Part of an instruction.
pub(super) trait Operand: Copy {
    fn write(self, out: &mut Out<'_>);
    fn read(from: &mut In<'_>) -> Self;
}

macro_rules! numbers {
    ($write:ident as $as:ident: $($ty:ident)*) => {
        $(impl Operand for $ty {
            fn write(self, out: &mut Out<'_>) {
                out.writer.$write($as::from(self));
            }

            #[inline]
            fn read(from: &mut In<'_>) -> $ty {
                from.reader.$write() as $ty
            }
        })*
    };
}

numbers!(number as u64: u8 u16);
numbers!(signed as i64: i16 i32 i64);

impl Operand for u32 {
    /// Most are addresses, of which the highest, [`RAISE`](crate::instr::RAISE), is frequent: it
    /// becomes the lowest.
    fn write(self, out: &mut Out<'_>) {
        out.writer.number(u64::from(self.wrapping_add(1)));
    }

    #[inline]
    fn read(from: &mut In<'_>) -> u32 {
        (from.reader.number() as u32).wrapping_sub(1)
    }
}

impl Operand for bool {
    fn write(self, out: &mut Out<'_>) {
        u8::from(self).write(out);
    }

    fn read(from: &mut In<'_>) -> bool {
        u8::read(from) != 0
    }
}

impl Operand for Atom {
    fn write(self, out: &mut Out<'_>) {
        let number = out.names.number_of(self);
        out.writer.number(u64::from(number));
    }

    #[inline]
    fn read(from: &mut In<'_>) -> Atom {
        let number = from.reader.size();
        from.names.get(number).copied().unwrap_or(atom::known::EMPTY)
    }
}

impl Operand for Slot {
    fn write(self, out: &mut Out<'_>) {
        self.0.write(out);
    }

    #[inline]
    fn read(from: &mut In<'_>) -> Slot {
        Slot(u16::read(from))
    }
}

impl Operand for Use {
    /// The bit of the last use comes lowest, so that the number is small.
    fn write(self, out: &mut Out<'_>) {
        (self.slot().0 << 1 | u16::from(self.is_last())).write(out);
    }

    #[inline]
    fn read(from: &mut In<'_>) -> Use {
        let number = u16::read(from);
        let mut read = Use::of(Slot(number >> 1));
        if number & 1 != 0 {
            read.mark_last();
        }
        read
    }
}

/// Kinds of something, each by its position in the list.
macro_rules! choices {
    ($($ty:ident { $($name:ident),* $(,)? })*) => {
        $(impl Operand for $ty {
            fn write(self, out: &mut Out<'_>) {
                let all = [$($ty::$name),*];
                // `match` sees to it that all are listed.
                match self { $($ty::$name)|* => {} }
                let number = all.iter().position(|one| *one == self).unwrap_or_default();
                out.writer.size(number);
            }

            #[inline]
            fn read(from: &mut In<'_>) -> $ty {
                let all = [$($ty::$name),*];
                all.get(from.reader.size()).copied().unwrap_or(all[0])
            }
        })*
    };
}

choices! {
    ArithOp {
        Add, Sub, Mul, Div, IntDiv, Rem, Band, Bor, Bxor, Bsl, Bsr, And, Or, Xor,
    }
    UnaryOp { Plus, Minus, Not, Bnot }
    CompareOp { Eq, Ne, Lt, Le, Gt, Ge, ExactEq, ExactNe }
    TypeTest {
        Atom, Binary, Bitstring, Boolean, Float, Function, Integer, List, Map, Number, Pid, Port,
        Reference, Tuple, Cons,
    }
    Failure {
        BadMatch, CaseClause, TryClause, ElseClause, BadRecord, BadGenerator, BadFilter,
        BadBoolean, BadMap, Plain,
    }
    Mark { Reached, Chosen, Matched, True, False }
    BitsType { Integer, Float, Bits, Utf8, Utf16, Utf32 }
    Endian { Big, Little, Native }
}

impl Operand for BitsSize {
    fn write(self, out: &mut Out<'_>) {
        match self {
            BitsSize::Rest => 0u8.write(out),
            BitsSize::Computed => 1u8.write(out),
            BitsSize::Fixed(bits) => {
                2u8.write(out);
                bits.write(out);
            }
        }
    }

    fn read(from: &mut In<'_>) -> BitsSize {
        match u8::read(from) {
            0 => BitsSize::Rest,
            1 => BitsSize::Computed,
            _ => BitsSize::Fixed(u32::read(from)),
        }
    }
}

/// Structures: one field after the other.
macro_rules! structures {
    ($($ty:ident { $($field:ident),* })*) => {
        $(impl Operand for $ty {
            fn write(self, out: &mut Out<'_>) {
                let $ty { $($field),* } = self;
                $($field.write(out);)*
            }

            fn read(from: &mut In<'_>) -> $ty {
                $ty { $($field: Operand::read(from)),* }
            }
        })*
    };
}

structures! {
    BitsPart { ty, signed, endian, unit, size }
    Mfa { module, name, arity }
    ClosureCode { function, arity, index }
}

impl<A: Operand, B: Operand> Operand for (A, B) {
    fn write(self, out: &mut Out<'_>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut In<'_>) -> (A, B) {
        (A::read(from), B::read(from))
    }
}

/// All instructions with their operands.
macro_rules! instructions {
    ($($name:ident $({ $($operand:ident),* })?),* $(,)?) => {
        #[repr(u8)]
        enum Opcode { $($name),* }

        impl Operand for Instr {
            fn write(self, out: &mut Out<'_>) {
                match self {
                    $(Instr::$name $({ $($operand),* })? => {
                        (Opcode::$name as u8).write(out);
                        $($($operand.write(out);)*)?
                    })*
                }
            }

            #[allow(
                non_upper_case_globals,
                reason = "patterns with the names of what they stand for"
            )]
            fn read(from: &mut In<'_>) -> Instr {
                $(const $name: u8 = Opcode::$name as u8;)*
                match u8::read(from) {
                    $($name => Instr::$name $({ $($operand: Operand::read(from)),* })?,)*
                    // A writer wrote none of these.
                    _ => Instr::Unfinished,
                }
            }
        }
    };
}

instructions! {
    Unfinished,
    Enter { size },
    Move { dst, src },
    LoadInt { dst, value },
    LoadAtom { dst, atom },
    LoadNil { dst },
    LoadConst { dst, index },
    Move2 { dst1, src1, dst2, src2 },
    Move3 { dst1, src1, dst2, src2, dst3, src3 },
    Drop { slot },
    Cons { dst, head, tail },
    List { dst, at, len },
    Tuple { dst, at, len },
    MapNew { dst, at, len },
    MapPut { dst, map, key, value, fail },
    MapUpdate { dst, map, key, value, fail },
    Closure { dst, at, len, index },
    ExternalFun { dst, index },
    BitsBuild { at, part, len, sizes, fail },
    SetElement { dst, tuple, index, value },
    Arith { op, dst, a, b, fail },
    ArithInt { op, dst, a, value, fail },
    AddInt { dst, a, value, fail },
    SubInt { dst, a, value, fail },
    Unary { op, dst, a, fail },
    Compare { op, dst, a, b },
    TypeTestValue { test, dst, a },
    Branch { op, a, b, fail },
    BranchInt { op, a, value, fail },
    IsAtom { a, atom, fail },
    IsInt { a, value, fail },
    IsNil { a, fail },
    IsConst { a, index, fail },
    TypeTest { test, a, fail },
    IsBoolean { a, other, fail },
    IsTuple { a, len, fail },
    IsTagged { a, len, tag, fail },
    GetCons { a, head, tail, fail },
    CaseList { a, head, tail, cons, fail },
    GetElement { dst, a, index },
    MapGet { dst, map, key, fail },
    SwitchAtom { a, index, fail },
    SwitchInt { a, index, fail },
    BitsStart { a, context, fail },
    BitsGet { context, part, size, dst, fail },
    BitsSkip { context, part, size, fail },
    BitsEnd { context, fail },
    BitsRest { context, dst },
    Jump { to },
    Call { function, at, len },
    TailCall { function, len },
    CallImport { import, at, len },
    TailImport { import, len },
    CallBuiltin { builtin, at, len },
    GuardImport { import, at, len, fail },
    GuardBuiltin { builtin, at, len, fail },
    CallFun { at, len },
    TailFun { len },
    CallDynamic { at, len },
    TailDynamic { len },
    Return { src },
    ReturnInt { value },
    ReturnAtom { atom },
    ReturnCons { head, tail },
    ReturnTuple { at, len },
    Try { handler, at },
    EndTry,
    BeginContract { skip },
    EndContract,
    CallBody { function, at, len },
    TailBody { function, len },
    Reraise { at },
    CatchValue { dst, at },
    StackTrace { dst, src },
    Fail { failure, src },
    IfClause,
    FunctionClause { arity },
    Mark { mark },
    Show { src },
    Send { dst, to, message },
    SkipOlder { reference },
    Peek { dst, none },
    Accept,
    Skip { again },
    Wait { again },
    WaitTimeout { timeout, again },
}
