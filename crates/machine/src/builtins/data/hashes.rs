//! Portable hash values of terms.

use term::{Term, arith, hash};

use super::{Builtin, Fallible, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "phash2"/1 => |_, a| Ok(Term::from(hash::phash2(&a[0]) & 0x07FF_FFFF)),
    "phash2"/2 => phash2,
    "phash"/2 => phash,
);

/// A range of 1 to 2^32.
fn range(term: &Term) -> Fallible<u64> {
    let range = arith::to_bigint(term).and_then(|range| u64::try_from(range).ok());
    range.filter(|range| (1..=1 << 32).contains(range)).ok_or_else(bad)
}

fn phash2(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let range = range(&args[1])?;
    Ok(Term::from(u64::from(hash::phash2(&args[0])) % range))
}

fn phash(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let range = range(&args[1])?;
    Ok(Term::from(u64::from(hash::phash(&args[0])) % range + 1))
}
