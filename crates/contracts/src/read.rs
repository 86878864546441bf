//! Contracts out of a module: attributes, the macros of `edbc.hrl` ([`crate::edbc`]), and specs.
//!
//! | attribute | what its text gives |
//! |---|---|
//! | `-pre("f(X, _) -> X > 0").` | whether `f/2` may be called so |
//! | `-post("f(X, _) = R -> R >= X").` | whether it may return that |
//! | `-decreases("f(X, _) -> X").`, `-sdecreases(…)` | what does not go up inside, or goes down |
//! | `-expected_time("f(L, _) -> length(L)").`, `-timeout(…)` | how many milliseconds it may take |
//! | `-pure(f/2).` | that it does nothing but give a value |
//! | `-invariant("#state{n = N} -> N >= 0").` | whether that may be the state of a behaviour |
//! | `-messages("cast(close, #state{open = Open}) -> Open").` | whether that may come then |
//! | `-processes`, `-table`, `-protocol` | see [`mod@crate::shared`] |
//!
//! Instead of a text `{f/2, check_f/2}` names a function of the module that is given the same; an
//! invariant names it alone. A list holds several. All of these are terms, which OTP's compiler
//! keeps as attributes of the module.

use atom::Atom;
use machine::contract::{Declared, Kind};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind as Node, Module, NodeId, SpecKind};
use syntax::token::Literal;

use crate::clauses::{Clauses, clauses};
use crate::{Arriving, Contract, Problem, Says, Wrong, edbc};

/// The contracts of a module, and what is wrong with those that are none.
#[derive(Clone, Default, Debug)]
pub struct Read {
    /// In the order of the text; their numbers are their places here.
    pub contracts: Vec<Contract>,
    pub problems: Vec<Problem>,
}

/// The kinds that attributes declare.
pub(crate) const KINDS: [Kind; 12] = [
    Kind::Pre,
    Kind::Post,
    Kind::Decreases,
    Kind::StrictlyDecreases,
    Kind::ExpectedTime,
    Kind::Timeout,
    Kind::Pure,
    Kind::Invariant,
    Kind::Messages,
    Kind::Processes,
    Kind::Table,
    Kind::Protocol,
];

/// What is known of a module while its contracts are read.
pub(crate) struct Reader<'m> {
    pub(crate) m: &'m Module,
    pub(crate) name: Atom,
    pub(crate) read: Read,
    /// Functions and where they are.
    pub(crate) functions: FxHashMap<(Atom, u32), NodeId>,
    pub(crate) behaviours: Vec<Atom>,
}

/// The contracts of a module. `with_macros` is the module as it is read where the macros of
/// `edbc.hrl` mean contracts, if it includes that. `specs`: those of its functions, too.
pub fn read(module: &Module, with_macros: Option<&Module>, specs: bool) -> Read {
    let mut reader = Reader::new(module);
    for &form in &module.forms {
        reader.attribute(form);
    }
    if let Some(with_macros) = with_macros {
        edbc::read(&mut reader, with_macros);
    }
    if specs {
        reader.specs();
    }
    let mut read = reader.read;
    read.contracts.sort_by(|a, b| {
        let place = |it: &Contract| (it.declared.line, it.declared.column);
        place(a).cmp(&place(b))
    });
    read.problems.sort();
    read
}

/// The name of a module.
pub(crate) fn name_of(module: &Module) -> Atom {
    let name = module.forms.iter().find_map(|&form| match module.kind(form) {
        Node::ModuleAttribute { name } => match module.kind(name) {
            Node::Atom(name) => Some(name),
            _ => None,
        },
        _ => None,
    });
    name.unwrap_or(Atom::new(""))
}

impl<'m> Reader<'m> {
    fn new(m: &'m Module) -> Reader<'m> {
        let mut functions = FxHashMap::default();
        let mut behaviours = Vec::new();
        for &form in &m.forms {
            match m.kind(form) {
                Node::Function { name, arity, .. } => {
                    functions.insert((name, arity), form);
                }
                Node::Attribute { name, values }
                    if matches!(name.as_str(), "behaviour" | "behavior") =>
                {
                    for &value in m.list(values) {
                        if let Node::Atom(name) = m.kind(value) {
                            behaviours.push(name);
                        }
                    }
                }
                _ => {}
            }
        }
        let name = name_of(m);
        Reader { m, name, read: Read::default(), functions, behaviours }
    }

    fn attribute(&mut self, form: NodeId) {
        let Node::Attribute { name, values } = self.m.kind(form) else { return };
        let Some(kind) = KINDS.iter().copied().find(|kind| kind.name() == name.as_str()) else {
            return;
        };
        for &value in self.m.list(values) {
            match self.m.kind(value) {
                Node::List { elements, tail: None } => {
                    for &element in self.m.list(elements) {
                        self.value(kind, element);
                    }
                }
                _ => self.value(kind, value),
            }
        }
    }

    pub(crate) fn problem(&mut self, m: &Module, at: NodeId, why: Wrong) {
        let loc = m.loc(at);
        self.read.problems.push(Problem { line: loc.line, column: loc.column, why });
    }

    /// One contract of an attribute.
    fn value(&mut self, kind: Kind, value: NodeId) {
        let m = self.m;
        match (kind, m.kind(value)) {
            (Kind::Processes | Kind::Table | Kind::Protocol, _) => self.shared(kind, value),
            (Kind::Pure, Node::NameArity { .. }) => {
                if let Some(about) = self.name_arity(value) {
                    self.add(kind, Some(about), value, Says::Itself);
                }
            }
            (Kind::Invariant, Node::NameArity { .. }) => match self.name_arity(value) {
                Some((name, 1)) => self.invariant(value, Says::Function(name, 1)),
                _ => self.problem(m, value, Wrong::Shape(kind)),
            },
            (Kind::Pure, _) => self.problem(m, value, Wrong::Shape(kind)),
            (Kind::Messages, Node::Tuple { .. }) => self.problem(m, value, Wrong::Shape(kind)),
            (_, Node::String(literal)) => {
                if let Literal::String(text) = m.literal(literal) {
                    let text = text.to_string();
                    self.text(kind, value, &text, false);
                }
            }
            (_, Node::Tuple { elements }) => {
                if let &[first, second] = m.list(elements) {
                    self.pair(kind, value, first, second);
                } else {
                    self.problem(m, value, Wrong::Shape(kind));
                }
            }
            _ => self.problem(m, value, Wrong::Shape(kind)),
        }
    }

    /// `{f/2, check_f/2}` or `{all, "f(X, Y) -> [X, Y]"}`
    fn pair(&mut self, kind: Kind, whole: NodeId, first: NodeId, second: NodeId) {
        let m = self.m;
        let is_measure = matches!(kind, Kind::Decreases | Kind::StrictlyDecreases);
        match (m.kind(first), m.kind(second)) {
            (Node::NameArity { .. }, Node::NameArity { .. }) if kind != Kind::Invariant => {
                let (Some(about), Some(checks)) = (self.name_arity(first), self.name_arity(second))
                else {
                    return;
                };
                if checks.1 != about.1 + u32::from(kind == Kind::Post) {
                    return self.problem(m, second, Wrong::Shape(kind));
                }
                self.add(kind, Some(about), whole, Says::Function(checks.0, checks.1));
            }
            (Node::Atom(all), Node::String(literal)) if is_measure && all.as_str() == "all" => {
                if let Literal::String(text) = m.literal(literal) {
                    let text = text.to_string();
                    self.text(kind, second, &text, true);
                }
            }
            _ => self.problem(m, whole, Wrong::Shape(kind)),
        }
    }

    /// A contract whose text is a string.
    fn text(&mut self, kind: Kind, at: NodeId, text: &str, each: bool) {
        let clauses = match clauses(text) {
            Ok(clauses) => clauses,
            Err(why) => return self.problem(self.m, at, why),
        };
        if clauses.has_result && kind != Kind::Post {
            return self.problem(self.m, at, Wrong::NoResult);
        }
        if clauses.has_result != (kind == Kind::Post) {
            return self.problem(self.m, at, Wrong::Shape(kind));
        }
        if kind == Kind::Messages {
            return self.messages(at, clauses);
        }
        let says = if each { Says::Each(clauses.text) } else { Says::Clauses(clauses.text) };
        match (kind, clauses.about) {
            (Kind::Invariant, None) => self.invariant(at, says),
            (Kind::Invariant, Some(_)) | (_, None) => {
                self.problem(self.m, at, Wrong::Shape(kind));
            }
            (_, Some(about)) => self.add(kind, Some(about), at, says),
        }
    }

    /// Which messages may come in which state.
    fn messages(&mut self, at: NodeId, clauses: Clauses) {
        let head = clauses.about.and_then(|(name, arity)| Arriving::of_head(name.as_str(), arity));
        match head {
            None => self.problem(self.m, at, Wrong::Shape(Kind::Messages)),
            Some(_) if self.behaviours.is_empty() => self.problem(self.m, at, Wrong::NoBehaviour),
            Some(arriving) => {
                self.add(Kind::Messages, None, at, Says::Arriving(arriving, clauses.text));
            }
        }
    }

    fn invariant(&mut self, at: NodeId, says: Says) {
        if self.behaviours.is_empty() {
            return self.problem(self.m, at, Wrong::NoBehaviour);
        }
        self.add(Kind::Invariant, None, at, says);
    }

    /// Name and arity of a function that is there; what is wrong is noted.
    pub(crate) fn name_arity(&mut self, node: NodeId) -> Option<(Atom, u32)> {
        let m = self.m;
        let Node::NameArity { name, arity } = m.kind(node) else { return None };
        let (Node::Atom(name), Node::Integer(arity)) = (m.kind(name), m.kind(arity)) else {
            return None;
        };
        let arity = integer(m.literal(arity)).and_then(|arity| u32::try_from(arity).ok())?;
        if !self.functions.contains_key(&(name, arity)) {
            self.problem(m, node, Wrong::NoFunction(name, arity));
            return None;
        }
        Some((name, arity))
    }

    pub(crate) fn add(&mut self, kind: Kind, about: Option<(Atom, u32)>, at: NodeId, says: Says) {
        let m = self.m;
        self.add_from(m, kind, about, at, says);
    }

    /// A contract that stands in `m`, which may be another reading of the module.
    pub(crate) fn add_from(
        &mut self,
        m: &Module,
        kind: Kind,
        about: Option<(Atom, u32)>,
        at: NodeId,
        says: Says,
    ) {
        if let Some((name, arity)) = about {
            if !self.functions.contains_key(&(name, arity)) {
                return self.problem(m, at, Wrong::NoFunction(name, arity));
            }
            if arity >= 255 {
                return self.problem(m, at, Wrong::TooMany(arity));
            }
        }
        let loc = m.loc(at);
        let file = m.file(m.span(at).file).path.display().to_string();
        let declared = Declared {
            kind,
            module: self.name.to_string(),
            function: about.map(|(name, arity)| (name.to_string(), arity)),
            file,
            line: loc.line,
            column: loc.column,
            text: shown(m, at, kind),
        };
        self.read.contracts.push(Contract { declared, about, says });
    }

    /// The specs of functions that are there.
    fn specs(&mut self) {
        let m = self.m;
        for &form in &m.forms {
            let Node::SpecAttribute { which: SpecKind::Spec, name, clauses, .. } = m.kind(form)
            else {
                continue;
            };
            let Node::Atom(name) = m.kind(name) else { continue };
            let arity = m.list(clauses).first().and_then(|&clause| spec_arity(m, clause));
            let Some(arity) = arity else { continue };
            if self.functions.contains_key(&(name, arity)) && arity < 255 {
                self.add(Kind::Spec, Some((name, arity)), form, Says::Itself);
            }
        }
    }
}

/// How many parameters a clause of a spec has.
fn spec_arity(m: &Module, clause: NodeId) -> Option<u32> {
    match m.kind(clause) {
        Node::FunType { args: Some(args), .. } => Some(args.len),
        Node::BoundedFunType { fun, .. } => spec_arity(m, fun),
        _ => None,
    }
}

/// A contract as it was written.
fn shown(m: &Module, at: NodeId, kind: Kind) -> String {
    let literal = match m.kind(at) {
        Node::String(literal) => Some(m.literal(literal)),
        _ => None,
    };
    match literal {
        Some(Literal::String(text)) => text.to_string(),
        _ if kind == Kind::Pure => "pure".to_owned(),
        _ => m.text(m.span(at)).split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// The value of a small integer.
pub(crate) fn integer(literal: &Literal) -> Option<i64> {
    match literal {
        Literal::Integer(value) => i64::try_from(value).ok(),
        _ => None,
    }
}
