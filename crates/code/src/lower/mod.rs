//! Syntax tree to code.
//!
//! One pass over each function. A variable has one slot in the whole clause that it occurs in (as
//! in the language, where branches of a `case` may bind the same variable and use it afterwards);
//! temporaries are taken from a stack above the variables. Funs and the generators of
//! comprehensions become functions of their own, named and counted as OTP's compiler does, because
//! stack traces show them.
//!
//! The tree must be free of errors (the lint has passed); what is met nevertheless is reported as
//! [`Unsupported`], never guessed.

mod behaviour;
mod bits;
mod builder;
mod clauses;
mod comprehension;
pub mod contract;
mod expr;
mod fun;
mod guard;
mod literal;
mod map;
mod native;
mod operands;
mod pattern;
mod places;
mod record;
mod scope;
mod try_receive;

use atom::{Atom, known};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{ExportKind, Kind, Module, NodeId, NodeList};
use syntax::token::Literal;
use term::Term;

use crate::digest::digest;
use crate::instr::{Failure, Instr, Mark, Slot, Use};
use crate::module::{Function, Mfa, ModuleCode};
use builder::FnBuilder;

/// Something that cannot be lowered, and where it is.
#[derive(Clone, Debug)]
pub struct Unsupported {
    pub node: NodeId,
    pub message: String,
}

type Result<T> = std::result::Result<T, Unsupported>;

/// How a module is lowered.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// Put a [`Mark`](Instr::Mark) at every expression, clause and condition, and a
    /// [`Show`](Instr::Show) where a structure is built or taken apart, for who observes a run. The
    /// code does the same, and takes longer. Parts of a constant have no mark of their own.
    pub marks: bool,
    /// With marks: a [`Show`](Instr::Show) of the value of every expression but calls in tail
    /// position, and behind a pattern that fits of the variables in it.
    pub values: bool,
    /// Functions of the module that look at arguments and results of others are called
    /// ([`contract`]).
    pub contracts: bool,
    /// Export all functions, as the compiler's option says.
    pub export_all: bool,
}

/// A record definition.
struct RecordDef {
    fields: Fields,
}

/// Name of each field of a record, and its default value.
type Fields = Vec<(Atom, Option<NodeId>)>;

struct Lowerer<'m> {
    m: &'m Module,
    options: Options,
    /// Nodes whose values are shown, whatever the options say.
    shown: &'m [NodeId],
    code: ModuleCode,
    records: FxHashMap<Atom, RecordDef>,
    /// Native records of the module: index in `code.records`.
    natives: FxHashMap<Atom, usize>,
    /// `-export_record`
    exported_natives: FxHashSet<Atom>,
    /// `-import_record`: where a native record comes from.
    imported_natives: FxHashMap<Atom, Atom>,
    /// Functions of the module: index in `code.functions`.
    local: FxHashMap<(Atom, u32), u32>,
    /// `-import`: where a name comes from.
    imported: FxHashMap<(Atom, u32), Atom>,
    import_index: FxHashMap<Mfa, u32>,
    /// Numbers of the funs and generators of the current function.
    numbers: FxHashMap<NodeId, u32>,
    /// While they are given: the nodes that are still to be looked at, those of outer expressions
    /// first.
    to_number: Vec<NodeId>,
    /// The current function, if they were not given yet.
    unnumbered: Option<NodeId>,
    /// Where OTP says that the match that comes next fails, if not where it is.
    match_place: Option<NodeId>,
    /// Whether parts of the current function are functions of their own.
    has_parts: bool,
    /// How many generators and named funs of the current function were made into functions.
    lifted: u32,
    /// The function being made, innermost last: funs are made while their function is.
    building: Vec<FnBuilder>,
}

/// Makes the code of a module.
pub fn lower(module: &Module) -> std::result::Result<ModuleCode, Vec<Unsupported>> {
    lower_with(module, Options::default())
}

/// Makes the code of a module as the options say.
pub fn lower_with(
    module: &Module,
    options: Options,
) -> std::result::Result<ModuleCode, Vec<Unsupported>> {
    lower_showing(module, options, &[])
}

/// The same with a [`Show`](Instr::Show) of the values of some nodes, each once: of expressions,
/// and of the variables of a pattern behind it. The rest of the code is as fast as without.
pub fn lower_showing(
    module: &Module,
    options: Options,
    shown: &[NodeId],
) -> std::result::Result<ModuleCode, Vec<Unsupported>> {
    let lowerer = Lowerer {
        m: module,
        options,
        shown,
        code: ModuleCode::new(known::EMPTY),
        records: FxHashMap::default(),
        natives: FxHashMap::default(),
        exported_natives: FxHashSet::default(),
        imported_natives: FxHashMap::default(),
        local: FxHashMap::default(),
        imported: FxHashMap::default(),
        import_index: FxHashMap::default(),
        numbers: FxHashMap::default(),
        to_number: Vec::new(),
        unnumbered: None,
        has_parts: false,
        match_place: None,
        lifted: 0,
        building: Vec::new(),
    };
    lowerer.module()
}

impl<'m> Lowerer<'m> {
    fn module(mut self) -> std::result::Result<ModuleCode, Vec<Unsupported>> {
        let mut problems = Vec::new();
        let functions = self.collect_forms(&mut problems);
        for &id in &functions {
            if let Err(problem) = self.function(id) {
                self.building.clear();
                problems.push(problem);
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.behaviour_info();
        self.module_info();
        self.code.digest = digest(self.code.name, self.m);
        Ok(self.code)
    }

    /// `module_info/0` and `module_info/1`, which every module has.
    fn module_info(&mut self) {
        let name = self.code.name;
        let get = Atom::new("get_module_info");
        let (all, one) = (self.import(known::ERLANG, get, 1), self.import(known::ERLANG, get, 2));
        let (first, second) = (Slot(0), Slot(1));
        let load = Instr::LoadAtom { dst: first, atom: name };
        let bodies = [
            vec![load, Instr::TailImport { import: all, len: 1 }],
            vec![
                Instr::Move { dst: second, src: Use::of(first) },
                load,
                Instr::TailImport { import: one, len: 2 },
            ],
        ];
        let origin = self.m.forms.first().copied().unwrap_or(NodeId(0));
        for (arity, body) in bodies.into_iter().enumerate() {
            let mut instrs = vec![Instr::Enter { size: 2 }];
            instrs.extend(body);
            self.code.exports.push((known::MODULE_INFO, arity as u32));
            let origins = vec![origin; instrs.len()];
            let function = Function::lowered(known::MODULE_INFO, arity as u32, 2, instrs, origins);
            self.code.functions.push(function);
        }
    }

    /// Reads the attributes and gives every function its index.
    fn collect_forms(&mut self, problems: &mut Vec<Unsupported>) -> Vec<NodeId> {
        let mut functions = Vec::new();
        let mut export_all = self.options.export_all;
        for &form in &self.m.forms {
            match self.m.kind(form) {
                Kind::ModuleAttribute { name } => {
                    if let Kind::Atom(name) = self.m.kind(name) {
                        self.code.name = name;
                    }
                }
                Kind::ExportAttribute { which: ExportKind::Functions, names } => {
                    let names = self.names_and_arities(names);
                    self.code.exports.extend(names);
                }
                Kind::ImportAttribute { module, names: Some(names) } => {
                    if let Kind::Atom(module) = self.m.kind(module) {
                        for name in self.names_and_arities(names) {
                            self.imported.insert(name, module);
                        }
                    }
                }
                Kind::RecordAttribute { name, fields, native: false } => {
                    self.record_definition(name, fields);
                }
                Kind::RecordAttribute { name, fields, native: true } => {
                    problems.extend(self.native_definition(form, name, fields).err());
                }
                Kind::ExportAttribute { which: ExportKind::Records, names } => {
                    self.native_exports(names);
                }
                Kind::Attribute { name, values } if name.as_str() == "import_record" => {
                    self.native_imports(values);
                }
                Kind::Attribute { name, values } => {
                    export_all |= self.attribute(name, values);
                }
                Kind::Function { name, arity, .. } => {
                    self.local.insert((name, arity), functions.len() as u32);
                    functions.push(form);
                }
                Kind::FileAttribute { file, .. } => {
                    if let Kind::String(literal) = self.m.kind(file)
                        && let Literal::String(text) = self.m.literal(literal)
                    {
                        self.code.renamed.push((form, text.to_string().into()));
                    }
                }
                Kind::ErrorForm { diagnostic } => problems.push(Unsupported {
                    node: form,
                    message: self.m.diagnostics[diagnostic as usize].message.clone(),
                }),
                _ => {}
            }
        }
        self.finish_natives();
        if export_all {
            self.code.exports = self
                .m
                .forms
                .iter()
                .filter_map(|&form| match self.m.kind(form) {
                    Kind::Function { name, arity, .. } if !contract::is_of_contract(name) => {
                        Some((name, arity))
                    }
                    _ => None,
                })
                .collect();
        }
        let mut seen = FxHashSet::default();
        self.code.exports.retain(|export| seen.insert(*export));
        // Functions come first, in order, so that their indices are known; funs follow.
        for &form in &functions {
            if let Kind::Function { name, arity, .. } = self.m.kind(form) {
                self.code.functions.push(FnBuilder::placeholder(name, arity));
            }
        }
        functions
    }

    fn names_and_arities(&self, names: NodeList) -> Vec<(Atom, u32)> {
        let each = |&id: &NodeId| match self.m.kind(id) {
            Kind::NameArity { name, arity } => {
                let Kind::Atom(name) = self.m.kind(name) else { return None };
                let arity = self.constant(arity)?.as_int()?;
                Some((name, u32::try_from(arity).ok()?))
            }
            _ => None,
        };
        self.m.list(names).iter().filter_map(each).collect()
    }

    /// Keeps an attribute; says whether it asks to export everything.
    fn attribute(&mut self, name: Atom, values: NodeList) -> bool {
        let values: Vec<Term> =
            self.m.list(values).iter().filter_map(|&value| self.constant(value)).collect();
        let mut export_all = false;
        for value in &values {
            if name == known::COMPILE {
                let all = Atom::new("export_all");
                export_all |= value.is_atom(all) || value.elements().any(|e| e.is_atom(all));
            } else if name == known::ON_LOAD {
                // It is no attribute that `module_info` knows.
                self.code.on_load = value.as_tuple().and_then(|t| t.first()?.as_atom());
                continue;
            }
            self.code.attributes.push((name, value.clone()));
        }
        export_all
    }

    /// The index of a function of another module among the imports.
    fn import(&mut self, module: Atom, name: Atom, arity: u32) -> u32 {
        let mfa = Mfa { module, name, arity };
        *self.import_index.entry(mfa).or_insert_with(|| {
            self.code.imports.push(mfa);
            self.code.imports.len() as u32 - 1
        })
    }

    fn function(&mut self, id: NodeId) -> Result<()> {
        let Kind::Function { name, arity, clauses } = self.m.kind(id) else { return Ok(()) };
        self.unnumbered = Some(id);
        self.has_parts = false;
        self.m.for_each_below(id, |id| {
            self.has_parts |= matches!(
                self.m.kind(id),
                Kind::Fun { .. } | Kind::Comprehension { .. } | Kind::Maybe { .. }
            );
        });
        self.lifted = 0;
        if let Some(hooks) = self.hooks(name, arity) {
            return self.contracted((name, arity), id, clauses, hooks);
        }
        let index = self.local[&(name, arity)];
        self.building.push(FnBuilder::new(name, arity, (name, arity), id));
        self.function_clauses(clauses, arity)?;
        self.finish(index)
    }

    /// Ends the innermost function and stores it.
    fn finish(&mut self, index: u32) -> Result<()> {
        let Some(builder) = self.building.pop() else { return Ok(()) };
        let node = builder.node;
        let function = builder
            .finish(&mut self.code.switches)
            .map_err(|error| Unsupported { node, message: error.to_string() })?;
        self.code.functions[index as usize] = function;
        Ok(())
    }

    /// Clauses of a function or fun: arguments in the first slots, the result is returned.
    fn function_clauses(&mut self, clauses: NodeList, arity: u32) -> Result<()> {
        self.emit(Instr::Enter { size: 0 });
        self.load_constants();
        let m = self.m;
        for &clause in m.list(clauses) {
            let Kind::Clause { patterns, guards, body } = m.kind(clause) else { continue };
            let next = self.new_label();
            let mark = self.open_scope(clause);
            self.at(clause);
            let mut deferred = Vec::new();
            for (i, &pattern) in m.list(patterns).iter().enumerate() {
                self.argument_pattern(pattern, Slot(i as u16), next, &mut deferred)?;
            }
            for (pattern, slot) in deferred {
                self.pattern(pattern, slot, next)?;
            }
            self.end_of_head();
            self.guards(guards, next)?;
            self.note(clause, Mark::Chosen);
            self.show_bound(m.list(patterns));
            self.whole_body(body)?;
            self.close_scope(mark);
            self.bind_label(next);
        }
        self.emit(Instr::FunctionClause { arity: arity as u16 });
        Ok(())
    }

    fn fail_with(&mut self, failure: Failure, slot: Slot) {
        self.emit(Instr::Fail { failure, src: Use::of(slot) });
    }

    fn unsupported<T>(&self, node: NodeId, message: impl Into<String>) -> Result<T> {
        Err(Unsupported { node, message: message.into() })
    }
}
