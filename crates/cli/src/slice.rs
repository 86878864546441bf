//! `erlscope slice`: the part of a program that a value depends on.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use atom::Atom;
use flow::{Flow, Site};
use program::{LoadOptions, Program};
use report::slice as shown;
use report::slice::InRun;
use report::{Format, Renderer, drawing};
use slice::{
    Criterion, CriterionError, Extent, Granularity, Graph, Options, RunError, Slice, Watcher,
};
use syntax::ast::{Kind, NodeId};
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::source::FileId;

use crate::args::{Color, Slice as Arguments, SliceFormat};
use crate::exit::Exit;
use crate::front_end::{self, Reader};
use crate::output;
use crate::run::again;
use crate::run::record::read_schedule;
use crate::test::{is_of_test, with_test_macro};
use trace::schedule::Witness;

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
    let witness = arguments.trace.as_deref().map(read_schedule).transpose()?;
    let program = load(arguments, &first.file, witness.as_ref())?;
    let flow =
        flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
    let flow = Rc::new(flow);
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
    let mut in_run = None;
    let slice = match (&arguments.to, &witness) {
        (_, Some(witness)) => {
            let (slice, run) = of_run(arguments, &flow, &graph, criteria[0], witness)?;
            in_run = Some(run);
            slice
        }
        (Some(to), _) => graph.chop(&criteria, &[find_named(&graph, &program, to)?]),
        _ if arguments.forward => graph.forward(&criteria),
        _ => graph.backward(&criteria),
    };
    if let Some(why) = &arguments.why {
        let text = explain(&program, &flow, &slice, &first.file, why)?;
        return Ok(output::document(text.as_bytes()).map(|()| Exit::NothingFound));
    }
    Ok(write(arguments, &flow, &slice, in_run.as_ref(), color))
}

/// The slice of one value in a run: a first run counts how often there is one, a second one is recorded.
fn of_run<'g>(
    arguments: &Arguments,
    flow: &Rc<Flow>,
    graph: &'g Graph<'_>,
    criterion: Site,
    witness: &Witness,
) -> Result<(Slice<'g>, InRun), String> {
    let trace = arguments.trace.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let watched = |watcher: Watcher| {
        let watcher = Rc::new(watcher);
        again::watch(witness, &arguments.reading, watcher.clone())
            .map_err(|message| format!("{trace}: {message}"))?;
        Ok::<_, String>(watcher)
    };
    let place = format!("{} {}", arguments.place, arguments.variable);
    let times = watched(Watcher::counting(flow, criterion))?.hits();
    let time = arguments.nth.unwrap_or(times);
    match (times, time) {
        (0, _) => return Err(format!("{place} has no value in the run of {trace}")),
        (_, time) if time == 0 || time > times => {
            return Err(format!("{place} has a value {} in the run, not {time}", counted(times)));
        }
        _ => {}
    }
    let run = watched(Watcher::recording(flow, criterion, time))?.run();
    let run = run.ok_or_else(|| format!("{place} has no value in the run of {trace}"))?;
    let extent = if arguments.this_value { Extent::ThisValue } else { Extent::SameRun };
    let found = graph.in_run(criterion, &run, extent).map_err(|error| match error {
        RunError::OtherText(modules) => {
            let names: Vec<&str> =
                modules.iter().map(|&module| flow.modules[module as usize].name.as_str()).collect();
            format!(
                "{} was not run as it is written: a parse transform changed it",
                names.join(", ")
            )
        }
        RunError::NoValue => format!("{place} has no value in the run of {trace}"),
        RunError::TooLong => format!(
            "the run is too long to be sliced: {} calls up to there; --nth takes an earlier time",
            run.calls()
        ),
    })?;
    let mut inexact = Vec::new();
    if found.inexact.funs {
        inexact.push("a fun that was made several times counts as all of them".to_owned());
    }
    if found.inexact.states {
        inexact.push(
            "what is read of files or the environment counts as all that was written".to_owned(),
        );
    }
    if found.inexact.messages {
        inexact.push(
            "a message of a server of the library counts for all who may have asked for it"
                .to_owned(),
        );
    }
    if found.inexact.signals {
        inexact.push("an exit signal counts for all links, monitors and flags".to_owned());
    }
    let process = run.process().map(trace::show::pid).unwrap_or_default();
    Ok((found.slice, InRun { trace, time, times, process, inexact }))
}

/// How often something happens.
fn counted(times: u64) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}

/// What a slice of a run is of, as comments.
fn about(arguments: &Arguments, run: &InRun) -> String {
    let InRun { trace, time, times, process, inexact } = run;
    let (place, variable) = (&arguments.place, &arguments.variable);
    let which = match times {
        1 => String::new(),
        times => format!(", time {time} of {times}"),
    };
    let mut text = format!("%% {variable} at {place} in the run of {trace}{which}, in {process}\n");
    if !inexact.is_empty() {
        text.push_str(&format!("%% not exact: {}\n", inexact.join("; ")));
    }
    text
}

/// Reads the program; a module that cannot be read or has errors is the end.
fn load(arguments: &Arguments, file: &Path, witness: Option<&Witness>) -> Result<Program, String> {
    let reader = Reader::new(&arguments.reading).map_err(|problem| problem.to_string())?;
    let discover = reader.discover_options(&[], false);
    let is_test = witness.is_some_and(is_of_test);
    let options = LoadOptions {
        discover: if is_test { with_test_macro(discover) } else { discover },
        otp: arguments.reading.otp.clone(),
        without_otp: arguments.reading.no_otp,
        without_lint: false,
    };
    if !file.exists() {
        return Err(format!("{}: there is no such file", file.display()));
    }
    let mut paths = arguments.projects.clone();
    if let (Some(witness), true) = (witness, paths.is_empty()) {
        paths.extend(witness.places());
    }
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
    for &(_, node) in &candidates {
        let site = Site { module: position as u32, node };
        if let Some(steps) = slice.why(site) {
            return Ok(shown::why(flow, &steps));
        }
    }
    let file = tree.file(FileId::MAIN);
    let lines = file.line_starts.len() as u32 - u32::from(file.text.ends_with('\n'));
    let is_printed =
        |&(_, node): &(u32, NodeId)| slice.contains(Site { module: position as u32, node });
    Err(if place.line == 0 || place.line > lines {
        let error = CriterionError::NoLine { line: place.line, lines };
        format!("{}: {error}", place.file.display())
    } else if candidates.is_empty() {
        format!("no expression begins at {full}")
    } else if candidates.iter().any(is_printed) {
        format!("what begins at {full} is in the slice only because the text needs it")
    } else {
        format!("what begins at {full} is not in the slice")
    })
}

fn write(
    arguments: &Arguments,
    flow: &Flow,
    slice: &Slice<'_>,
    run: Option<&InRun>,
    color: Color,
) -> io::Result<Exit> {
    if let Some(dir) = &arguments.output {
        std::fs::create_dir_all(dir)?;
        for module in slice.modules() {
            let text = slice.source(module).unwrap_or_default();
            std::fs::write(dir.join(format!("{}.erl", module.as_str())), text)?;
        }
        return Ok(Exit::NothingFound);
    }
    let mut out = Vec::new();
    if let (Some(run), SliceFormat::Text) = (run, arguments.format) {
        out.write_all(about(arguments, run).as_bytes())?;
    }
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
        SliceFormat::Json => shown::write_json(flow, slice, run, &mut out)?,
        SliceFormat::Html => out.write_all(shown::html(flow, slice).as_bytes())?,
        SliceFormat::Dot => {
            out.write_all(drawing::dot(&shown::picture(flow, slice)).as_bytes())?;
        }
        SliceFormat::Svg => {
            out.write_all(drawing::svg(&shown::picture(flow, slice)).as_bytes())?;
        }
    }
    output::document(&out)?;
    Ok(Exit::NothingFound)
}
