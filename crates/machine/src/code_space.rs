//! The code of all loaded modules, linked into one sequence of instructions.
//!
//! Addresses are absolute. Calls to other modules go through *exports*: an entry for every
//! function that was ever called or exported, so that loading a module again changes where calls go
//! without touching the callers. A builtin is an export whose target is native.
//!
//! A module has at most two versions: the *current* one, where calls from other modules go, and an
//! *old* one that processes may still be running. Instructions are only ever added: purging old
//! code marks it, so that funs made by it cannot be called any more, and its space is not used
//! again.
//!
//! A function is *finished* when it is called for the first time ([`CodeSpace::finish`]): until
//! then its place, which is as long as what lowering left (or, of a packed function, what it will
//! be), is filled with [`Instr::Unfinished`]. Most functions of a library are never called. What is
//! seen of a module from outside does not depend on it.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use atom::{Atom, known};
use code::instr::{BitsPart, Effects, Instr, Pc};
use code::lower::contract::is_of_contract;
use code::module::{Mfa, ModuleCode, NativeRecord, Switch};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{self, NodeId};
use syntax::source::Files;
use term::Term;

use crate::builtins::{self, Builtin};
use crate::contract::Contracts;
pub use crate::module_source::Source;

/// Where modules come from.
pub trait Loader {
    /// The code of a module, or `None` if there is no such module.
    fn load(&self, module: Atom) -> Option<Loaded>;

    /// The contracts of the modules, if they are loaded with them.
    fn contracts(&self) -> Option<Rc<dyn Contracts>> {
        None
    }

    /// The code of a module whose source was read for it.
    fn load_source(&self, _module: Atom, _source: ast::Module) -> Result<Loaded, LoadError> {
        Err(LoadError::BadFile)
    }

    /// The code in the bytes of a `.beam` file, which is said to be from `file`.
    fn load_binary(&self, _module: Atom, _file: &str, _: &[u8]) -> Result<Loaded, LoadError> {
        Err(LoadError::BadFile)
    }

    /// The file that `load` would take a module from.
    fn which(&self, _module: Atom) -> Option<String> {
        None
    }

    /// The bytes of the `.beam` file of a module, and its name.
    fn object(&self, _module: Atom) -> Option<(Vec<u8>, String)> {
        None
    }

    /// The directories with `.beam` files that are known at the start.
    fn code_path(&self) -> Vec<String> {
        Vec::new()
    }

    /// Where OTP is installed.
    fn root_dir(&self) -> Option<String> {
        None
    }

    /// Headers and applications that a source may include besides the files of the World.
    fn library_files(&self) -> Option<&dyn Files> {
        None
    }

    /// What `?OTP_RELEASE` says.
    fn release(&self) -> u32 {
        syntax::options::DEFAULT_RELEASE
    }

    /// What the compiler would say about a module: its abstract forms and the options as lists in
    /// the external term format.
    fn lint(&self, _forms: &[u8], _options: &[u8]) -> Vec<Remark> {
        Vec::new()
    }
}

/// Something that the compiler says about a module.
#[derive(Clone, Debug)]
pub struct Remark {
    /// Otherwise it is a warning.
    pub error: bool,
    pub line: u32,
    /// 0 if it is not known.
    pub column: u32,
    pub code: &'static str,
    pub message: String,
}

/// Why a module cannot be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadError {
    NoFile,
    BadFile,
}

/// A module as the loader hands it over.
pub struct Loaded {
    pub code: ModuleCode,
    pub source: Source,
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
pub(crate) struct Export {
    pub(crate) mfa: Mfa,
    pub(crate) target: Target,
    /// Whether other modules may call it (an entry exists also for what was only asked for).
    pub(crate) exported: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub(crate) mfa: Mfa,
    /// Index into [`CodeSpace::modules`].
    pub(crate) module: u32,
    /// Address of its first instruction; it ends where the next function starts.
    pub start: Pc,
    pub frame_size: u16,
}

/// A fun that can be made.
#[derive(Clone, Debug)]
pub(crate) struct ClosureInfo {
    pub(crate) module: Atom,
    pub(crate) name: Atom,
    pub(crate) entry: Pc,
    pub(crate) arity: u32,
    pub(crate) index: u32,
    pub(crate) unique: u32,
}

#[derive(Clone)]
pub struct ModuleInfo {
    pub name: Atom,
    /// What it was made from.
    pub source: Source,
    pub exports: Vec<(Atom, u32)>,
    pub(crate) functions: Vec<(Atom, u32)>,
    pub(crate) attributes: Vec<(Atom, Term)>,
    /// The native records that it defines.
    pub(crate) records: Vec<NativeRecord>,
    /// Where its code is.
    pub(crate) range: Range<Pc>,
    /// It was replaced and removed: its funs cannot be called.
    pub(crate) purged: bool,
    /// The file it was loaded from, if not the one that its source says.
    pub(crate) file: Option<String>,
    /// The `-file` attributes and the names that they give.
    renamed: Rc<[(NodeId, Rc<str>)]>,
    /// Its functions as they were lowered.
    lowered: Rc<Lowered>,
}

/// The functions of a module as lowering left them, or finished; addresses are relative. Copies of
/// a code space share them.
struct Lowered {
    /// The index of the first of them in [`CodeSpace::functions`].
    first: usize,
    functions: RefCell<Vec<code::module::Function>>,
    switches: RefCell<Vec<Switch>>,
    consts: RefCell<Vec<Term>>,
    relocation: Relocation,
}

impl ModuleInfo {
    /// The name of the file that the compiled module would be in.
    pub(crate) fn object_file(&self) -> String {
        let path = self.source.path();
        self.file.clone().unwrap_or_else(|| path.map(object_file).unwrap_or_default())
    }
}

/// Where the compiled module of a source is kept: in `ebin` beside `src`, otherwise beside the
/// source.
pub fn object_file(source: &Path) -> String {
    let object = source.with_extension("beam");
    let ebin = match (source.parent(), source.file_stem()) {
        (Some(dir), Some(stem)) if dir.ends_with("src") => {
            dir.parent().map(|root| root.join("ebin").join(stem).with_extension("beam"))
        }
        _ => None,
    };
    ebin.unwrap_or(object).to_string_lossy().into_owned()
}

/// How much code there is at a time. Code is only ever added behind the rest.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    instrs: usize,
    consts: usize,
    bits_parts: usize,
    switches: usize,
    closures: usize,
    functions: usize,
    modules: usize,
}

#[derive(Clone, Default)]
pub struct CodeSpace {
    pub(crate) instrs: Vec<Instr>,
    /// For each instruction the node it was made for.
    pub(crate) origins: Vec<NodeId>,
    pub(crate) consts: Vec<Term>,
    pub(crate) bits_parts: Vec<BitsPart>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) closures: Vec<ClosureInfo>,
    pub(crate) functions: Vec<Function>,
    /// For addresses that were asked for lately, the number of functions up to theirs.
    recent: [Cell<(Pc, u32)>; 32],
    pub(crate) exports: Vec<Export>,
    export_index: FxHashMap<Mfa, u32>,
    pub modules: Vec<ModuleInfo>,
    /// The version of each module that is current: index into `modules`.
    pub(crate) current: FxHashMap<Atom, u32>,
    /// The version that was current before, until it is purged.
    pub(crate) old: FxHashMap<Atom, u32>,
    /// Whether any code was purged.
    has_purged: bool,
    pub builtins: Rc<[&'static Builtin]>,
    /// What stack traces say about instructions that were in one.
    pub(crate) locations: RefCell<FxHashMap<Pc, Term>>,
}

impl CodeSpace {
    /// A code space with the builtins and nothing else.
    pub(crate) fn new() -> CodeSpace {
        let builtins: Rc<[&'static Builtin]> = builtins::all().collect();
        let mut space = CodeSpace::default();
        space.exports.reserve(builtins.len());
        space.export_index.reserve(builtins.len());
        // Those of a module stand together.
        let mut module = ("", known::EMPTY);
        for (id, builtin) in builtins.iter().enumerate() {
            if builtin.module != module.0 {
                module = (builtin.module, Atom::of_static(builtin.module));
            }
            let name = Atom::of_static(builtin.name);
            let export = space.export(Mfa { module: module.1, name, arity: builtin.arity });
            let export = &mut space.exports[export as usize];
            export.target = Target::Builtin(id as u32);
            export.exported = true;
        }
        space.builtins = builtins;
        space
    }

    /// The entry for a function, made if there was none.
    pub(crate) fn export(&mut self, mfa: Mfa) -> u32 {
        *self.export_index.entry(mfa).or_insert_with(|| {
            self.exports.push(Export { mfa, target: Target::Undefined, exported: false });
            self.exports.len() as u32 - 1
        })
    }

    pub(crate) fn find_export(&self, mfa: Mfa) -> Option<&Export> {
        self.export_index.get(&mfa).map(|&index| &self.exports[index as usize])
    }

    pub fn is_loaded(&self, module: Atom) -> bool {
        self.current.contains_key(&module)
    }

    pub fn module(&self, module: Atom) -> Option<&ModuleInfo> {
        self.current.get(&module).map(|&index| &self.modules[index as usize])
    }

    /// Adds a module and makes it the current version; the one before becomes old.
    pub(crate) fn link(&mut self, loaded: Loaded) {
        let version = self.add(loaded);
        self.make_current(version);
    }

    /// Adds a version of a module that nobody calls yet: its number.
    pub(crate) fn add(&mut self, loaded: Loaded) -> u32 {
        let Loaded { code, source } = loaded;
        let module_index = self.modules.len() as u32;
        let relocation = Relocation {
            starts: self.lay_out(&code, module_index),
            consts: self.consts.len() as u32,
            bits_parts: self.bits_parts.len() as u32,
            switches: self.switches.len() as u32,
            closures: self.closures.len() as u32,
            imports: code.imports.iter().map(|&mfa| self.export(mfa)).collect(),
        };
        self.switches.extend(code.switches.iter().cloned());
        let first = self.instrs.len() as Pc;
        for function in &code.functions {
            let end = self.instrs.len() + function.len();
            self.instrs.resize(end, Instr::Unfinished);
            // What stack traces could say of a function that has not begun.
            self.origins.resize(end, function.origin());
        }
        self.consts.extend(code.consts.iter().cloned());
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
                unique: code.digest,
            });
        }
        let first_function = self.functions.len() - relocation.starts.len();
        let finished = (first_function..).zip(&code.functions);
        let finished: Vec<usize> =
            finished.filter(|(_, code)| code.is_finished()).map(|(index, _)| index).collect();
        let lowered = Lowered {
            first: first_function,
            functions: RefCell::new(code.functions),
            switches: RefCell::new(code.switches),
            consts: RefCell::new(code.consts),
            relocation,
        };
        self.modules.push(ModuleInfo {
            name: code.name,
            source,
            functions: self.functions[first_function..]
                .iter()
                .map(|function| (function.mfa.name, function.mfa.arity))
                .collect(),
            exports: code.exports,
            attributes: code.attributes,
            records: code.records,
            range: first..self.instrs.len() as Pc,
            purged: false,
            file: None,
            renamed: code.renamed.into(),
            lowered: Rc::new(lowered),
        });
        finished.into_iter().for_each(|function| self.finish_nth(function));
        module_index
    }

    /// How much code there is, to come back to.
    pub(crate) fn extent(&self) -> Extent {
        Extent {
            instrs: self.instrs.len(),
            consts: self.consts.len(),
            bits_parts: self.bits_parts.len(),
            switches: self.switches.len(),
            closures: self.closures.len(),
            functions: self.functions.len(),
            modules: self.modules.len(),
        }
    }

    /// Forgets the modules that were added since; they must not stand in for earlier versions.
    pub(crate) fn shrink(&mut self, to: Extent) {
        let added: Vec<Atom> = self.modules.drain(to.modules..).map(|module| module.name).collect();
        for name in added {
            self.forget_exports(name);
            self.current.remove(&name);
            self.old.remove(&name);
        }
        self.instrs.truncate(to.instrs);
        self.origins.truncate(to.instrs);
        self.consts.truncate(to.consts);
        self.bits_parts.truncate(to.bits_parts);
        self.switches.truncate(to.switches);
        self.closures.truncate(to.closures);
        self.functions.truncate(to.functions);
        self.locations.borrow_mut().retain(|pc, _| (*pc as usize) < to.instrs);
    }

    /// Finishes the function whose code contains an address.
    pub(crate) fn finish(&mut self, pc: Pc) {
        let next = self.functions.partition_point(|function| function.start <= pc);
        if let Some(index) = next.checked_sub(1) {
            self.finish_nth(index);
        }
    }

    fn finish_nth(&mut self, index: usize) {
        let Function { module, start, .. } = self.functions[index];
        let lowered = Rc::clone(&self.modules[module as usize].lowered);
        let Lowered { first, functions, switches, consts, relocation } = &*lowered;
        let mut functions = functions.borrow_mut();
        let Some(code) = functions.get_mut(index - first) else { return };
        code.finish(&mut switches.borrow_mut(), &mut consts.borrow_mut());
        for (here, (instr, origin)) in (start as usize..).zip(code.instrs.iter().zip(&code.origins))
        {
            let mut instr = *instr;
            relocation.apply(&mut instr, start);
            self.move_switch(&instr, &switches.borrow(), relocation.switches, start);
            self.move_const(&instr, &consts.borrow(), relocation.consts);
            self.instrs[here] = self.specialised(instr);
            self.origins[here] = *origin;
        }
    }

    /// Calls from other modules go to this version from now on.
    pub(crate) fn make_current(&mut self, version: u32) {
        let name = self.modules[version as usize].name;
        self.retire(name);
        let range = self.modules[version as usize].range.clone();
        let from = self.functions.partition_point(|function| function.start < range.start);
        let to = self.functions.partition_point(|function| function.start < range.end);
        let exported: FxHashSet<(Atom, u32)> =
            self.modules[version as usize].exports.iter().copied().collect();
        for index in from..to {
            let Function { mfa, start, .. } = self.functions[index];
            // Contracts are asked by name, and nobody else sees them.
            let is_exported = exported.contains(&(mfa.name, mfa.arity));
            if !is_exported && !is_of_contract(mfa.name) {
                continue;
            }
            let export = self.export(mfa) as usize;
            // The body of a function with a contract comes later, and is not what others call.
            if let Target::Code(to) = self.exports[export].target
                && range.contains(&to)
            {
                continue;
            }
            // A builtin of this name is the faster version of the same function.
            if !matches!(self.exports[export].target, Target::Builtin(_)) {
                self.exports[export].target = Target::Code(start);
            }
            self.exports[export].exported = is_exported;
        }
        self.current.insert(name, version);
    }

    /// The current version of a module becomes its old one. (One that is old already is forgotten:
    /// who cares for it has to purge it before.)
    fn retire(&mut self, module: Atom) -> bool {
        self.forget_exports(module);
        match self.current.remove(&module) {
            Some(version) => {
                self.old.insert(module, version);
                true
            }
            None => false,
        }
    }

    /// The old version of a module.
    pub(crate) fn old_version(&self, module: Atom) -> Option<&ModuleInfo> {
        self.old.get(&module).map(|&version| &self.modules[version as usize])
    }

    /// Forgets the old version of a module; says whether there was one.
    pub(crate) fn purge(&mut self, module: Atom) -> bool {
        let Some(version) = self.old.remove(&module) else { return false };
        self.modules[version as usize].purged = true;
        self.has_purged = true;
        true
    }

    /// The module version that an address belongs to, if it was purged.
    pub(crate) fn purged_at(&self, pc: Pc) -> Option<&ModuleInfo> {
        if !self.has_purged {
            return None;
        }
        let module = &self.modules[self.function_at(pc)?.module as usize];
        module.purged.then_some(module)
    }

    /// Whether the code of a fun is there: not purged, and not only read from bytes.
    pub(crate) fn has_code_of(&self, closure: &term::fun::Closure) -> bool {
        closure.has_code() && self.purged_at(closure.entry).is_none()
    }

    /// The address in the current version of a module of the fun that a purged version made, if the
    /// two are the same code.
    pub(crate) fn revived(&self, closure: &term::fun::Closure) -> Option<Pc> {
        let range = self.module(closure.module)?.range.clone();
        let same = |info: &&ClosureInfo| {
            info.unique == closure.unique
                && info.index == closure.index
                && (info.name == closure.name || !closure.has_code())
                && range.contains(&info.entry)
        };
        self.closures.iter().find(same).map(|info| info.entry)
    }

    /// The fun that a function of the current version of a module is the code of.
    pub(crate) fn closure(&self, module: Atom, name: Atom, arity: u32) -> Option<&ClosureInfo> {
        let range = self.module(module)?.range.clone();
        let is_it = |info: &&ClosureInfo| {
            info.name == name && info.arity == arity && range.contains(&info.entry)
        };
        self.closures.iter().find(is_it)
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
            next += function.len() as u32;
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

    /// Makes the current version of a module old; says whether there was one.
    pub(crate) fn delete(&mut self, module: Atom) -> bool {
        self.retire(module)
    }

    /// Adds the switch table that an instruction uses, with absolute addresses.
    fn move_switch(&mut self, instr: &Instr, tables: &[Switch], base: u32, start: Pc) {
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

    /// Adds the constant that an instruction uses: it may have been read just now.
    fn move_const(&mut self, instr: &Instr, consts: &[Term], base: u32) {
        if let Instr::LoadConst { index, .. } | Instr::IsConst { index, .. } = instr {
            self.consts[*index as usize] = consts[(*index - base) as usize].clone();
        }
    }

    /// Calls of builtins go to them directly.
    fn specialised(&self, instr: Instr) -> Instr {
        let target = |import: u32| self.exports[import as usize].target;
        match instr {
            Instr::CallImport { import, at, len } => match target(import) {
                Target::Builtin(builtin) => Instr::CallBuiltin { builtin, at, len },
                _ => instr,
            },
            Instr::GuardImport { import, at, len, fail } => match target(import) {
                Target::Builtin(builtin) => Instr::GuardBuiltin { builtin, at, len, fail },
                _ => instr,
            },
            _ => instr,
        }
    }

    /// The function whose code contains an address.
    pub fn function_at(&self, pc: Pc) -> Option<&Function> {
        if pc as usize >= self.instrs.len() {
            return None;
        }
        // Who watches asks for the same few again and again. An address keeps its function.
        let recent = &self.recent[pc as usize % self.recent.len()];
        let (known, mut next) = recent.get();
        if known != pc || next == 0 {
            next = self.functions.partition_point(|function| function.start <= pc) as u32;
            recent.set((pc, next));
        }
        self.functions.get((next as usize).checked_sub(1)?)
    }

    /// Whether the `receive` whose messages are looked at from this address on waits for one as
    /// long as it takes.
    pub(crate) fn waits_forever(&self, pc: Pc) -> bool {
        let at = |pc: Pc| self.instrs.get(pc as usize);
        let Some(Instr::Peek { none, .. }) = at(pc) else { return false };
        matches!(at(*none), Some(Instr::Wait { .. }))
    }

    /// The line of the node that an instruction was made for.
    pub(crate) fn line_at(&self, pc: Pc) -> Option<u32> {
        let index =
            self.functions.partition_point(|function| function.start <= pc).checked_sub(1)?;
        let Function { module, start, .. } = self.functions[index];
        let module = &self.modules[module as usize];
        let node = *self.origins.get(pc as usize)?;
        let functions = module.lowered.functions.borrow();
        let known = functions[index - module.lowered.first].line((pc - start) as usize);
        Some(known.unwrap_or_else(|| module.source.tree().loc(node).line))
    }

    /// The file that stack traces name for an instruction: what the last `-file` attribute before
    /// its function says.
    pub(crate) fn file_at(&self, pc: Pc) -> Option<String> {
        let function = self.function_at(pc)?;
        let module = &self.modules[function.module as usize];
        let node = *self.origins.get(pc as usize)?;
        // A form has a higher number than what is in it.
        let before = module.renamed.partition_point(|(form, _)| *form < node);
        let name = before.checked_sub(1).map(|last| module.renamed[last].1.to_string());
        name.or_else(|| Some(module.source.path()?.to_string_lossy().into_owned()))
    }

    /// Whether an instruction is the program's, not the library's.
    pub(crate) fn is_of_program(&self, pc: Pc) -> bool {
        let Some(function) = self.function_at(pc) else { return false };
        let module = &self.modules[function.module as usize];
        let path = module.source.path().and_then(|path| path.to_str()).unwrap_or_default();
        !(path.starts_with("erl/data/")
            || path.starts_with("erl/otp/")
            || path.contains("/lib/erlang/lib/")
            || module.name.as_str().starts_with("erlscope_"))
    }

    /// The same as stack traces of the program show it: Common Test compiles suites in their own
    /// directories, so their files are named without them.
    pub(crate) fn traced_file_at(&self, pc: Pc) -> Option<String> {
        let file = self.file_at(pc)?;
        let name = file.rsplit('/').next().unwrap_or(&file);
        Some(if name.ends_with("_SUITE.erl") { name.to_owned() } else { file })
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
            Instr::Call { function, .. }
            | Instr::TailCall { function, .. }
            | Instr::CallBody { function, .. }
            | Instr::TailBody { function, .. } => {
                *function = self.starts[*function as usize];
            }
            Instr::CallImport { import, .. }
            | Instr::TailImport { import, .. }
            | Instr::GuardImport { import, .. } => *import = self.imports[*import as usize],
            _ => {}
        }
        instr.effects(Effects {
            uses: |_| {},
            consumes: |_, _| {},
            defines: |_| {},
            targets: |target| *target += start,
        });
    }
}
