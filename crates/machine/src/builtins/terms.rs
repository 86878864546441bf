//! `erlang:` functions on terms.

use term::{Term, arith};

use super::{Builtin, Ctx, Return, badarg, builtins};

pub(super) const TABLE: &[Builtin] = builtins!("erlang", visible: false;
    "element"/2 => element,
    "hd"/1 => hd,
    "tl"/1 => tl,
    "length"/1 => length,
    "tuple_size"/1 => tuple_size,
    "abs"/1 => abs,
    "++"/2 => append,
    "setelement"/3 => setelement,
    "display"/1 => display,
);

/// The place (from 0) that `element/2` and its relatives mean.
fn place(index: &Term, tuple: &[Term]) -> Option<usize> {
    let index = usize::try_from(index.as_int()?).ok()?;
    (1..=tuple.len()).contains(&index).then(|| index - 1)
}

fn element(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[1].as_tuple().and_then(|tuple| Some(&tuple[place(&args[0], tuple)?])) {
        Some(element) => Ok(element.clone()),
        None => badarg(),
    }
}

fn setelement(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let place = args[1].as_tuple().and_then(|tuple| place(&args[0], tuple));
    match (place, args[1].clone().into_tuple()) {
        (Some(place), Ok(mut tuple)) => {
            std::rc::Rc::make_mut(&mut tuple)[place] = args[2].clone();
            Ok(tuple.into())
        }
        _ => badarg(),
    }
}

fn hd(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_cons() {
        Some(cell) => Ok(cell.head.clone()),
        None => badarg(),
    }
}

fn tl(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_cons() {
        Some(cell) => Ok(cell.tail.clone()),
        None => badarg(),
    }
}

fn length(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].list_len() {
        Some(len) => Ok(Term::from(len)),
        None => badarg(),
    }
}

fn tuple_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_tuple() {
        Some(tuple) => Ok(Term::from(tuple.len())),
        None => badarg(),
    }
}

fn abs(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match arith::abs(&args[0]) {
        Some(value) => Ok(value),
        None => badarg(),
    }
}

fn append(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].to_vec() {
        Some(elements) => Ok(Term::improper(elements, args[1].clone())),
        None => badarg(),
    }
}

fn display(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    cx.s.world.print(&format!("{:?}\n", args[0]));
    Ok(Term::TRUE)
}
