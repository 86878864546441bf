//! Values that are known by a reference and can be changed: ciphers in progress
//! (`crypto:crypto_init/4`).
//!
//! One that nobody refers to any more stays until the end of the run: references are not counted.

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;
use term::{Ref, Term};

use super::super::{Ctx, Return, badarg};

pub(crate) type Cells = GenericOrdMap<Ref, Term, RcK>;

/// `cell(Value) -> Reference`
pub(super) fn new(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let id = cx.s.new_ref();
    cx.s.host.cells.insert(id, args[0].clone());
    Ok(Term::from(id))
}

/// `cell_value(Reference)`: `undefined`, if it is none.
pub(super) fn value(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let value = args[0].as_ref().and_then(|id| cx.s.host.cells.get(&id));
    Ok(value.cloned().unwrap_or(Term::UNDEFINED))
}

/// `set_cell(Reference, Value)`
pub(super) fn set(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_ref().and_then(|id| cx.s.host.cells.get_mut(&id)) {
        Some(value) => {
            *value = args[1].clone();
            Ok(Term::OK)
        }
        None => badarg(),
    }
}
