//! What is known of library functions: how their results depend on the parts of their arguments.
//!
//! A model is a small Erlang text in `crates/slice/models`, one module for each module of the
//! library, one clause for each function. It does not compute anything: it says which part of which
//! argument is where in the result. What a function must find in its arguments in order to work at
//! all, however little of its result is asked for, it `need`s: a slice calls it with arguments of
//! which only that is left.
//!
//! | words | |
//! | --- | --- |
//! | `need(A, …)` | all of each is needed for the call |
//! | `either(A, …)` | one of them |
//! | `list(X)`, `list(X, T)` | a list of such elements, with such a tail |
//! | `item(L)`, `length(L)`, `nth(N, L)` | an element of a list; its length; that at a position |
//! | `bits(B)` | how long a binary is |
//! | `shape(X)` | the outermost constructor of a value |
//! | `element(I, N, T)`, `part(T)` | an element of a tuple of `N`; any element of any tuple |
//! | `element(1, list, L)` | the head, with 2 the tail |
//! | `at(N, T)`, `put_at(N, T, X)` | the element with this number; with another one there |
//! | `tuple(X)`, `map(X)` | a tuple, a map, of such values |
//! | `get(K, M)`, `put(K, V, M)`, `without(K, M)` | under a key; with, without something there |
//! | `has(K, M)`, `keys(M)`, `value(M)` | whether there is a key; which there are; any value |
//! | `keep(K, X)`, `forget(K)`, `kept(K)` | what outlives the call: puts in, takes out, finds |
//! | `keep(first(T), X)` | the key is the first element of a tuple |
//! | `F(A, …)` | what a fun that is an argument gives |
//! | `{A, B}`, atoms, numbers | tuples; what depends on nothing |
//! | `V = A` | a name for it; it may be part of itself |
//!
//! Functions without a model are unknown code: results depend on all of all arguments. Cost: the
//! texts are read once for a program that uses this crate, and what they say is made for each call
//! anew.

use std::path::Path;
use std::sync::OnceLock;

use atom::Atom;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId, NodeList};
use syntax::options::Options;
use syntax::source::NoFiles;
use syntax::token::Literal;

macro_rules! models {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../models/", $name, ".erl")))),*]
    };
}

const MODELS: &[(&str, &str)] = models![
    "array",
    "dict",
    "erlang",
    "ets",
    "gb_sets",
    "gb_trees",
    "lists",
    "maps",
    "orddict",
    "ordsets",
    "persistent_term",
    "proplists",
    "queue",
    "sets"
];

macro_rules! words {
    ($($name:ident = $text:literal / $least:literal ..= $most:literal),* $(,)?) => {
        /// What a model says of its parts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Word { $($name),* }
        impl Word {
            fn read(text: &str, arity: usize) -> Option<Word> {
                match text {
                    $($text if ($least..=$most).contains(&arity) => Some(Word::$name),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    At = "at" / 2..=2,
    Bits = "bits" / 1..=1,
    Either = "either" / 1..=9,
    Element = "element" / 3..=3,
    Get = "get" / 2..=2,
    Has = "has" / 2..=2,
    First = "first" / 1..=1,
    Forget = "forget" / 1..=1,
    Item = "item" / 1..=1,
    Keep = "keep" / 2..=2,
    Kept = "kept" / 1..=1,
    Keys = "keys" / 1..=1,
    Length = "length" / 1..=1,
    List = "list" / 1..=2,
    Map = "map" / 1..=1,
    Nth = "nth" / 2..=2,
    Part = "part" / 1..=1,
    Put = "put" / 3..=3,
    PutAt = "put_at" / 3..=3,
    Shape = "shape" / 1..=1,
    Tuple = "tuple" / 1..=1,
    Value = "value" / 1..=1,
    Without = "without" / 2..=2,
}

/// A part of what a model says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Argument(usize),
    Local(usize),
    /// What depends on nothing.
    Nothing,
    Number(u32),
    Call(usize, Vec<Part>),
    Word(Word, Vec<Part>),
    Tuple(Vec<Part>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Name(usize, Part),
    Need(Vec<Part>),
    /// Something that happens.
    Do(Part),
}

/// What is known of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Model {
    pub(crate) steps: Vec<Step>,
    /// How many names there are.
    pub(crate) locals: usize,
}

type Models = FxHashMap<(Atom, Atom, usize), Model>;

/// The model of a function.
pub(crate) fn of(module: Atom, name: Atom, arity: usize) -> Option<&'static Model> {
    static ALL: OnceLock<Models> = OnceLock::new();
    ALL.get_or_init(|| all().0).get(&(module, name, arity))
}

/// All models, and what is wrong with their texts.
fn all() -> (Models, Vec<String>) {
    let mut found = Models::default();
    let mut wrong = Vec::new();
    for (module, text) in MODELS {
        let path = format!("{module}.erl");
        let options = Options::default();
        let bytes = text.as_bytes().to_vec();
        let tree = syntax::read_module_bytes(Path::new(&path), bytes, &NoFiles, &options);
        wrong.extend(tree.diagnostics.iter().map(|found| format!("{module}: {}", found.message)));
        for &form in &tree.forms {
            let Kind::Function { name, arity, clauses } = tree.kind(form) else { continue };
            let mut reader = Reader { tree: &tree, arguments: Vec::new(), locals: Vec::new() };
            match reader.function(clauses) {
                Some(model) => {
                    found.insert((Atom::new(module), name, arity as usize), model);
                }
                None => wrong.push(format!("{module}:{name}/{arity}")),
            }
        }
    }
    (found, wrong)
}

struct Reader<'t> {
    tree: &'t Module,
    arguments: Vec<Atom>,
    locals: Vec<Atom>,
}

impl Reader<'_> {
    fn function(&mut self, clauses: NodeList) -> Option<Model> {
        let &[clause] = self.tree.list(clauses) else { return None };
        let Kind::Clause { patterns, body, .. } = self.tree.kind(clause) else { return None };
        for &pattern in self.tree.list(patterns) {
            let Kind::Var(name) = self.tree.kind(pattern) else { return None };
            self.arguments.push(name);
        }
        let mut steps = Vec::new();
        for &step in self.tree.list(body) {
            steps.push(self.step(step)?);
        }
        Some(Model { steps, locals: self.locals.len() })
    }

    fn step(&mut self, node: NodeId) -> Option<Step> {
        match self.tree.kind(node) {
            Kind::Match { pattern, value } => {
                let Kind::Var(name) = self.tree.kind(pattern) else { return None };
                let local = self.local(name);
                Some(Step::Name(local, self.part(value)?))
            }
            Kind::Call { callee, args }
                if self.tree.kind(callee) == Kind::Atom(Atom::new("need")) =>
            {
                Some(Step::Need(self.parts(args)?))
            }
            _ => Some(Step::Do(self.part(node)?)),
        }
    }

    fn local(&mut self, name: Atom) -> usize {
        let known = self.locals.iter().position(|local| *local == name);
        known.unwrap_or_else(|| {
            self.locals.push(name);
            self.locals.len() - 1
        })
    }

    fn parts(&mut self, nodes: NodeList) -> Option<Vec<Part>> {
        self.tree.list(nodes).iter().map(|&node| self.part(node)).collect()
    }

    fn part(&mut self, node: NodeId) -> Option<Part> {
        Some(match self.tree.kind(node) {
            Kind::Var(name) => {
                let argument = self.arguments.iter().position(|argument| *argument == name);
                argument.map_or_else(|| Part::Local(self.local(name)), Part::Argument)
            }
            Kind::Atom(_) => Part::Nothing,
            Kind::Integer(id) => match self.tree.literal(id) {
                Literal::Integer(value) => Part::Number(u32::try_from(value).ok()?),
                _ => return None,
            },
            Kind::Tuple { elements } => Part::Tuple(self.parts(elements)?),
            Kind::Call { callee, args } => match self.tree.kind(callee) {
                Kind::Atom(name) => {
                    let args = self.parts(args)?;
                    Part::Word(Word::read(name.as_str(), args.len())?, args)
                }
                Kind::Var(name) => {
                    let fun = self.arguments.iter().position(|argument| *argument == name)?;
                    Part::Call(fun, self.parts(args)?)
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn all_models_are_understood() {
        let (models, wrong) = all();
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(models.len() > 100, "{}", models.len());
    }
}
