//! Java programs: slices of them, and what is wrong with their files.
//!
//! A program is the file of the value, and all files below the directories that are given, those of
//! Maven's and Gradle's layout among them; tests only if the value is in one, what a build made
//! never.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use java::names::FileId;
use java_slice::{
    Criterion, CriterionError, Graph, Program, Site, Slice, SourceFile, Wanted, When,
};

use crate::slice::Target;
use crate::{Control, Error, Place};

/// What is to be sliced, and how.
#[derive(Clone, Debug)]
pub struct Request {
    pub target: Target,
    pub occurrence: Option<u32>,
    pub which: Which,
    pub also: Vec<Target>,
    pub projects: Vec<PathBuf>,
    /// What stands where: why it is in the slice.
    pub why: Option<String>,
    /// Objects as they are in front of the call that gets them, not behind it.
    pub before: bool,
}

/// Which slice.
#[derive(Clone, Debug)]
pub enum Which {
    Backward,
    Forward,
    To(Target),
}

/// A slice.
#[derive(Clone, Debug)]
pub struct Sliced {
    /// The files of the program, in order.
    pub files: Vec<SlicedFile>,
    pub criteria: Vec<Place>,
    /// How many nodes of the trees are left, and of how many.
    pub size: usize,
    pub of: usize,
    pub why: Option<Vec<Step>>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Calls into classes that are not part of the program and of which nothing is known.
    pub unknown: Vec<Unknown>,
    /// Whether anybody may call its methods: no `main` leads to the value.
    pub is_open: bool,
}

#[derive(Clone, Debug)]
pub struct SlicedFile {
    pub path: PathBuf,
    pub original: String,
    /// The text of the slice, if something is left.
    pub text: Option<String>,
    pub ranges: Vec<Range<usize>>,
}

/// A step of an explanation.
#[derive(Clone, Debug)]
pub struct Step {
    pub place: Place,
    pub text: String,
    pub role: &'static str,
    pub dependence: Option<&'static str>,
}

/// A node of the dependence graph.
#[derive(Clone, Debug)]
pub struct Node {
    pub id: u32,
    pub file: usize,
    pub place: Place,
    pub text: String,
    pub role: &'static str,
    /// The method or class around it.
    pub around: String,
}

/// An edge of it: `from` depends on `to`.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub kind: &'static str,
}

#[derive(Clone, Debug)]
pub struct Unknown {
    pub place: Place,
    pub name: String,
}

/// Something that is wrong with a file.
#[derive(Clone, Debug)]
pub struct Problem {
    pub place: Place,
    pub code: &'static str,
    pub message: String,
}

/// Whether a path is that of a Java file.
pub fn is_java(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "java")
}

/// Slices a Java program.
pub fn slice(request: &Request, _control: &Control) -> Result<Sliced, Error> {
    let mut paths = vec![request.target.file.clone()];
    paths.extend(request.also.iter().map(|also| also.file.clone()));
    if let Which::To(to) = &request.which {
        paths.push(to.file.clone());
    }
    paths.extend(request.projects.iter().cloned());
    let program = load(&paths, is_test(&request.target.file))?;
    let members = match request.before {
        true => When::Before,
        false => When::After,
    };
    let find = |target: &Target, occurrence| find(&program, target, occurrence, members);
    let mut wanted = find(&request.target, request.occurrence)?;
    for also in &request.also {
        wanted.extend(find(also, None)?);
    }
    let to = match &request.which {
        Which::To(to) => find(to, None)?,
        _ => Vec::new(),
    };
    let all: Vec<Wanted> = wanted.iter().chain(&to).copied().collect();
    let graph = Graph::build(&program, &all);
    let slice = match &request.which {
        Which::Backward => graph.backward(&wanted),
        Which::Forward => graph.forward(&wanted),
        Which::To(_) => graph.chop(&wanted, &to),
    };
    let why = match &request.why {
        Some(why) => Some(way_to(&program, &slice, &request.target.file, why)?),
        None => None,
    };
    Ok(answer(&program, &graph, &slice, &wanted, why))
}

/// What is wrong with Java files: their syntax, and names that mean nothing.
pub fn check(paths: &[PathBuf]) -> Result<Vec<Problem>, Error> {
    let files = read(paths, true)?;
    let mut problems = Vec::new();
    let program = Program::new(files);
    for (index, file) in program.files.iter().enumerate() {
        for diagnostic in &file.tree.diagnostics {
            problems.push(Problem {
                place: place(&file.path, &file.tree, diagnostic.span),
                code: diagnostic.code,
                message: diagnostic.message.clone(),
            });
        }
        if file.tree.diagnostics.is_empty() {
            for (node, name) in program.unresolved(FileId(index as u32)) {
                problems.push(Problem {
                    place: place(&file.path, &file.tree, file.tree.span(node)),
                    code: "cant.resolve",
                    message: format!("nothing here is called `{name}`"),
                });
            }
        }
    }
    Ok(problems)
}

fn is_test(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    parts.windows(2).any(|pair| pair == ["src", "test"])
}

/// Reads a program; a file with errors is the end.
fn load(paths: &[PathBuf], with_tests: bool) -> Result<Program, Error> {
    let files = read(paths, with_tests)?;
    for file in &files {
        if let Some(first) = file.tree.diagnostics.first() {
            let (line, column) = file.tree.source.place(first.span.start);
            let message = format!("line {line}, column {column}: {}", first.message);
            return Err(Error::file(&file.path, message));
        }
    }
    Ok(Program::new(files))
}

fn read(paths: &[PathBuf], with_tests: bool) -> Result<Vec<SourceFile>, Error> {
    let mut found = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => below(path, with_tests, &mut found)?,
            false => found.push(path.clone()),
        }
    }
    let mut known = std::collections::BTreeSet::new();
    let mut files = Vec::new();
    for path in found {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !known.insert(real) {
            continue;
        }
        if !is_java(&path) {
            return Err(Error::file(&path, "this is no Java file: its name does not end in .java"));
        }
        let bytes = fs::read(&path).map_err(|error| Error::file(&path, error))?;
        let tree = Arc::new(java::read(&bytes));
        files.push(SourceFile { path, tree });
    }
    Ok(files)
}

/// The Java files below a directory, in the order of their names.
fn below(dir: &Path, with_tests: bool, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let entries = fs::read_dir(dir).map_err(|error| Error::file(dir, error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_unstable();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            let is_built = matches!(name, "target" | "build" | "out" | "bin");
            if !name.starts_with('.') && !is_built && (with_tests || !is_test(&path)) {
                below(&path, with_tests, found)?;
            }
        } else if is_java(&path) && !matches!(name, "module-info.java" | "package-info.java") {
            found.push(path);
        }
    }
    Ok(())
}

fn file_of(program: &Program, path: &Path) -> Result<FileId, Error> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let wanted = real(path);
    let found = program.files.iter().position(|file| real(&file.path) == wanted);
    found.map(|index| FileId(index as u32)).ok_or_else(|| {
        Error::Missing(format!("{} is not one of the files of the program", path.display()))
    })
}

fn find(
    program: &Program,
    target: &Target,
    occurrence: Option<u32>,
    members: When,
) -> Result<Vec<Wanted>, Error> {
    let file = file_of(program, &target.file)?;
    let criterion = Criterion {
        file,
        line: target.line,
        column: target.column,
        name: target.variable.clone(),
        occurrence,
    };
    let sites = program.find(&criterion).map_err(|error| {
        let message = match error {
            CriterionError::NoLine { line, lines } => {
                format!("there is no line {line}: it has {lines}")
            }
            CriterionError::NoOccurrence { line, count } => {
                format!("line {line} has only {count} of them")
            }
            CriterionError::Nothing { line, others } if others.is_empty() => {
                format!("there is no such value on line {line}")
            }
            CriterionError::Nothing { line, others } => {
                format!("there is no such value on line {line}; there are {}", others.join(", "))
            }
        };
        Error::Missing(format!("{}: {message}", target.file.display()))
    })?;
    Ok(sites.into_iter().map(|site| Wanted { site, members: Some(members) }).collect())
}

/// The way from the criterion to what stands at a place, `[FILE:]LINE[:COL]`.
fn way_to(
    program: &Program,
    slice: &Slice<'_>,
    file: &Path,
    why: &str,
) -> Result<Vec<Step>, Error> {
    let full = match why.split(':').next().map(str::parse::<u32>) {
        Some(Ok(_)) => format!("{}:{why}", file.display()),
        _ => why.to_string(),
    };
    let target = Target::parse(&full)?;
    let file = file_of(program, &target.file)?;
    let nodes = slice.begin_on(file, target.line, target.column);
    for &node in &nodes {
        if let Some(steps) = slice.why(Site { file, node }) {
            return Ok(steps
                .into_iter()
                .map(|step| Step {
                    place: place_of(program, step.site),
                    text: text_of(program, step.site),
                    role: step.role,
                    dependence: step.dependence,
                })
                .collect());
        }
    }
    let is_shown = nodes.iter().any(|&node| slice.contains(Site { file, node }));
    Err(Error::Missing(match (nodes.is_empty(), is_shown) {
        (true, _) => format!("nothing begins at {full}"),
        (_, true) => {
            format!("what begins at {full} is in the slice only because the text needs it")
        }
        _ => format!("what begins at {full} is not in the slice"),
    }))
}

fn answer(
    program: &Program,
    graph: &Graph<'_>,
    slice: &Slice<'_>,
    wanted: &[Wanted],
    why: Option<Vec<Step>>,
) -> Sliced {
    let files = program.files.iter().enumerate().map(|(index, file)| {
        let id = FileId(index as u32);
        SlicedFile {
            path: file.path.clone(),
            original: file.tree.source.text.to_string(),
            text: slice.source(id).map(str::to_owned),
            ranges: slice.ranges(id),
        }
    });
    let (nodes, edges) = slice.graph();
    let nodes = nodes.into_iter().map(|(id, site, role)| Node {
        id,
        file: site.file.0 as usize,
        place: place_of(program, site),
        text: text_of(program, site),
        role,
        around: program.around(site),
    });
    Sliced {
        files: files.collect(),
        criteria: wanted.iter().map(|wanted| place_of(program, wanted.site)).collect(),
        size: slice.size(),
        of: program.files.iter().map(|file| file.tree.nodes.len()).sum(),
        why,
        nodes: nodes.collect(),
        edges: edges.into_iter().map(|(from, to, kind)| Edge { from, to, kind }).collect(),
        unknown: graph
            .unknown()
            .into_iter()
            .map(|(site, name)| Unknown { place: place_of(program, site), name: name.to_owned() })
            .collect(),
        is_open: graph.is_open,
    }
}

fn text_of(program: &Program, site: Site) -> String {
    let tree = program.tree(site.file);
    tree.text(site.node).lines().next().unwrap_or_default().to_owned()
}

fn place_of(program: &Program, site: Site) -> Place {
    let file = &program.files[site.file.0 as usize];
    place(&file.path, &file.tree, file.tree.span(site.node))
}

fn place(path: &Path, tree: &java::tree::Tree, span: java::source::Span) -> Place {
    let (line, column) = tree.source.place(span.start);
    let (end_line, end_column) = tree.source.place(span.end);
    let file = path.to_string_lossy().into_owned();
    Place { file, line, column, end_line, end_column }
}
