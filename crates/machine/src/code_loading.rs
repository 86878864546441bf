//! Loading, replacing and removing modules while the node runs.
//!
//! Builtins see the code space but cannot change it: they ask for it by a [`CodeRequest`], which
//! the Machine serves between two instructions of the process. A module with `-on_load` is
//! *prepared* first: the answer is a fun that runs its function, and `erlscope_code` (in Erlang)
//! makes the version current or drops it, depending on how that went.
//!
//! Not imitated: the code server's queue (loading is one step), and that calls into a module wait
//! while its `-on_load` function runs.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use atom::Atom;
use code::instr::Pc;
use syntax::ast::Module;
use syntax::diagnostic::Severity;
use syntax::options::Options;
use syntax::source::Files;
use term::fun::Closure;
use term::{Fun, Term};

use crate::builtins::{front, text_of};
use crate::code_space::{LoadError, Loaded};
use crate::control::Start;
use crate::machine::Machine;
use crate::process::Process;
use crate::state::State;
use crate::world::files::Posix;

/// What a builtin asks the Machine to do about code.
#[derive(Debug)]
pub enum CodeRequest {
    /// Find the newest version of a module and load it.
    Load(Atom),
    LoadFile(Atom, String),
    LoadBinary {
        module: Atom,
        file: String,
        bytes: Vec<u8>,
    },
    /// A prepared version becomes current, or is dropped.
    Finish {
        version: u32,
        accept: bool,
    },
    Delete(Atom),
    /// Forget old code, whoever runs it.
    Purge(Atom),
    Which(Atom),
    Object(Atom),
    Path,
    RootDir,
    /// The forms of a file.
    ReadSource {
        path: PathBuf,
        options: Options,
        columns: bool,
    },
    /// What is wrong with these forms.
    Lint {
        forms: Term,
        options: Term,
    },
}

/// What became of a module that a process wants to call.
pub(crate) enum Provided {
    Ready,
    Missing,
    /// Some of its code has to run before.
    MustRun,
}

impl Machine {
    /// The code of a module: from directories that the program added, or from the loader.
    pub(crate) fn find_code(&mut self, module: Atom) -> Option<Loaded> {
        if let Some(path) = &self.state.host.code_path {
            let initial = self.loader.code_path();
            let added: Vec<String> =
                path.elements().filter_map(text_of).filter(|dir| !initial.contains(dir)).collect();
            for dir in added {
                let name = Path::new(&dir).join(module.as_str());
                if let Ok(loaded) = self.load_file(module, &name.to_string_lossy()) {
                    return Some(loaded);
                }
            }
        }
        if let Some(loaded) = self.loader.load(module) {
            return Some(loaded);
        }
        // What the program compiled into its current directory, which is on the path from the
        // start.
        let object = format!("{module}.beam");
        let bytes = self.state.files().read_file(object.as_bytes()).ok()?;
        self.loader.load_binary(module, &object, &bytes).ok()
    }

    /// Loads a module for a process that calls it.
    pub(crate) fn provide(&mut self, module: Atom) -> Provided {
        if self.code.is_loaded(module) {
            return Provided::Ready;
        }
        match self.find_code(module) {
            Some(loaded) if loaded.code.on_load.is_some() => Provided::MustRun,
            Some(loaded) => {
                Rc::make_mut(&mut self.code).link(loaded);
                Provided::Ready
            }
            None => Provided::Missing,
        }
    }

    /// Does what a process asked for: the answer.
    pub(crate) fn serve_code(&mut self, request: CodeRequest) -> Term {
        match request {
            CodeRequest::Load(module) => match self.find_code(module) {
                Some(loaded) => self.install(module, loaded, None),
                None => error("nofile"),
            },
            CodeRequest::LoadFile(module, name) => match self.load_file(module, &name) {
                Ok(loaded) => {
                    let file = if name.ends_with(".beam") { name } else { name + ".beam" };
                    self.install(module, loaded, Some(file))
                }
                Err(problem) => load_error(problem),
            },
            CodeRequest::LoadBinary { module, file, bytes } => {
                match self.loader.load_binary(module, &file, &bytes) {
                    Ok(loaded) => self.install(module, loaded, Some(file)),
                    Err(problem) => load_error(problem),
                }
            }
            CodeRequest::Finish { version, accept } => {
                if accept {
                    Rc::make_mut(&mut self.code).make_current(version);
                }
                Term::TRUE
            }
            CodeRequest::Delete(module) => {
                let can = self.code.is_loaded(module);
                Term::bool(can && Rc::make_mut(&mut self.code).delete(module))
            }
            CodeRequest::Purge(module) => {
                let old = self.code.old_version(module).is_some();
                Term::bool(old && Rc::make_mut(&mut self.code).purge(module))
            }
            CodeRequest::Which(module) => match self.loader.which(module) {
                Some(file) => Term::string(&file),
                None => Term::atom("non_existing"),
            },
            CodeRequest::Object(module) => match self.loader.object(module) {
                Some((bytes, file)) => {
                    Term::tuple([Term::from(module), Term::binary(bytes), Term::string(&file)])
                }
                None => Term::from(atom::known::ERROR),
            },
            CodeRequest::Path => match &self.state.host.code_path {
                Some(path) => path.clone(),
                None => {
                    let path = self.loader.code_path();
                    Term::list(path.iter().map(|dir| Term::string(dir)).collect::<Vec<_>>())
                }
            },
            CodeRequest::RootDir => Term::string(&self.loader.root_dir().unwrap_or_default()),
            CodeRequest::ReadSource { path, options, columns } => {
                match self.read_source(&path, options) {
                    Ok(module) => {
                        Term::tuple([Term::OK, Term::list(front::forms(&module, columns))])
                    }
                    Err(problem) => error(problem.0),
                }
            }
            CodeRequest::Lint { forms, options } => self.lint(&forms, &options),
        }
    }

    /// The code in `NAME.beam` or `NAME.erl`, in the program's file system.
    fn load_file(&mut self, module: Atom, name: &str) -> Result<Loaded, LoadError> {
        let object = format!("{name}.beam");
        if let Ok(bytes) = self.state.files().read_file(object.as_bytes()) {
            return self.loader.load_binary(module, &object, &bytes);
        }
        let path = PathBuf::from(format!("{name}.erl"));
        let source = self.read_source(&path, Options::default());
        let source = source.map_err(|_| LoadError::NoFile)?;
        if source.diagnostics.iter().any(|found| found.severity == Severity::Error) {
            return Err(LoadError::BadFile);
        }
        self.loader.load_source(module, source)
    }

    /// A source in the program's file system.
    fn read_source(&mut self, path: &Path, options: Options) -> Result<Module, Posix> {
        let bytes = self.state.files().read_file(&bytes_of(path))?;
        let options = Options { release: self.loader.release(), ..options };
        let files = WorldFiles {
            state: RefCell::new(&mut self.state),
            library: self.loader.library_files(),
        };
        Ok(syntax::read_module_bytes(path, bytes, &files, &options))
    }

    /// Adds a version of a module: `{module, M}`, or `{on_load, M, Fun, Version}` if a function of
    /// it has to be run before it can be used.
    fn install(&mut self, module: Atom, loaded: Loaded, file: Option<String>) -> Term {
        if loaded.code.name != module {
            return error("badfile");
        }
        if self.code.old_version(module).is_some() && self.code.is_loaded(module) {
            return error("not_purged");
        }
        let on_load = loaded.code.on_load;
        let code = Rc::make_mut(&mut self.code);
        let version = code.add(loaded);
        if let Some(file) = file {
            code.modules[version as usize].file = Some(file);
        }
        let Some(name) = on_load else {
            code.make_current(version);
            return Term::tuple([Term::atom("module"), Term::from(module)]);
        };
        let range = code.modules[version as usize].range.clone();
        let function = code.functions.iter().find(|function| {
            range.contains(&function.start) && function.mfa.name == name && function.mfa.arity == 0
        });
        let Some(function) = function else { return error("on_load_failure") };
        let fun = Fun::Local(Closure {
            module,
            name,
            arity: 0,
            index: 0,
            unique: 0,
            entry: function.start,
            maker: Default::default(),
            env: Default::default(),
        });
        Term::tuple([
            Term::atom("on_load"),
            Term::from(module),
            Term::fun(fun),
            Term::int(i64::from(version)),
        ])
    }

    /// `[{IsError, Location, Code, Message}]`
    fn lint(&self, forms: &Term, options: &Term) -> Term {
        let encoded = |term: &Term| {
            let mut bytes = vec![term::etf::VERSION];
            term::etf::encode(term, 2, &mut bytes);
            bytes
        };
        let remarks = self.loader.lint(&encoded(forms), &encoded(options));
        let remarks = remarks.iter().map(|remark| {
            let place = match remark.column {
                0 => Term::from(remark.line),
                column => Term::tuple([Term::from(remark.line), Term::from(column)]),
            };
            let (code, message) = (Term::atom(remark.code), Term::string(&remark.message));
            Term::tuple([Term::bool(remark.error), place, code, message])
        });
        Term::list(remarks.collect::<Vec<_>>())
    }
}

fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

/// What a source that a running program has read may include: the program's files, and the headers
/// of the library.
struct WorldFiles<'a> {
    state: RefCell<&'a mut State>,
    library: Option<&'a dyn Files>,
}

impl Files for WorldFiles<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let own = self.state.borrow_mut().files().read_file(&bytes_of(path));
        match (own, self.library) {
            (Ok(bytes), _) => Ok(bytes),
            (Err(_), Some(library)) => library.read(path),
            (Err(_), None) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        let own = self.state.borrow_mut().files().info(&bytes_of(path), true).is_ok();
        own || self.library.is_some_and(|library| library.exists(path))
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        self.library?.lib_dir(application)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.state.borrow().host.outside.environment.get(name).cloned()
    }
}

fn error(reason: &str) -> Term {
    Term::tuple([Term::from(atom::known::ERROR), Term::atom(reason)])
}

fn load_error(problem: LoadError) -> Term {
    error(match problem {
        LoadError::NoFile => "nofile",
        LoadError::BadFile => "badfile",
    })
}

/// Whether a process is inside a range of code: runs it, or will return to it.
pub(crate) fn runs(process: &Process, range: &std::ops::Range<Pc>) -> bool {
    let begins = match &process.start {
        Some(Start::Fun { fun, .. }) => match fun.as_fun() {
            Some(Fun::Local(closure)) => range.contains(&closure.entry),
            _ => false,
        },
        _ => false,
    };
    let started = process.start.is_none() || !process.frames.is_empty();
    begins
        || (started && range.contains(&process.pc))
        || process.frames.iter().any(|frame| range.contains(&frame.pc))
}
