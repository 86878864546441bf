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
    "self"/0 => this_process,
    "display"/1 => display,
);

fn element(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args {
        [Term::Int(index), Term::Tuple(tuple)] if *index >= 1 && *index as usize <= tuple.len() => {
            Ok(tuple[*index as usize - 1].clone())
        }
        _ => badarg(),
    }
}

fn setelement(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args {
        [Term::Int(index), Term::Tuple(tuple), value]
            if *index >= 1 && *index as usize <= tuple.len() =>
        {
            let mut tuple = tuple.clone();
            tuple.make_mut()[*index as usize - 1] = value.clone();
            Ok(Term::Tuple(tuple))
        }
        _ => badarg(),
    }
}

fn hd(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args {
        [Term::Cons(cell)] => Ok(cell.head.clone()),
        _ => badarg(),
    }
}

fn tl(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args {
        [Term::Cons(cell)] => Ok(cell.tail.clone()),
        _ => badarg(),
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

fn this_process(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    Ok(Term::Pid(cx.p.pid))
}

fn display(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    cx.s.world.print(&format!("{:?}\n", args[0]));
    Ok(Term::TRUE)
}
