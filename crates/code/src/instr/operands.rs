//! What instructions are about: slots, addresses, operators, segments of bit strings.

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
