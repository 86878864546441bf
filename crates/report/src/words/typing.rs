//! What is wrong by types, in one sentence each.

use atom::{Atom, quote};
use session::types::{Because, Type, Why};
use syntax::wording::counted;

/// The sentence, in a module whose own types need no name of it.
pub fn finding(why: &Why, module: Atom) -> String {
    let shown = |ty: &Type| shown(ty, module);
    let list = |types: &[Type]| types.iter().map(shown).collect::<Vec<String>>().join(", ");
    match why {
        Why::Call { module: of, function: (name, arity), args, bad } => {
            let called = function_name(*of, *name, *arity, module);
            match bad {
                Some((place, expected)) => {
                    let (given, expected) = (shown(&args[*place]), shown(expected));
                    let which = which_argument(*place, args.len());
                    format!("{called} always fails here: {which} is {given}, expected {expected}")
                }
                None => format!("{called} always fails for such arguments: {}", list(args)),
            }
        }
        Why::Fun { fun, args } => {
            let arguments = counted(args.len() as u64, "argument");
            match fun.parts().funs.is_some() {
                true => format!(
                    "this call always fails: {} is given {arguments}: {}",
                    shown(fun),
                    list(args)
                ),
                false => format!("this call always fails: {} is no fun", shown(fun)),
            }
        }
        Why::Operator { op, args } => match &args[..] {
            [left, right] => {
                format!("'{op}' always fails for {} and {}", shown(left), shown(right))
            }
            others => format!("'{op}' always fails for {}", list(others)),
        },
        Why::Match { value } => {
            format!("this match always fails: the value is {}", shown(value))
        }
        Why::Clause { values, guard: true } if values.is_empty() => {
            "the guard of this clause never holds".to_owned()
        }
        Why::Clause { values, guard: true } => {
            format!("the guard of this clause never holds for {}", list(values))
        }
        Why::Clause { values, guard: false } => {
            format!("this clause never matches {}", list(values))
        }
        Why::Covered => "this clause is never reached: those before it take everything".to_owned(),
        Why::NoReturn { function: (name, arity) } => {
            format!("{}/{arity} never returns", quote::atom(name.as_str()))
        }
        Why::SpecArgument { place, declared, inferred, by_specs } => format!(
            "the spec says that argument {} is {}, but {} function returns only for {}",
            place + 1,
            shown(declared),
            by(*by_specs, "the"),
            shown(inferred)
        ),
        Why::SpecResult { declared, inferred, by_specs } => format!(
            "the spec says that the result is {}, but {} is {}",
            shown(declared),
            by(*by_specs, "it"),
            shown(inferred)
        ),
        Why::SpecCallback { behaviour, place, declared, wanted } => {
            let what = match place {
                Some(place) => format!("argument {}", place + 1),
                None => "the result".to_owned(),
            };
            let behaviour = quote::atom(behaviour.as_str());
            format!(
                "the spec says that {what} is {}, but for {behaviour} it is {}",
                shown(declared),
                shown(wanted)
            )
        }
        Why::Callback { behaviour, place, inferred, wanted } => {
            let (inferred, wanted) = (shown(inferred), shown(wanted));
            let behaviour = quote::atom(behaviour.as_str());
            match place {
                Some(place) => format!(
                    "{behaviour} gives this callback {wanted} as argument {}, but it returns only \
                     for {inferred}",
                    place + 1
                ),
                None => format!(
                    "{behaviour} expects {wanted} of this callback, but it gives {inferred}"
                ),
            }
        }
        Why::Field { record, field, declared, given } => format!(
            "field {} of #{}{{}} is declared as {}, but is given {}",
            quote::atom(field.as_str()),
            quote::atom(record.as_str()),
            shown(declared),
            shown(given)
        ),
        Why::Missing { module: of, function: (name, arity) } => {
            let (of, name) = (quote::atom(of.as_str()), quote::atom(name.as_str()));
            format!("{of} does not export {name}/{arity}")
        }
        Why::Opaque { ty } => {
            format!("this looks into {}, which is opaque outside of its module", shown(ty))
        }
        Why::SpecClause { clause, by_specs } => format!(
            "{} function never returns for the arguments of clause {} of its spec",
            by(*by_specs, "the"),
            clause + 1
        ),
    }
}

/// What a place that belongs to a finding says.
pub fn because(why: &Because, module: Atom) -> String {
    let named = |(name, arity): &(Atom, u32)| format!("{}/{arity}", quote::atom(name.as_str()));
    match why {
        Because::Is(ty) => format!("this is {}", shown(ty, module)),
        Because::Fails => "this always fails".to_owned(),
        Because::Given { function, place, ty } => {
            let which = which_argument(*place, function.1 as usize);
            format!("{which} of {} is {} by its calls", named(function), shown(ty, module))
        }
        Because::Takes { function, place, ty } => {
            let which = which_argument(*place, function.1 as usize);
            format!("{} returns only if {which} is {}", named(function), shown(ty, module))
        }
        Because::Gives { function, result } => {
            format!("{} gives {}", named(function), shown(result, module))
        }
    }
}

/// What a sentence begins with that holds by specs of other functions.
fn by(by_specs: bool, word: &str) -> String {
    match by_specs {
        true => format!("by the specs of what it calls {word}"),
        false => word.to_owned(),
    }
}

fn which_argument(place: usize, of: usize) -> String {
    match of {
        1 => "the argument".to_owned(),
        _ => format!("argument {}", place + 1),
    }
}

fn function_name(of: Atom, name: Atom, arity: u32, module: Atom) -> String {
    let name = quote::atom(name.as_str());
    match of == module {
        true => format!("{name}/{arity}"),
        false => format!("{}:{name}/{arity}", quote::atom(of.as_str())),
    }
}

fn shown(ty: &Type, module: Atom) -> String {
    ty.readable().abridged().shown_in(module)
}
