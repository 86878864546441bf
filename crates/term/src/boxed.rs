//! Data that is rare enough to need no tag of its own.

use num_bigint::BigInt;

use crate::Foreign;
use crate::fun::Fun;
use crate::record::Record;

#[derive(Clone, Debug)]
pub enum Boxed {
    /// An integer outside the range of small ones, never inside.
    Big(BigInt),
    Fun(Fun),
    Foreign(Foreign),
    /// A native record.
    Record(Record),
}
