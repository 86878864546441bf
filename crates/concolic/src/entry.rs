//! What is searched: a function, or a call with unknowns in it.

use atom::Atom;
use inputs::input::{BitString, Float, Input};
use inputs::text;
use solver::{ExprId, Exprs, VarId};
use term::{Term, View, arith};

/// A call whose variables are unknown: `m:f(X, [1 | Rest])`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub module: Atom,
    pub name: Atom,
    pub args: Vec<Input>,
    /// The names of the variables, which stand in the arguments as atoms.
    pub variables: Vec<String>,
}

/// What atoms begin with that stand for variables.
const MARK: &str = "$unknown ";

impl Call {
    /// A function: every argument is unknown.
    pub fn of_function(module: Atom, name: Atom, arity: u32) -> Call {
        let variables: Vec<String> = (1..=arity).map(|number| format!("X{number}")).collect();
        let args = variables.iter().map(|name| Input::atom(&format!("{MARK}{name}"))).collect();
        Call { module, name, args, variables }
    }

    /// Reads `m:f(X, [1 | Rest])`. What is wrong is said.
    pub fn read(call: &str) -> Result<Call, String> {
        let call = call.trim().trim_end_matches('.');
        let (head, args) = call.split_once('(').ok_or("it is no call")?;
        let (module, name) = head.split_once(':').ok_or("it names no module")?;
        let args = args.trim_end().strip_suffix(')').ok_or("it has no end")?;
        let (args, variables) = without_variables(args);
        let args = text::read(&format!("{{{args}}}")).map_err(|error| error.to_string())?;
        let Input::Tuple(args) = args else { return Err("it is no call".to_owned()) };
        let plain = |name: &str| Atom::new(name.trim().trim_matches('\''));
        Ok(Call { module: plain(module), name: plain(name), args, variables })
    }

    /// The arguments as expressions.
    pub fn exprs(&self, exprs: &mut Exprs) -> Vec<ExprId> {
        self.args.iter().map(|arg| self.expr(exprs, arg)).collect()
    }

    fn expr(&self, exprs: &mut Exprs, input: &Input) -> ExprId {
        match input {
            Input::Atom(atom) => {
                let name = atom.as_str().strip_prefix(MARK);
                let number = name.and_then(|name| self.variables.iter().position(|v| v == name));
                match number {
                    Some(number) => exprs.var(VarId(number as u32)),
                    None => exprs.constant(Term::from(*atom)),
                }
            }
            Input::Tuple(elements) => {
                let elements: Vec<ExprId> =
                    elements.iter().map(|element| self.expr(exprs, element)).collect();
                exprs.tuple(elements)
            }
            Input::List(elements, tail) => {
                let elements: Vec<ExprId> =
                    elements.iter().map(|element| self.expr(exprs, element)).collect();
                let tail = match tail {
                    Some(tail) => self.expr(exprs, tail),
                    None => exprs.nil(),
                };
                elements.into_iter().rev().fold(tail, |tail, head| exprs.cons(head, tail))
            }
            Input::Map(pairs) => {
                let mut map = exprs.constant(Term::map(term::Map::new()));
                for (key, value) in pairs {
                    let (key, value) = (self.expr(exprs, key), self.expr(exprs, value));
                    map = exprs.ternary(solver::Ternary::MapPut, key, value, map);
                }
                map
            }
            other => exprs.constant(other.on_paper()),
        }
    }
}

/// The text with atoms in the place of variables, and the names of these.
fn without_variables(text: &str) -> (String, Vec<String>) {
    let (mut out, mut names): (String, Vec<String>) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '\'' | '"' => quoted(rest, first),
            '$' => rest.chars().take(2).map(char::len_utf8).sum(),
            c if c.is_alphanumeric() || c == '_' => {
                let end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '@'));
                rest.find(end).unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        let (word, after) = rest.split_at(len);
        rest = after;
        if !(first.is_uppercase() || first == '_') {
            out.push_str(word);
            continue;
        }
        let name = match word {
            "_" => format!("_{}", names.len()),
            name => name.to_owned(),
        };
        if !names.contains(&name) {
            names.push(name.clone());
        }
        out.push_str(&format!("'{MARK}{name}'"));
    }
    (out, names)
}

/// The length of what is in quotes at the start of a text.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A term as an input, if it is data.
pub fn input_of(term: &Term) -> Option<Input> {
    input_with(term, &|_| None)
}

/// A term as an input, with what is said of its funs.
pub(crate) fn input_with(term: &Term, fun: &dyn Fn(&Term) -> Option<Input>) -> Option<Input> {
    let of = |term: &Term| input_with(term, fun);
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        Some(match term.view() {
            View::Atom(atom) => Input::Atom(atom),
            View::Tuple(elements) => Input::Tuple(elements.iter().map(of).collect::<Option<_>>()?),
            View::Cons(_) => {
                let mut elements = term.elements();
                let list: Option<Vec<Input>> = elements.by_ref().map(of).collect();
                match elements.rest().is_nil() {
                    true => Input::list(list?),
                    false => Input::list_with(list?, of(elements.rest())?),
                }
            }
            View::Map(map) => {
                let pairs = map.iter().map(|(key, value)| Some((of(key)?, of(value)?)));
                Input::map(pairs.collect::<Option<_>>()?)
            }
            View::Pid(pid) => Input::Process(pid.0 as u32),
            View::Ref(reference) => Input::Reference(reference.0 as u32),
            View::Port(port) => Input::Port(port.0 as u32),
            _ if term.as_fun().is_some() => fun(term)?,
            _ if term.is_nil() => Input::NIL,
            _ if term.is_integer() => Input::Integer(arith::to_bigint(term)?),
            _ if term.as_float().is_some() => Input::Float(Float::new(term.as_float()?)?),
            _ => {
                let bits = term.as_bits()?;
                Input::Bits(BitString::new(bits.padded_bytes(), bits.bit_len()))
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_in_calls_are_unknown() {
        let call =
            Call::read("m:f(X, [1, \"A'b\", $X | Rest], #{k => X, 'Y' => _})").expect("call");
        assert_eq!(call.variables, ["X", "Rest", "_2"]);
        let mut exprs = Exprs::new();
        let args = call.exprs(&mut exprs);
        assert_eq!(args.len(), 3);
        assert_eq!(exprs.vars(&args[1..2]), [VarId(1)]);
        assert_eq!(exprs.vars(&args[2..]), [VarId(0), VarId(2)]);
    }

    #[test]
    fn terms_are_inputs() {
        let term = Term::tuple([
            Term::int(1),
            Term::float(1.5),
            Term::improper([Term::atom("a")], Term::binary(b"b".to_vec())),
        ]);
        assert_eq!(
            input_of(&term).map(|input| input.to_string()).as_deref(),
            Some("{1, 1.5, [a | <<\"b\">>]}")
        );
    }
}
