//! Which functions OTP 25 calls builtins: `erlang:system_info(snifs)` and `erlang:is_builtin/3`.
//!
//! What is native differs: the Machine has functions natively that are Erlang code in OTP, and
//! does without some builtins of OTP. Programs that ask (tools which tell code that they can trace,
//! compile or rename from code that they cannot) mean OTP's.

use code::module::Mfa;
use term::Term;

/// `module: name/arity ...`, further functions of the module indented on the lines that follow.
const TEXT: &str = include_str!("otp_bifs.txt");

/// Builtins that are instructions in the BEAM, and therefore not among the others.
const INSTRUCTIONS: &[(&str, u32)] = &[("apply", 2), ("apply", 3), ("yield", 0)];

fn functions() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    let mut module = "";
    TEXT.split_whitespace().filter_map(move |word| {
        if let Some(name) = word.strip_suffix(':') {
            module = name;
            return None;
        }
        let (name, arity) = word.rsplit_once('/')?;
        Some((module, name, arity.parse().ok()?))
    })
}

/// `[{Module, Name, Arity}]`.
pub(super) fn all() -> Term {
    let triple = |(module, name, arity): (&str, &str, u32)| {
        Term::tuple([Term::atom(module), Term::atom(name), Term::from(arity)])
    };
    Term::list(functions().map(triple).collect::<Vec<_>>())
}

pub(super) fn is_one(mfa: Mfa) -> bool {
    let wanted = (mfa.module.as_str(), mfa.name.as_str(), mfa.arity);
    let is_instruction = wanted.0 == "erlang" && INSTRUCTIONS.contains(&(wanted.1, wanted.2));
    is_instruction || functions().any(|function| function == wanted)
}

#[cfg(test)]
mod tests {
    use atom::Atom;

    use super::*;

    #[test]
    fn knows_them() {
        let is = |module, name, arity| {
            is_one(Mfa { module: Atom::new(module), name: Atom::new(name), arity })
        };
        assert!(
            is("erlang", "/", 2) && is("erlang", "apply", 3) && is("unicode", "bin_is_7bit", 1)
        );
        assert!(!is("erlang", "apply", 4) && !is("lists", "map", 2) && !is("lists", "member", 3));
        assert_eq!(functions().count(), 505);
    }
}
