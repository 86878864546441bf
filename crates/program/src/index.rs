//! What a module defines and says about itself, found in one pass over its forms.
//!
//! Later tools look here instead of walking forms: which node is `f/1`, which fields has a record,
//! what is exported. A definition that occurs twice is kept as it occurs first (the lint reports
//! the second). Lookup is by hash; every table also keeps the order of the text, which is the only
//! order in which it can be walked.

use std::hash::Hash;

use atom::{Atom, known};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{ExportKind, Kind, Module, NodeId, NodeList, SpecKind, TypeKind};

use crate::lint::term::Term;

/// A name and a number of arguments.
pub type NameArity = (Atom, u32);

/// A hash table that is walked in the order in which it was filled.
#[derive(Clone, Debug)]
pub struct Table<K, V> {
    entries: Vec<(K, V)>,
    places: FxHashMap<K, u32>,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table { entries: Vec::new(), places: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, V> Table<K, V> {
    /// Adds an entry unless there is one.
    fn add(&mut self, key: K, value: V) {
        let next = self.entries.len() as u32;
        if *self.places.entry(key).or_insert(next) == next {
            self.entries.push((key, value));
        }
    }

    pub fn get(&self, key: K) -> Option<&V> {
        self.places.get(&key).map(|&place| &self.entries[place as usize].1)
    }

    pub fn contains(&self, key: K) -> bool {
        self.places.contains_key(&key)
    }

    /// In the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A record definition.
#[derive(Clone, Debug)]
pub struct Record {
    /// The `-record` form.
    pub form: NodeId,
    /// Names of the fields and their definitions ([`Kind::RecordFieldDef`]).
    pub fields: Vec<(Atom, NodeId)>,
    pub native: bool,
}

impl Record {
    /// Position of a field, from 0.
    pub fn field(&self, name: Atom) -> Option<usize> {
        self.fields.iter().position(|field| field.0 == name)
    }
}

/// A type definition.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    pub form: NodeId,
    pub which: TypeKind,
}

/// What a module defines.
#[derive(Clone, Debug, Default)]
pub struct ModuleIndex {
    /// As `-module` has it.
    pub name: Option<Atom>,
    pub functions: Table<NameArity, NodeId>,
    pub exports: Table<NameArity, NodeId>,
    /// `-compile(export_all)`, or `nowarn_export_all`'s companion on the command line.
    pub export_all: bool,
    /// Imported functions and the modules they are from.
    pub imports: Table<NameArity, Atom>,
    pub records: Table<Atom, Record>,
    pub types: Table<NameArity, Type>,
    pub exported_types: Table<NameArity, NodeId>,
    /// The `-spec` forms of this module's functions.
    pub specs: Table<NameArity, NodeId>,
    pub callbacks: Table<NameArity, NodeId>,
    pub optional_callbacks: Table<NameArity, NodeId>,
    pub behaviours: Table<Atom, NodeId>,
    /// All other attributes, `-compile` among them, in order.
    pub attributes: Vec<(Atom, NodeId)>,
    /// `-on_load(f/0)`
    pub on_load: Option<NameArity>,
    /// Parse transforms that the module asks for.
    pub parse_transforms: Vec<Atom>,
    no_auto_import: NoAutoImport,
}

#[derive(Clone, Debug, Default)]
enum NoAutoImport {
    #[default]
    Nothing,
    Everything,
    Only(FxHashSet<NameArity>),
}

impl ModuleIndex {
    /// Reads the forms of a module.
    pub fn of(module: &Module) -> ModuleIndex {
        let mut index = ModuleIndex::default();
        for &form in &module.forms {
            index.form(module, form);
        }
        index
    }

    /// Whether other modules can call a function: it is in `-export`, everything is exported, or
    /// the transform of EUnit's header exports it because it is a test.
    pub fn is_exported(&self, (name, arity): NameArity) -> bool {
        self.exports.contains((name, arity))
            || (self.export_all && self.functions.contains((name, arity)))
            || (name == known::MODULE_INFO && arity <= 1)
            || (self.exports_tests() && self.is_test(name, arity))
    }

    /// Whether the module includes EUnit's header in such a way that tests are exported.
    pub fn exports_tests(&self) -> bool {
        self.parse_transforms.iter().any(|name| name.as_str() == "eunit_autoexport")
    }

    /// Whether a function is a test (`*_test/0`) or gives tests (`*_test_/0`) by EUnit's naming.
    pub fn is_test(&self, name: Atom, arity: u32) -> bool {
        let name_fits = name.as_str().ends_with("_test") || name.as_str().ends_with("_test_");
        arity == 0 && name_fits && self.functions.contains((name, arity))
    }

    /// Whether a bare call of an automatically imported function is one of `erlang`'s.
    pub fn auto_imports(&self, function: NameArity) -> bool {
        match &self.no_auto_import {
            NoAutoImport::Nothing => true,
            NoAutoImport::Everything => false,
            NoAutoImport::Only(functions) => !functions.contains(&function),
        }
    }

    fn form(&mut self, module: &Module, form: NodeId) {
        match module.kind(form) {
            Kind::ModuleAttribute { name } => {
                self.name = self.name.or(atom_of(module, name));
            }
            Kind::Function { name, arity, .. } => self.functions.add((name, arity), form),
            Kind::ExportAttribute { which, names } => {
                let table = match which {
                    ExportKind::Functions => &mut self.exports,
                    ExportKind::Types => &mut self.exported_types,
                    ExportKind::OptionalCallbacks => &mut self.optional_callbacks,
                    ExportKind::Nifs | ExportKind::Records => return,
                };
                for (name, node) in name_arities(module, names) {
                    table.add(name, node);
                }
            }
            Kind::ImportAttribute { module: from, names } => {
                let Some(from) = atom_of(module, from) else { return };
                for (name, _) in name_arities(module, names.unwrap_or_default()) {
                    self.imports.add(name, from);
                }
            }
            Kind::RecordAttribute { name, fields, native } => {
                let Some(name) = atom_of(module, name) else { return };
                let fields = module.list(fields).iter().filter_map(|&field| {
                    let Kind::RecordFieldDef { name, .. } = module.kind(field) else { return None };
                    Some((atom_of(module, name)?, field))
                });
                self.records.add(name, Record { form, fields: fields.collect(), native });
            }
            Kind::TypeAttribute { which, name, params, .. } => {
                if let Some(name) = atom_of(module, name) {
                    self.types.add((name, params.len), Type { form, which });
                }
            }
            Kind::SpecAttribute { which, module: of, name, clauses } => {
                let other = of
                    .and_then(|of| atom_of(module, of))
                    .is_some_and(|of| self.name.is_some_and(|name| name != of));
                let arity = spec_arity(module, clauses);
                let (Some(name), Some(arity), false) = (atom_of(module, name), arity, other) else {
                    return;
                };
                match which {
                    SpecKind::Spec => self.specs.add((name, arity), form),
                    SpecKind::Callback => self.callbacks.add((name, arity), form),
                }
            }
            Kind::Attribute { name, values } => self.attribute(module, form, name, values),
            _ => {}
        }
    }

    fn attribute(&mut self, module: &Module, form: NodeId, name: Atom, values: NodeList) {
        self.attributes.push((name, form));
        let first = module.list(values).first().copied();
        match name {
            known::BEHAVIOUR | known::BEHAVIOR => {
                if let Some(behaviour) = first.and_then(|value| atom_of(module, value)) {
                    self.behaviours.add(behaviour, form);
                }
            }
            known::COMPILE => {
                for &value in module.list(values) {
                    Term::of(module, value).flatten().into_iter().for_each(|o| self.option(o));
                }
            }
            known::ON_LOAD => {
                let function = first.and_then(|value| Term::of(module, value).as_name_arity());
                self.on_load = self.on_load.or(function);
            }
            _ => {}
        }
    }

    /// One option of a `-compile` attribute.
    fn option(&mut self, option: &Term) {
        match option.as_pair() {
            None if option.is("export_all") => self.export_all = true,
            None if option.is("no_auto_import") => {
                self.no_auto_import = NoAutoImport::Everything;
            }
            Some((tag, value)) if tag.as_str() == "no_auto_import" => {
                let functions = value.flatten().into_iter().filter_map(Term::as_name_arity);
                match &mut self.no_auto_import {
                    NoAutoImport::Everything => {}
                    NoAutoImport::Only(known) => known.extend(functions),
                    nothing => *nothing = NoAutoImport::Only(functions.collect()),
                }
            }
            Some((tag, value)) if tag.as_str() == "parse_transform" => {
                self.parse_transforms.extend(value.as_atom());
            }
            _ => {}
        }
    }
}

fn atom_of(module: &Module, node: NodeId) -> Option<Atom> {
    match module.kind(node) {
        Kind::Atom(atom) => Some(atom),
        _ => None,
    }
}

/// The `f/1`s of an attribute.
fn name_arities(module: &Module, names: NodeList) -> Vec<(NameArity, NodeId)> {
    let of = |node: NodeId| Term::of(module, node).as_name_arity().map(|name| (name, node));
    module.list(names).iter().filter_map(|&node| of(node)).collect()
}

fn spec_arity(module: &Module, clauses: NodeList) -> Option<u32> {
    let clause = *module.list(clauses).first()?;
    let fun = match module.kind(clause) {
        Kind::BoundedFunType { fun, .. } => fun,
        _ => clause,
    };
    match module.kind(fun) {
        Kind::FunType { args, .. } => Some(args?.len),
        _ => None,
    }
}
