//! Values that a program knows itself: what it writes in patterns, guards and bodies.
//!
//! A branch that is hard to reach by chance often asks for a value that stands beside it. Gathered
//! from the trees of a function and of those that it calls, as far as they are in the program:
//! literals, terms without variables, and *templates*, patterns with holes where variables are.

use std::collections::BTreeSet;

use atom::Atom;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use program::index::NameArity;
use program::{LoadedModule, Program};
use rustc_hash::FxHashSet;
use syntax::ast::{Kind, Module, NodeId, NodeList, RecordName};

use crate::Input;
use crate::input::{Record, deeper};
use crate::text;

/// A pattern of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    /// Anything.
    Hole,
    /// Anything, the same wherever this name is.
    Variable(Atom),
    Value(Input),
    Tuple(Vec<Template>),
    /// Elements, and what is behind the last.
    List(Vec<Template>, Box<Template>),
    /// Keys that are values.
    Map(Vec<(Input, Template)>),
    /// Bytes that it begins with; anything may follow.
    Prefix(Vec<u8>),
}

/// What a program, or a part of it, writes itself. Everything sorted.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    pub integers: Vec<BigInt>,
    pub atoms: Vec<Atom>,
    /// Other values: floats, strings, binaries, terms with parts.
    pub values: Vec<Input>,
    /// Patterns with holes.
    pub templates: Vec<Template>,
    /// Native records, with no fields if their definitions are not in the program.
    pub records: Vec<Record>,
    /// Small numbers, as lengths.
    pub lengths: Vec<usize>,
    /// Characters that the program writes, alone or in strings.
    pub characters: Vec<u8>,
}

#[derive(Default)]
struct Gathered {
    integers: BTreeSet<BigInt>,
    atoms: BTreeSet<Atom>,
    values: BTreeSet<Input>,
    templates: BTreeSet<Template>,
    records: BTreeSet<Record>,
}

/// Numbers up to here may be meant as lengths.
const LONGEST: usize = 200;

impl Constants {
    /// Nothing is known.
    pub fn none() -> Constants {
        Constants::default()
    }

    pub fn is_empty(&self) -> bool {
        self.integers.is_empty() && self.atoms.is_empty() && self.values.is_empty()
    }

    /// What two programs write.
    #[must_use]
    pub fn and(self, other: Constants) -> Constants {
        fn joined<T: Ord>(mut ours: Vec<T>, theirs: Vec<T>) -> Vec<T> {
            ours.extend(theirs);
            ours.sort();
            ours.dedup();
            ours
        }
        Constants {
            integers: joined(self.integers, other.integers),
            atoms: joined(self.atoms, other.atoms),
            values: joined(self.values, other.values),
            templates: joined(self.templates, other.templates),
            records: joined(self.records, other.records),
            lengths: joined(self.lengths, other.lengths),
            characters: joined(self.characters, other.characters),
        }
    }

    /// What all functions of a tree write.
    pub fn of_module(tree: &Module) -> Constants {
        let mut gathered = Gathered::default();
        for &form in &tree.forms {
            if let Kind::Function { .. } = tree.kind(form) {
                gathered.look(tree, form);
            }
        }
        gathered.done()
    }

    /// What functions and those that they lead to write.
    pub fn of_functions(program: &Program, functions: &[(Atom, NameArity)]) -> Constants {
        let mut gathered = Gathered::default();
        for (module, form) in led_to(program, functions) {
            gathered.look(&module.tree, form);
            gathered.native_records(module);
        }
        gathered.done()
    }
}

/// The forms of functions, and of those of the program that they name, and so on.
pub fn led_to<'p>(
    program: &'p Program,
    functions: &[(Atom, NameArity)],
) -> Vec<(&'p LoadedModule, NodeId)> {
    let mut found = Vec::new();
    let mut open = functions.to_vec();
    let mut seen: FxHashSet<(Atom, NameArity)> = open.iter().copied().collect();
    while let Some((name, function)) = open.pop() {
        let Some(module) = program.module(name) else { continue };
        let Some(&form) = module.index.functions.get(function) else { continue };
        found.push((module, form));
        calls(&module.tree, form, &mut |remote, called| {
            let target = (remote.unwrap_or(name), called);
            if seen.insert(target) {
                open.push(target);
            }
        });
    }
    found
}

impl Gathered {
    fn done(self) -> Constants {
        let small = |value: &BigInt| value.to_usize().filter(|&value| value <= LONGEST);
        let character = |value: &BigInt| value.to_u8().filter(|&byte| is_character(byte));
        let mut characters: Vec<u8> = self.integers.iter().filter_map(character).collect();
        for value in &self.values {
            if let Input::List(elements, None) = value {
                let each = elements.iter().filter_map(|element| element.as_i64());
                let bytes = each.filter_map(|code| u8::try_from(code).ok());
                characters.extend(bytes.filter(|&byte| is_character(byte)));
            }
        }
        characters.sort_unstable();
        characters.dedup();
        Constants {
            characters,
            lengths: self.integers.iter().filter_map(small).collect(),
            integers: self.integers.into_iter().collect(),
            atoms: self.atoms.into_iter().collect(),
            values: self.values.into_iter().collect(),
            templates: self.templates.into_iter().collect(),
            records: self.records.into_iter().collect(),
        }
    }

    /// Gathers from a node and all below it.
    fn look(&mut self, tree: &Module, node: NodeId) {
        match tree.kind(node) {
            Kind::Clause { patterns, .. } => {
                for &pattern in tree.list(patterns) {
                    self.pattern(tree, pattern);
                }
                // The arguments of a function belong together.
                let all = tree.list(patterns).iter().map(|&pattern| template(tree, pattern));
                let all = Template::Tuple(all.collect());
                if says_something(&all) {
                    self.templates.insert(all);
                }
            }
            Kind::Match { pattern, .. } => self.pattern(tree, pattern),
            Kind::Generator { pattern, .. } => self.pattern(tree, pattern),
            // What is called is no value, and neither are names of fields.
            Kind::Call { callee, args } => {
                if let Kind::Remote { .. } | Kind::Atom(_) = tree.kind(callee) {
                    tree.list(args).iter().for_each(|&arg| deeper(|| self.look(tree, arg)));
                    return;
                }
            }
            Kind::BinSpec { .. } => return,
            _ => {}
        }
        if let Some(value) = text::value(tree, node) {
            self.value(value);
        }
        tree.for_each_child(node, |child| deeper(|| self.look(tree, child)));
    }

    fn pattern(&mut self, tree: &Module, pattern: NodeId) {
        self.template(template(tree, pattern));
    }

    /// A template, and what is inside of it.
    fn template(&mut self, template: Template) {
        match &template {
            Template::Tuple(parts) | Template::List(parts, _) => {
                parts.iter().for_each(|part| self.template(part.clone()));
            }
            Template::Map(fields) => {
                fields.iter().for_each(|(_, part)| self.template(part.clone()));
            }
            _ => {}
        }
        if says_something(&template) {
            self.templates.insert(template);
        }
    }

    fn value(&mut self, value: Input) {
        match value {
            Input::Integer(value) => {
                self.integers.insert(value);
            }
            Input::Atom(atom) => {
                self.atoms.insert(atom);
            }
            Input::List(elements, _) if elements.is_empty() => {}
            other if other.is_more_than_data() => {}
            other => {
                self.values.insert(other);
            }
        }
    }

    fn native_records(&mut self, module: &LoadedModule) {
        for (name, record) in module.index.records.iter().filter(|(_, record)| record.native) {
            let fields = record.fields.iter();
            let fields = fields.map(|(field, _)| (*field, Input::integer(0))).collect();
            self.records.insert(Record { module: module.name, name, fields });
        }
    }
}

fn is_character(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r')
}

/// Whether a template is more than holes and less than a value.
fn says_something(template: &Template) -> bool {
    match template {
        Template::Hole | Template::Variable(_) | Template::Value(_) => false,
        Template::Prefix(bytes) => !bytes.is_empty(),
        Template::List(..) => true,
        Template::Map(fields) => !fields.is_empty(),
        Template::Tuple(elements) => {
            let is_open = |element| matches!(element, &Template::Hole | &Template::Variable(_));
            elements.iter().any(|element| !is_open(element)) || has_twice(elements)
        }
    }
}

/// Whether two of these are the same variable.
fn has_twice(elements: &[Template]) -> bool {
    let is_variable = |element: &Template| matches!(element, Template::Variable(_));
    let mut places = elements.iter().enumerate();
    places.any(|(place, element)| is_variable(element) && elements[..place].contains(element))
}

/// What a pattern says.
fn template(tree: &Module, pattern: NodeId) -> Template {
    if let Some(value) = text::value(tree, pattern) {
        return Template::Value(value);
    }
    let all = |list: NodeList| -> Vec<Template> {
        tree.list(list).iter().map(|&node| deeper(|| template(tree, node))).collect()
    };
    match tree.kind(pattern) {
        Kind::Tuple { elements } => Template::Tuple(all(elements)),
        Kind::List { elements, tail } => {
            let tail = tail.map_or(Template::Value(Input::NIL), |tail| template(tree, tail));
            Template::List(all(elements), Box::new(tail))
        }
        Kind::Map { base: None, fields } => {
            let fields = tree.list(fields).iter().filter_map(|&field| match tree.kind(field) {
                Kind::MapField { key, value, .. } => {
                    Some((text::value(tree, key)?, template(tree, value)))
                }
                _ => None,
            });
            Template::Map(fields.collect())
        }
        Kind::Record { base: None, name: RecordName::Local(name), fields } => {
            record(tree, name, fields)
        }
        Kind::Binary { elements } => Template::Prefix(prefix(tree, elements)),
        Kind::Var(name) if name.as_str() != "_" => Template::Variable(name),
        // Of two patterns for one value the one that says more.
        Kind::Match { pattern, value } => match template(tree, pattern) {
            Template::Hole | Template::Variable(_) => template(tree, value),
            found => found,
        },
        // `"abc" ++ Rest`
        Kind::BinaryOp { op: syntax::ast::BinaryOp::Append, left, right } => {
            match (text::value(tree, left), template(tree, right)) {
                (Some(Input::List(elements, None)), rest) => {
                    let elements = elements.into_iter().map(Template::Value).collect();
                    Template::List(elements, Box::new(rest))
                }
                _ => Template::Hole,
            }
        }
        _ => Template::Hole,
    }
}

/// The tuple of a record pattern.
fn record(tree: &Module, name: NodeId, given: NodeList) -> Template {
    let Kind::Atom(name) = tree.kind(name) else { return Template::Hole };
    let definition = tree.forms.iter().find_map(|&form| match tree.kind(form) {
        Kind::RecordAttribute { name: defined, fields, native: false }
            if tree.kind(defined) == Kind::Atom(name) =>
        {
            Some(fields)
        }
        _ => None,
    });
    let Some(definition) = definition else { return Template::Hole };
    let mut elements = vec![Template::Value(Input::Atom(name))];
    for &field in tree.list(definition) {
        let Kind::RecordFieldDef { name, .. } = tree.kind(field) else { continue };
        let value = tree.list(given).iter().find_map(|&given| match tree.kind(given) {
            Kind::RecordField { name: of, value } if tree.kind(of) == tree.kind(name) => {
                Some(template(tree, value))
            }
            _ => None,
        });
        elements.push(value.unwrap_or(Template::Hole));
    }
    Template::Tuple(elements)
}

/// The bytes that a binary pattern begins with.
fn prefix(tree: &Module, elements: NodeList) -> Vec<u8> {
    let segments = tree.list(elements);
    // As many segments as have a value together.
    let known = (0..=segments.len()).rev().find_map(|count| text::bits(tree, &segments[..count]));
    let Some(known) = known else { return Vec::new() };
    known.bytes()[..known.len() / 8].to_vec()
}

/// Calls `found` with every function that is named below a node: called, or as a fun.
pub fn calls(tree: &Module, node: NodeId, found: &mut dyn FnMut(Option<Atom>, NameArity)) {
    tree.for_each_below(node, |node| match tree.kind(node) {
        Kind::Call { callee, args } => match tree.kind(callee) {
            Kind::Atom(name) => found(None, (name, args.len)),
            Kind::Remote { module, name } => {
                if let (Kind::Atom(module), Kind::Atom(name)) = (tree.kind(module), tree.kind(name))
                {
                    found(Some(module), (name, args.len));
                }
            }
            _ => {}
        },
        Kind::FunName { name, arity } => {
            if let Some(arity) = text::value(tree, arity).and_then(|arity| arity.as_i64()) {
                found(None, (name, arity as u32));
            }
        }
        _ => {}
    });
}
