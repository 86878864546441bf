//! `erlscope slice`: the part of a program that a value depends on.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use atom::Atom;
use flow::{Flow, Site};
use program::{LoadOptions, Program};
use report::slice as shown;
use report::{Format, Renderer, drawing};
use slice::{Criterion, Granularity, Graph, Options, Slice};
use syntax::ast::{Kind, NodeId};
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::source::FileId;

use crate::args::{Color, Slice as Arguments, SliceFormat};
use crate::exit::Exit;
use crate::front_end::{self, Reader};
use crate::output;

pub(crate) fn run(arguments: &Arguments, color: Color) -> io::Result<Exit> {
    match slice(arguments, color) {
        Ok(result) => result,
        Err(message) => {
            output::complain(&message);
            Ok(Exit::Unusable)
        }
    }
}

/// A place as it is written on the command line.
struct Place {
    file: PathBuf,
    line: u32,
    column: Option<u32>,
    variable: Option<String>,
}

/// `FILE:LINE[:COL][:VAR]`.
fn place(text: &str) -> Result<Place, String> {
    let wrong = || format!("`{text}` is no place such as bank.erl:42 or bank.erl:42:13");
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
    Ok(Place { file: file.into(), line, column, variable })
}

fn slice(arguments: &Arguments, color: Color) -> Result<io::Result<Exit>, String> {
    let first = place(&arguments.place)?;
    let program = load(arguments, &first.file)?;
    let flow =
        flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
    let options = Options {
        constraints: !arguments.no_constraints,
        granularity: if arguments.statements {
            Granularity::Statement
        } else {
            Granularity::Expression
        },
        clause_reachability: !arguments.all_clauses,
    };
    let graph = Graph::build(&program, &flow, options);
    let mut criteria = vec![find(
        &graph,
        &program,
        &first,
        first.variable.as_deref().unwrap_or(&arguments.variable),
        arguments.occurrence,
    )?];
    for also in &arguments.also {
        criteria.push(find_named(&graph, &program, also)?);
    }
    let slice = match &arguments.to {
        Some(to) => graph.chop(&criteria, &[find_named(&graph, &program, to)?]),
        None if arguments.forward => graph.forward(&criteria),
        None => graph.backward(&criteria),
    };
    if let Some(why) = &arguments.why {
        let text = explain(&program, &flow, &slice, &first.file, why)?;
        return Ok(output::write_all(text.as_bytes()).map(|()| Exit::NothingFound));
    }
    Ok(write(arguments, &flow, &slice, color))
}

/// Reads the program; a module that cannot be read or has errors is the end.
fn load(arguments: &Arguments, file: &Path) -> Result<Program, String> {
    let reader = Reader::new(&arguments.reading).map_err(|problem| problem.to_string())?;
    let options = LoadOptions {
        discover: reader.discover_options(&[], false),
        otp: arguments.reading.otp.clone(),
        without_otp: arguments.reading.no_otp,
        without_lint: false,
    };
    if !file.exists() {
        return Err(format!("{}: there is no such file", file.display()));
    }
    let mut paths = arguments.projects.clone();
    if paths.is_empty() {
        paths.push(file.to_path_buf());
    }
    let program = Program::load(&paths, &options).map_err(|error| error.to_string())?;
    if let Some(problem) = program.problems.first() {
        return Err(front_end::shown(problem).to_string());
    }
    let renderer = Renderer { format: Format::Short, colour: false };
    if let Some(module) = program.modules.iter().find(|module| module.has_errors()) {
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let found = renderer.render(&module.tree.files, module.diagnostics.iter().filter(is_error));
        return Err(format!(
            "{} has errors, so it cannot be sliced:\n{}",
            module.unit.path.display(),
            found.text().trim_end()
        ));
    }
    Ok(program)
}

/// The module of a file.
fn module_of(program: &Program, file: &Path) -> Result<Atom, String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let wanted = real(file);
    let found = program.modules.iter().find(|module| real(&module.unit.path) == wanted);
    found.map(|module| module.name).ok_or_else(|| {
        let paths: Vec<String> = program
            .modules
            .iter()
            .take(5)
            .map(|module| module.unit.path.display().to_string())
            .collect();
        format!(
            "{} is not one of the modules of the program, such as {}",
            file.display(),
            paths.join(", ")
        )
    })
}

fn find(
    graph: &Graph<'_>,
    program: &Program,
    place: &Place,
    variable: &str,
    occurrence: Option<u32>,
) -> Result<Site, String> {
    let is_variable = variable.starts_with(|c: char| c.is_uppercase() || c == '_');
    if !is_variable {
        return Err(format!("`{variable}` is no variable: its name does not begin as one"));
    }
    let module = module_of(program, &place.file)?;
    let criterion = Criterion {
        module,
        line: place.line,
        column: place.column,
        variable: Atom::new(variable),
        occurrence,
    };
    graph.find(&criterion).map_err(|error| format!("{}: {error}", place.file.display()))
}

fn find_named(graph: &Graph<'_>, program: &Program, text: &str) -> Result<Site, String> {
    let place = place(text)?;
    let Some(variable) = &place.variable else {
        return Err(format!("`{text}` names no variable, as bank.erl:42:Balance does"));
    };
    find(graph, program, &place, variable, None)
}

/// The way from the criterion to what stands at a place.
fn explain(
    program: &Program,
    flow: &Flow,
    slice: &Slice<'_>,
    file: &Path,
    why: &str,
) -> Result<String, String> {
    let full = match why.split(':').next().map(str::parse::<u32>) {
        Some(Ok(_)) => format!("{}:{why}", file.display()),
        _ => why.to_string(),
    };
    let place = place(&full)?;
    let module = module_of(program, &place.file)?;
    let position = flow.modules.iter().position(|known| known.name == module);
    let position = position.ok_or_else(|| format!("{why}: no module"))?;
    let tree = &flow.modules[position].tree;
    let mut candidates: Vec<(u32, NodeId)> = Vec::new();
    for index in 0..tree.nodes.len() as u32 {
        let node = NodeId(index);
        let span = tree.span(node);
        if span.file != FileId::MAIN || matches!(tree.kind(node), Kind::Function { .. }) {
            continue;
        }
        let loc = tree.file(FileId::MAIN).loc(span.start);
        if loc.line == place.line && place.column.is_none_or(|column| column == loc.column) {
            candidates.push((span.end - span.start, node));
        }
    }
    // Small things first where a column is given, else the largest that has an answer.
    candidates.sort_by_key(|&(size, node)| (size, node));
    if place.column.is_none() {
        candidates.reverse();
    }
    for (_, node) in candidates {
        let site = Site { module: position as u32, node };
        if let Some(steps) = slice.why(site) {
            return Ok(shown::why(flow, &steps));
        }
    }
    Err(format!("nothing that begins at {full} is in the slice"))
}

fn write(arguments: &Arguments, flow: &Flow, slice: &Slice<'_>, color: Color) -> io::Result<Exit> {
    if let Some(dir) = &arguments.output {
        std::fs::create_dir_all(dir)?;
        for module in slice.modules() {
            let text = slice.source(module).unwrap_or_default();
            std::fs::write(dir.join(format!("{}.erl", module.as_str())), text)?;
        }
        return Ok(Exit::NothingFound);
    }
    let mut out = output::stdout();
    match arguments.format {
        SliceFormat::Text if arguments.highlight => {
            let coloured = output::coloured(color, &io::stdout());
            out.write_all(shown::terminal(flow, slice, coloured).as_bytes())?;
        }
        SliceFormat::Text => {
            let modules = slice.modules();
            for &module in &modules {
                if modules.len() > 1 {
                    writeln!(out, "%% {}.erl", module.as_str())?;
                }
                out.write_all(slice.source(module).unwrap_or_default().as_bytes())?;
            }
        }
        SliceFormat::Json => shown::write_json(flow, slice, &mut out)?,
        SliceFormat::Html => out.write_all(shown::html(flow, slice).as_bytes())?,
        SliceFormat::Dot => {
            out.write_all(drawing::dot(&shown::picture(flow, slice)).as_bytes())?;
        }
        SliceFormat::Svg => {
            out.write_all(drawing::svg(&shown::picture(flow, slice)).as_bytes())?;
        }
    }
    out.flush()?;
    Ok(Exit::NothingFound)
}
