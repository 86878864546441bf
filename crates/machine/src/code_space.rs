//! The code of all loaded modules, linked into one sequence of instructions.
//!
//! Addresses are absolute. Calls to other modules go through *exports*: an entry for every
//! function that was ever called or exported, so that loading a module again changes where calls go
//! without touching the callers. A builtin is an export whose target is native.
//!
//! Code is only ever added: a process that still runs an old version of a module keeps running it.

use std::sync::Arc;

use atom::Atom;
use code::instr::{BitsPart, Effects, Instr, Pc};
use code::module::{Mfa, ModuleCode, Switch};
use rustc_hash::FxHashMap;
use syntax::ast::{self, NodeId};
use syntax::token::Literal;
use term::Term;

use crate::builtins::{self, Builtin};

/// Where modules come from.
pub trait Loader {
    /// The code of a module, or `None` if there is no such module.
    fn load(&self, module: Atom) -> Option<Loaded>;
}

/// A module as the loader hands it over.
pub struct Loaded {
    pub code: ModuleCode,
    /// The tree it was made from: positions in stack traces come from it.
    pub source: Arc<ast::Module>,
}

/// Where a call to a function of another module goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The module is not loaded, or has no such function.
    Undefined,
    Code(Pc),
    Builtin(u32),
}

#[derive(Clone, Debug)]
pub struct Export {
    pub mfa: Mfa,
    pub target: Target,
    /// Whether other modules may call it (an entry exists also for what was only asked for).
    pub exported: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub mfa: Mfa,
    /// Index into [`CodeSpace::modules`].
    pub module: u32,
    /// Address of its first instruction; it ends where the next function starts.
    pub start: Pc,
    pub frame_size: u16,
}

/// A fun that can be made.
#[derive(Clone, Debug)]
pub struct ClosureInfo {
    pub module: Atom,
    pub name: Atom,
    pub entry: Pc,
    pub arity: u32,
    pub index: u32,
    pub unique: u32,
}

#[derive(Clone)]
pub struct ModuleInfo {
    pub name: Atom,
    pub source: Arc<ast::Module>,
    pub exports: Vec<(Atom, u32)>,
    pub functions: Vec<(Atom, u32)>,
    pub attributes: Vec<(Atom, Term)>,
    pub on_load: Option<Atom>,
}

#[derive(Clone, Default)]
pub struct CodeSpace {
    pub instrs: Vec<Instr>,
    /// For each instruction the node it was made for.
    pub origins: Vec<NodeId>,
    pub consts: Vec<Term>,
    pub bits_parts: Vec<BitsPart>,
    pub switches: Vec<Switch>,
    pub closures: Vec<ClosureInfo>,
    pub functions: Vec<Function>,
    pub exports: Vec<Export>,
    export_index: FxHashMap<Mfa, u32>,
    pub modules: Vec<ModuleInfo>,
    /// The version of each module that is current: index into `modules`.
    pub current: FxHashMap<Atom, u32>,
    pub builtins: Vec<Builtin>,
}

impl CodeSpace {
    /// A code space with the builtins and nothing else.
    pub fn new() -> CodeSpace {
        let mut space = CodeSpace::default();
        for builtin in builtins::all() {
            let mfa = Mfa {
                module: Atom::new(builtin.module),
                name: Atom::new(builtin.name),
                arity: builtin.arity,
            };
            let id = space.builtins.len() as u32;
            space.builtins.push(builtin);
            let export = space.export(mfa) as usize;
            space.exports[export].target = Target::Builtin(id);
            space.exports[export].exported = true;
        }
        space
    }

    /// The entry for a function, made if there was none.
    pub fn export(&mut self, mfa: Mfa) -> u32 {
        *self.export_index.entry(mfa).or_insert_with(|| {
            self.exports.push(Export { mfa, target: Target::Undefined, exported: false });
            self.exports.len() as u32 - 1
        })
    }

    pub fn find_export(&self, mfa: Mfa) -> Option<&Export> {
        self.export_index.get(&mfa).map(|&index| &self.exports[index as usize])
    }

    pub fn is_loaded(&self, module: Atom) -> bool {
        self.current.contains_key(&module)
    }

    pub fn module(&self, module: Atom) -> Option<&ModuleInfo> {
        self.current.get(&module).map(|&index| &self.modules[index as usize])
    }

    /// Adds a module and makes it the current version.
    pub fn link(&mut self, loaded: Loaded) {
        let Loaded { code, source } = loaded;
        let module_index = self.modules.len() as u32;
        let unique = digest(&code);
        let relocation = Relocation {
            starts: self.lay_out(&code, module_index),
            consts: self.consts.len() as u32,
            bits_parts: self.bits_parts.len() as u32,
            switches: self.switches.len() as u32,
            closures: self.closures.len() as u32,
            imports: code.imports.iter().map(|&mfa| self.export(mfa)).collect(),
        };
        self.switches.extend(code.switches.iter().cloned());
        self.forget_exports(code.name);
        for (index, function) in code.functions.iter().enumerate() {
            let mfa = Mfa { module: code.name, name: function.name, arity: function.arity };
            let start = relocation.starts[index];
            if code.exports.contains(&(function.name, function.arity)) {
                let export = self.export(mfa) as usize;
                // A builtin of this name is the faster version of the same function.
                if !matches!(self.exports[export].target, Target::Builtin(_)) {
                    self.exports[export].target = Target::Code(start);
                }
                self.exports[export].exported = true;
            }
        }
        for (index, mut function) in code.functions.into_iter().enumerate() {
            let start = relocation.starts[index];
            for instr in &mut function.instrs {
                relocation.apply(instr, start);
            }
            self.move_switches(&function.instrs, &code.switches, relocation.switches, start);
            self.instrs.append(&mut function.instrs);
            self.origins.append(&mut function.origins);
        }
        self.consts.extend(code.consts);
        self.bits_parts.extend(code.bits_parts);
        for closure in &code.closures {
            let function = &self.functions[self.functions.len() - relocation.starts.len()..]
                [closure.function as usize];
            self.closures.push(ClosureInfo {
                module: code.name,
                name: function.mfa.name,
                entry: relocation.starts[closure.function as usize],
                arity: closure.arity,
                index: closure.index,
                unique,
            });
        }
        self.specialise(&relocation);
        self.modules.push(ModuleInfo {
            name: code.name,
            source,
            functions: self.functions[self.functions.len() - relocation.starts.len()..]
                .iter()
                .map(|function| (function.mfa.name, function.mfa.arity))
                .collect(),
            exports: code.exports,
            attributes: code.attributes,
            on_load: code.on_load,
        });
        self.current.insert(code.name, module_index);
    }

    /// Addresses of the functions of a module that is about to be added.
    fn lay_out(&mut self, code: &ModuleCode, module: u32) -> Vec<Pc> {
        let mut next = self.instrs.len() as u32;
        let mut starts = Vec::with_capacity(code.functions.len());
        for function in &code.functions {
            starts.push(next);
            let mfa = Mfa { module: code.name, name: function.name, arity: function.arity };
            self.functions.push(Function {
                mfa,
                module,
                start: next,
                frame_size: function.frame_size,
            });
            next += function.instrs.len() as u32;
        }
        starts
    }

    /// A new version of a module: what the old one exported is undefined until it exports it too.
    fn forget_exports(&mut self, module: Atom) {
        if self.current.contains_key(&module) {
            for export in &mut self.exports {
                if export.mfa.module == module && matches!(export.target, Target::Code(_)) {
                    export.target = Target::Undefined;
                    export.exported = false;
                }
            }
        }
    }

    /// Removes the current version of a module.
    pub fn unload(&mut self, module: Atom) -> bool {
        self.forget_exports(module);
        self.current.remove(&module).is_some()
    }

    /// Adds the switch tables that the instructions of a function use, with absolute addresses.
    fn move_switches(&mut self, instrs: &[Instr], tables: &[Switch], base: u32, start: Pc) {
        for instr in instrs {
            if let Instr::SwitchAtom { index, .. } | Instr::SwitchInt { index, .. } = instr {
                self.switches[*index as usize] = match &tables[(*index - base) as usize] {
                    Switch::Atoms(entries) => {
                        Switch::Atoms(entries.iter().map(|&(a, to)| (a, to + start)).collect())
                    }
                    Switch::Ints(entries) => {
                        Switch::Ints(entries.iter().map(|&(i, to)| (i, to + start)).collect())
                    }
                };
            }
        }
    }

    /// Calls of builtins go to them directly.
    fn specialise(&mut self, relocation: &Relocation) {
        let Some(&first) = relocation.starts.first() else { return };
        for pc in first as usize..self.instrs.len() {
            let target = |import: u32| self.exports[import as usize].target;
            let instr = match self.instrs[pc] {
                Instr::CallImport { import, at, len } => match target(import) {
                    Target::Builtin(builtin) => Instr::CallBuiltin { builtin, at, len },
                    _ => continue,
                },
                Instr::GuardImport { import, at, len, fail } => match target(import) {
                    Target::Builtin(builtin) => Instr::GuardBuiltin { builtin, at, len, fail },
                    _ => continue,
                },
                _ => continue,
            };
            self.instrs[pc] = instr;
        }
    }

    /// The function whose code contains an address.
    pub fn function_at(&self, pc: Pc) -> Option<&Function> {
        let next = self.functions.partition_point(|function| function.start <= pc);
        self.functions.get(next.checked_sub(1)?)
    }

    /// The line of the node that an instruction was made for.
    pub fn line_at(&self, pc: Pc) -> Option<u32> {
        let function = self.function_at(pc)?;
        let module = &self.modules[function.module as usize];
        let node = *self.origins.get(pc as usize)?;
        Some(module.source.loc(node).line)
    }

    /// The file that stack traces name for an instruction: what the last `-file` attribute before
    /// its function says.
    pub fn file_at(&self, pc: Pc) -> Option<String> {
        let function = self.function_at(pc)?;
        let source = &self.modules[function.module as usize].source;
        let node = *self.origins.get(pc as usize)?;
        // A form has a higher number than what is in it.
        let form = source.forms.partition_point(|form| *form < node).min(source.forms.len());
        let name = source.forms[..form].iter().rev().find_map(|form| match source.kind(*form) {
            ast::Kind::FileAttribute { file, .. } => match source.kind(file) {
                ast::Kind::String(literal) => match source.literal(literal) {
                    Literal::String(text) => Some(text.to_string()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
        name.or_else(|| Some(source.files.first()?.path.to_string_lossy().into_owned()))
    }
}

/// What has to be added to the numbers in a module's code when it is linked.
struct Relocation {
    starts: Vec<Pc>,
    consts: u32,
    bits_parts: u32,
    switches: u32,
    closures: u32,
    imports: Vec<u32>,
}

impl Relocation {
    fn apply(&self, instr: &mut Instr, start: Pc) {
        match instr {
            Instr::LoadConst { index, .. } | Instr::IsConst { index, .. } => *index += self.consts,
            Instr::BitsBuild { part, .. }
            | Instr::BitsGet { part, .. }
            | Instr::BitsSkip { part, .. } => *part += self.bits_parts,
            Instr::SwitchAtom { index, .. } | Instr::SwitchInt { index, .. } => {
                *index += self.switches;
            }
            Instr::Closure { index, .. } => *index += self.closures,
            Instr::ExternalFun { index, .. } => *index = self.imports[*index as usize],
            Instr::Call { function, .. } | Instr::TailCall { function, .. } => {
                *function = self.starts[*function as usize];
            }
            Instr::CallImport { import, .. }
            | Instr::TailImport { import, .. }
            | Instr::GuardImport { import, .. } => *import = self.imports[*import as usize],
            _ => {}
        }
        instr.effects(Effects {
            uses: &mut |_| {},
            consumes: &mut |_, _| {},
            defines: &mut |_| {},
            targets: &mut |target| *target += start,
        });
    }
}

/// Tells versions of a module apart.
fn digest(code: &ModuleCode) -> u32 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    code.name.as_str().hash(&mut hasher);
    for function in &code.functions {
        function.name.as_str().hash(&mut hasher);
        function.instrs.len().hash(&mut hasher);
    }
    hasher.finish() as u32 & 0x07FF_FFFF
}
