//! Slices a program: what a value depends on or influences, in all runs or in one.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ::flow::bindings::Occurrence;
use ::flow::surroundings::{PatternRoot, Surroundings};
use ::flow::{Flow, ModuleId, Site};
use ::slice::{Criterion, CriterionError, Extent, Graph, Inexact, RunError, Slice, Step, Watcher};
pub use ::slice::{Exceptions, Granularity, Options};
use ::trace::schedule::Witness;
use atom::Atom;
use program::{LoadOptions, Program};
use syntax::ast::{Kind, NodeId};
use syntax::diagnostic::Severity;
use syntax::source::FileId;

use crate::again::{self, is_of_test};
use crate::minimal::{self, Minimal};
use crate::place::Place;
use crate::reading::{Reader, Reading, with_test_macro};
use crate::record::read_schedule;
use crate::running::Running;
use crate::{Control, Error};

/// What is to be sliced, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The value.
    pub target: Target,
    /// Which of several on the line, from 1.
    pub occurrence: Option<u32>,
    pub which: Which,
    /// Other values to slice for at once.
    pub also: Vec<Target>,
    /// Files, directories or projects that belong to the program; else the file alone.
    pub projects: Vec<PathBuf>,
    /// What stands where: why it is in the slice.
    pub why: Option<String>,
    pub options: Options,
    /// Whether what can go is deleted, as long as the values stay.
    pub minimal: Option<Minimal>,
    /// How the program is run then.
    pub running: Running,
    pub reading: Reading,
}

/// Which slice.
#[derive(Clone, Debug)]
pub enum Which {
    /// What the value depends on.
    Backward,
    /// What the value influences.
    Forward,
    /// What lies between the value and this one.
    To(Target),
    /// What the value depended on in one run.
    Run(InOneRun),
}

/// One value in a run.
#[derive(Clone, Debug)]
pub struct InOneRun {
    /// A trace, a schedule or a witness; the program is run again under it.
    pub trace: PathBuf,
    /// Which time that there is a value [default: the last].
    pub nth: Option<u64>,
    /// Only what this one value came from.
    pub this_value: bool,
}

/// A value by its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub file: PathBuf,
    pub line: u32,
    pub column: Option<u32>,
    pub variable: Option<String>,
}

impl Target {
    /// `FILE:LINE[:COL][:VAR]`.
    pub fn parse(text: &str) -> Result<Target, Error> {
        let wrong =
            || Error::Place(format!("`{text}` is no place such as bank.erl:42 or bank.erl:42:13"));
        let mut parts: Vec<&str> = text.split(':').collect();
        let mut variable = None;
        if parts.len() > 2 && parts.last().is_some_and(|last| last.parse::<u32>().is_err()) {
            variable = parts.pop().map(str::to_string);
        }
        let number = |text: &&str| text.parse::<u32>().ok();
        let last = parts.pop().as_ref().and_then(number).ok_or_else(wrong)?;
        let (line, column) = match parts.last().and_then(number) {
            Some(line) if parts.len() > 1 => {
                parts.pop();
                (line, Some(last))
            }
            _ => (last, None),
        };
        let file = parts.join(":");
        if file.is_empty() {
            return Err(wrong());
        }
        Ok(Target { file: file.into(), line, column, variable })
    }
}

/// A slice, with what it is a slice of.
pub struct Sliced<'a> {
    pub flow: &'a Flow,
    pub slice: &'a Slice<'a>,
    /// Of a slice of one run.
    pub in_run: Option<InRun>,
    /// The way from the criterion to what was asked about.
    pub why: Option<Vec<Step>>,
    /// What deleting has left of the slice.
    pub minimal: Option<minimal::Answer>,
}

/// Which time of which run a slice is of.
#[derive(Clone, Debug)]
pub struct InRun {
    /// The trace or witness.
    pub trace: String,
    /// The time that was chosen, from 1, and how many there are in the run.
    pub time: u64,
    pub times: u64,
    pub process: String,
    /// What is not known exactly.
    pub inexact: Inexact,
    /// The line where the variable got its value, if that is what was sliced: where it stands a
    /// match failed that compares with it.
    pub bound_on: Option<u32>,
}

/// Slices, and hands the slice over: it holds on to the graph that it was cut out of.
pub fn slice<T>(
    request: &Request,
    control: &Control,
    tell: impl FnOnce(&Sliced<'_>) -> T,
) -> Result<T, Error> {
    let run = match &request.which {
        Which::Run(run) => Some((run, read_schedule(&run.trace)?)),
        _ => None,
    };
    let witness = run.as_ref().map(|(_, witness)| witness);
    let program = Arc::new(load(request, witness)?);
    let flow = ::flow::analyse(&program, &::flow::Entry::Exported);
    let flow = Rc::new(flow.map_err(|error| Error::Failed(error.to_string()))?);
    // What failed in a run counts.
    let options = match run {
        Some(_) => Options { exceptions: Exceptions::All, ..request.options },
        None => request.options,
    };
    let graph = Graph::build(&program, &flow, options);
    let place = Finder { graph: &graph, program: &program, flow: &flow };
    let mut criteria = place.find(&request.target, request.occurrence)?;
    for also in &request.also {
        criteria.extend(place.find(also, None)?);
    }
    let mut in_run = None;
    let slice = match (&request.which, &run) {
        (_, Some((run, witness))) => {
            let criterion = *criteria.first().ok_or_else(|| no_value(request, run))?;
            let watched = Watched { request, flow: &flow, graph: &graph, control };
            let (slice, found) = watched.of_run(criterion, run, witness)?;
            in_run = Some(found);
            slice
        }
        (Which::To(to), _) => graph.chop(&criteria, &place.find(to, None)?),
        (Which::Forward, _) => graph.forward(&criteria),
        _ => graph.backward(&criteria),
    };
    let why = match &request.why {
        Some(why) => Some(place.way_to(&slice, &request.target.file, why)?),
        None => None,
    };
    let minimal = match &request.minimal {
        Some(asked) => {
            let subject = minimal::Subject {
                program: &program,
                flow: &flow,
                slice: &slice,
                criteria: &criteria,
                paths: &paths_of(request),
                running: &request.running,
                reading: &request.reading,
            };
            Some(minimal::of(asked, &subject, control)?)
        }
        None => None,
    };
    Ok(tell(&Sliced { flow: &flow, slice: &slice, in_run, why, minimal }))
}

/// Where the program is.
fn paths_of(request: &Request) -> Vec<PathBuf> {
    match request.projects.is_empty() {
        true => vec![request.target.file.clone()],
        false => request.projects.clone(),
    }
}

/// The value as it was asked for.
fn shown(target: &Target) -> String {
    let Target { file, line, column, variable } = target;
    let column = column.map_or(String::new(), |column| format!(":{column}"));
    let variable = variable.as_ref().map_or(String::new(), |variable| format!(" {variable}"));
    format!("{}:{line}{column}{variable}", file.display())
}

fn no_value(request: &Request, run: &InOneRun) -> Error {
    let (place, trace) = (shown(&request.target), run.trace.display());
    Error::Missing(format!("{place} has no value in the run of {trace}"))
}

struct Watched<'a, 'g> {
    request: &'a Request,
    flow: &'a Rc<Flow>,
    graph: &'g Graph<'g>,
    control: &'a Control,
}

impl<'g> Watched<'_, 'g> {
    /// The slice of one value in a run: a first run counts how often there is one, a second one is
    /// recorded.
    fn of_run(
        &self,
        criterion: Site,
        run: &InOneRun,
        witness: &Witness,
    ) -> Result<(Slice<'g>, InRun), Error> {
        let elsewhere = |error| Error::Trace { trace: run.trace.clone(), error: Box::new(error) };
        let watched = |watcher: Watcher| {
            let watcher = Rc::new(watcher);
            let reading = &self.request.reading;
            again::watch(witness, reading, watcher.clone(), self.control).map_err(elsewhere)?;
            Ok::<_, Error>(watcher)
        };
        let count = |criterion| -> Result<u64, Error> {
            Ok(watched(Watcher::counting(self.flow, criterion))?.hits())
        };
        let (mut criterion, mut times, mut bound_on) = (criterion, count(criterion)?, None);
        if times == 0 {
            // A match that fails gives no values to its variables; those that it compares with have
            // theirs already.
            if let Some((failing, definitions)) = self.compared(criterion)
                && count(failing)? > 0
            {
                for definition in definitions {
                    times = count(definition)?;
                    if times > 0 {
                        criterion = definition;
                        bound_on = self.line(definition);
                        break;
                    }
                }
            }
        }
        let time = run.nth.unwrap_or(times);
        match (times, time) {
            (0, _) => return Err(no_value(self.request, run)),
            (_, time) if time == 0 || time > times => {
                let place = shown(&self.request.target);
                let often = often(times);
                let message = format!("{place} has a value {often} in the run, not {time}");
                return Err(Error::Missing(message));
            }
            _ => {}
        }
        let recorded = watched(Watcher::recording(self.flow, criterion, time))?.run();
        let recorded = recorded.ok_or_else(|| no_value(self.request, run))?;
        let extent = if run.this_value { Extent::ThisValue } else { Extent::SameRun };
        let found = self.graph.in_run(criterion, &recorded, extent).map_err(|error| match error {
            RunError::OtherText(modules) => {
                let names: Vec<&str> = modules
                    .iter()
                    .map(|&module| self.flow.modules[module].name.as_str())
                    .collect();
                let names = names.join(", ");
                Error::Failed(format!(
                    "{names} was not run as it is written: a parse transform changed it"
                ))
            }
            RunError::NoValue => no_value(self.request, run),
            RunError::TooLong => Error::Failed(format!(
                "the run is too long to be sliced: {} calls up to there; choose an earlier time",
                recorded.calls()
            )),
        })?;
        let process = recorded.process().map(::trace::show::pid).unwrap_or_default();
        let inexact = found.inexact;
        let trace = run.trace.display().to_string();
        Ok((found.slice, InRun { trace, time, times, process, inexact, bound_on }))
    }

    /// The match whose pattern compares with a variable, and where that gets its value.
    fn compared(&self, criterion: Site) -> Option<(Site, Vec<Site>)> {
        let Site { module, node } = criterion;
        let tree = &self.flow.modules[module].tree;
        let around = Surroundings::of(tree, module, &self.flow.functions);
        let Some((PatternRoot::Match(failing), _)) = around.pattern_root(tree, node) else {
            return None;
        };
        let at = |node| Site { module, node };
        match self.flow.bindings[module].occurrence(node) {
            Occurrence::Use(definitions) => {
                Some((at(failing), definitions.iter().copied().map(at).collect()))
            }
            Occurrence::None | Occurrence::Define => None,
        }
    }

    fn line(&self, site: Site) -> Option<u32> {
        let tree = &self.flow.modules[site.module].tree;
        Some(Place::of(&tree.files, tree.span(site.node))?.line)
    }
}

/// How often something happens.
fn often(times: u64) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}

/// Reads the program; a module that cannot be read or has errors is the end.
fn load(request: &Request, witness: Option<&Witness>) -> Result<Program, Error> {
    let reader = Reader::new(&request.reading)?;
    let discover = reader.discover_options(&[], false);
    let is_test = witness.is_some_and(is_of_test);
    let options = LoadOptions {
        discover: if is_test { with_test_macro(discover) } else { discover },
        otp: request.reading.otp.clone(),
        without_otp: request.reading.without_otp,
        without_lint: false,
    };
    let file = &request.target.file;
    if !file.exists() {
        return Err(Error::file(file, "there is no such file"));
    }
    let mut paths = request.projects.clone();
    if let (Some(witness), true) = (witness, paths.is_empty()) {
        paths.extend(witness.places());
    }
    if paths.is_empty() {
        paths.push(file.clone());
    }
    let program =
        Program::load(&paths, &options).map_err(|error| Error::Failed(error.to_string()))?;
    if let Some(problem) = program.problems.first() {
        return Err(Error::from(problem));
    }
    let Some(module) = program.modules.iter().find(|module| module.has_errors()) else {
        return Ok(program);
    };
    let errors = module.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    Err(Error::Diagnostics {
        path: module.unit.path.clone(),
        module: module.tree.clone(),
        errors: errors.cloned().collect(),
    })
}

/// Finds what places mean.
struct Finder<'a> {
    graph: &'a Graph<'a>,
    program: &'a Program,
    flow: &'a Flow,
}

impl Finder<'_> {
    /// The module of a file.
    fn module_of(&self, file: &Path) -> Result<Atom, Error> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let wanted = real(file);
        let modules = &self.program.modules;
        let found = modules.iter().find(|module| real(&module.unit.path) == wanted);
        found.map(|module| module.name).ok_or_else(|| {
            let paths = modules.iter().take(5).map(|module| module.unit.path.display().to_string());
            let paths: Vec<String> = paths.collect();
            Error::Missing(format!(
                "{} is not one of the modules of the program, such as {}",
                file.display(),
                paths.join(", ")
            ))
        })
    }

    /// The variable, the expression, or all that stands on the line.
    fn find(&self, target: &Target, occurrence: Option<u32>) -> Result<Vec<Site>, Error> {
        let Some(variable) = &target.variable else { return self.without_variable(target) };
        let is_variable = variable.starts_with(|c: char| c.is_uppercase() || c == '_');
        if !is_variable {
            let message = format!("`{variable}` is no variable: its name does not begin as one");
            return Err(Error::Place(message));
        }
        let criterion = Criterion {
            module: self.module_of(&target.file)?,
            line: target.line,
            column: target.column,
            variable: Atom::new(variable),
            occurrence,
        };
        let found = self.graph.find(&criterion);
        let path = target.file.clone();
        found.map(|site| vec![site]).map_err(|error| Error::Criterion { path, error })
    }

    /// The tree of a file, and the position of its module in the graph.
    fn tree_of(&self, file: &Path) -> Result<(ModuleId, &syntax::ast::Module), Error> {
        let module = self.module_of(file)?;
        let position = self.flow.modules.position(|known| known.name == module);
        let position =
            position.ok_or_else(|| Error::file(file, "this module is not in the graph"))?;
        Ok((position, &self.flow.modules[position].tree))
    }

    /// The expression that begins in a column, or all that begin on a line.
    fn without_variable(&self, target: &Target) -> Result<Vec<Site>, Error> {
        let (module, tree) = self.tree_of(&target.file)?;
        let nodes = self.begin_at(tree, target.line, target.column);
        let sites = nodes.iter().map(|&node| Site { module, node });
        let sites: Vec<Site> = sites.filter(|site| self.graph.has(*site)).collect();
        // Of several that begin in one place the largest has the others in it.
        let outer = |site: &Site| {
            let span = tree.span(site.node);
            !sites.iter().any(|other| {
                let around = tree.span(other.node);
                other != site
                    && around.start <= span.start
                    && span.end <= around.end
                    // Parents have larger numbers.
                    && (around != span || other.node > site.node)
            })
        };
        let criteria: Vec<Site> = sites.iter().copied().filter(outer).collect();
        if !criteria.is_empty() {
            return Ok(criteria);
        }
        let lines = lines_of(tree);
        Err(if target.line == 0 || target.line > lines {
            let error = CriterionError::NoLine { line: target.line, lines };
            Error::file(&target.file, error)
        } else {
            Error::Missing(format!("no expression begins at {}", shown(target)))
        })
    }

    /// Nodes of functions that begin on a line, and in a column if one is given.
    fn begin_at(&self, tree: &syntax::ast::Module, line: u32, column: Option<u32>) -> Vec<NodeId> {
        let begins = |node: &NodeId| {
            let span = tree.span(*node);
            if span.file != FileId::MAIN || matches!(tree.kind(*node), Kind::Function { .. }) {
                return false;
            }
            let loc = tree.file(FileId::MAIN).loc(span.start);
            loc.line == line && column.is_none_or(|column| column == loc.column)
        };
        (0..tree.nodes.len() as u32).map(NodeId).filter(begins).collect()
    }

    /// The way from the criterion to what stands at a place, `[FILE:]LINE[:COL]`.
    fn way_to(&self, slice: &Slice<'_>, file: &Path, why: &str) -> Result<Vec<Step>, Error> {
        let full = match why.split(':').next().map(str::parse::<u32>) {
            Some(Ok(_)) => format!("{}:{why}", file.display()),
            _ => why.to_string(),
        };
        let place = Target::parse(&full)?;
        let (module, tree) = self.tree_of(&place.file)?;
        let size = |node: NodeId| {
            let span = tree.span(node);
            span.end - span.start
        };
        let nodes = self.begin_at(tree, place.line, place.column);
        let mut candidates: Vec<(u32, NodeId)> =
            nodes.into_iter().map(|node| (size(node), node)).collect();
        // Small things first where a column is given, else the largest that has an answer.
        candidates.sort_by_key(|&(size, node)| (size, node));
        if place.column.is_none() {
            candidates.reverse();
        }
        for &(_, node) in &candidates {
            if let Some(steps) = slice.why(Site { module, node }) {
                return Ok(steps);
            }
        }
        let lines = lines_of(tree);
        let is_printed = |&(_, node): &(u32, NodeId)| slice.contains(Site { module, node });
        Err(if place.line == 0 || place.line > lines {
            let error = CriterionError::NoLine { line: place.line, lines };
            Error::file(&place.file, error)
        } else if candidates.is_empty() {
            Error::Missing(format!("no expression begins at {full}"))
        } else if candidates.iter().any(is_printed) {
            let message = "is in the slice only because the text needs it";
            Error::Missing(format!("what begins at {full} {message}"))
        } else {
            Error::Missing(format!("what begins at {full} is not in the slice"))
        })
    }
}

/// How many lines a module has.
fn lines_of(tree: &syntax::ast::Module) -> u32 {
    let file = tree.file(FileId::MAIN);
    file.line_starts.len() as u32 - u32::from(file.text.ends_with('\n'))
}

impl Request {
    /// The slice of what a value depends on.
    pub fn backward(target: Target, reading: Reading) -> Request {
        Request {
            target,
            occurrence: None,
            which: Which::Backward,
            also: Vec::new(),
            projects: Vec::new(),
            why: None,
            options: Options {
                constraints: true,
                granularity: Granularity::Expression,
                clause_reachability: true,
                exceptions: Exceptions::All,
            },
            minimal: None,
            running: Running::default(),
            reading,
        }
    }
}
