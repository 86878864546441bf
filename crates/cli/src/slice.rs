//! `erlscope slice`: the part of a program that a value depends on.

use std::io;
use std::path::Path;

use atom::Atom;
use report::drawing;
use report::slice as shown;
use session::slice::{
    Granularity, InOneRun, InRun, Options, Request, Sliced, Target, Which, slice,
};
use session::{Running, minimal};

use crate::args::{Color, Slice as Arguments, SliceFormat};
use crate::exit::Exit;
use crate::front::{self, Failure, FileProblem};
use crate::{java, output};

pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<Exit, Failure> {
    let target = target(arguments)?;
    if java::is_asked(std::slice::from_ref(&target.file)) {
        return java::slice(arguments, target, color);
    }
    let request = request(arguments)?;
    slice(&request, &front::control(), |sliced| write(arguments, sliced, color))??;
    Ok(Exit::NothingFound)
}

/// The value that is asked for.
fn target(arguments: &Arguments) -> Result<Target, Failure> {
    let target = Target::parse(&arguments.place)?;
    let variable = target.variable.clone().or_else(|| arguments.variable.clone());
    Ok(Target { variable, ..target })
}

/// What the command line asks for.
fn request(arguments: &Arguments) -> Result<Request, Failure> {
    let target = target(arguments)?;
    let which = match (&arguments.to, &arguments.trace) {
        (_, Some(trace)) => Which::Run(InOneRun {
            trace: trace.clone(),
            nth: arguments.nth,
            this_value: arguments.this_value,
        }),
        (Some(to), None) => Which::To(Target::parse(to)?),
        (None, None) if arguments.forward => Which::Forward,
        (None, None) => Which::Backward,
    };
    let also = arguments.also.iter().map(|text| Target::parse(text));
    Ok(Request {
        target,
        occurrence: arguments.occurrence,
        which,
        also: also.collect::<Result<_, _>>()?,
        projects: arguments.projects.clone(),
        why: arguments.why.clone(),
        options: Options {
            constraints: !arguments.no_constraints,
            granularity: match arguments.statements {
                true => Granularity::Statement,
                false => Granularity::Expression,
            },
            clause_reachability: !arguments.all_clauses,
            exceptions: arguments.exceptions.into(),
        },
        minimal: arguments.minimal.then(|| arguments.small.request()),
        running: Running::default(),
        reading: arguments.reading.request(),
    })
}

/// What a slice of a run is of, as comments.
fn about(arguments: &Arguments, run: &InRun) -> String {
    let InRun { trace, time, times, process, bound_on, .. } = run;
    let place = &arguments.place;
    let what = arguments.variable.as_ref().map_or(String::new(), |name| format!("{name} at "));
    let which = match times {
        1 => String::new(),
        times => format!(", time {time} of {times}"),
    };
    let mut text = format!("%% {what}{place} in the run of {trace}{which}, in {process}\n");
    if let Some(line) = bound_on {
        text.push_str(&format!(
            "%% a match compares with it there; it has its value from line {line}\n"
        ));
    }
    let inexact = shown::inexact(run);
    if !inexact.is_empty() {
        text.push_str(&format!("%% not exact: {}\n", inexact.join("; ")));
    }
    text
}

fn write(arguments: &Arguments, sliced: &Sliced<'_>, color: Color) -> Result<(), Failure> {
    let Sliced { flow, slice, in_run, why, minimal } = sliced;
    if let (Some(found), Some(file)) = (minimal, &arguments.small.save_inputs) {
        save_inputs(found, file)?;
    }
    if let Some(dir) = directory(arguments) {
        std::fs::create_dir_all(dir)?;
        for (module, text) in modules(sliced) {
            std::fs::write(dir.join(format!("{}.erl", module.as_str())), text)?;
        }
        return Ok(());
    }
    let file = arguments.output.as_deref();
    if let Some(steps) = why {
        return output::write_document(file, &shown::why(flow, steps));
    }
    let text = match arguments.format {
        SliceFormat::Text => {
            let about = in_run.as_ref().map_or(String::new(), |run| about(arguments, run));
            let rests_on = minimal.as_ref().map_or(String::new(), shown::rests_on);
            let spared = shown::spared(slice, minimal.is_some());
            format!("{about}{spared}{rests_on}{}", text(arguments, sliced, color))
        }
        SliceFormat::Json => {
            let mut out = Vec::new();
            match minimal {
                Some(found) => shown::write_minimal_json(flow, slice, found, &mut out)?,
                None => shown::write_json(flow, slice, in_run.as_ref(), &mut out)?,
            }
            return output::write_bytes(file, &out);
        }
        SliceFormat::Html => shown::html(flow, slice),
        SliceFormat::Dot => drawing::dot(&shown::picture(flow, slice)),
        SliceFormat::Svg => drawing::svg(&shown::picture(flow, slice)),
    };
    output::write_document(file, &text)
}

/// Where the modules of a slice are to be written to, each into a file of its own.
fn directory(arguments: &Arguments) -> Option<&Path> {
    let is_program =
        arguments.format == SliceFormat::Text && !arguments.highlight && arguments.why.is_none();
    let path = arguments.output.as_deref().filter(|_| is_program)?;
    (path.is_dir() || path.extension().is_none()).then_some(path)
}

/// The modules of a slice, or the whole text with the slice in it.
fn text(arguments: &Arguments, sliced: &Sliced<'_>, color: Color) -> String {
    if arguments.highlight {
        let coloured = arguments.output.is_none() && output::coloured(color, &io::stdout());
        return shown::terminal(sliced.flow, sliced.slice, coloured);
    }
    let modules = modules(sliced);
    let mut text = String::new();
    for (module, source) in &modules {
        if modules.len() > 1 {
            text.push_str(&format!("%% {}.erl\n", module.as_str()));
        }
        text.push_str(source);
    }
    text
}

/// The texts of the modules of a slice.
fn modules(sliced: &Sliced<'_>) -> Vec<(Atom, String)> {
    match &sliced.minimal {
        Some(minimal) => minimal.modules.clone(),
        None => {
            let modules = sliced.slice.modules().into_iter();
            modules.map(|name| (name, sliced.slice.source(name).unwrap_or_default())).collect()
        }
    }
}

/// Writes the inputs that a slice rests on, as calls or as tests.
fn save_inputs(found: &minimal::Answer, file: &Path) -> Result<(), Failure> {
    let is_module = file.extension().is_some_and(|extension| extension == "erl");
    let text = match (is_module, file.file_stem().and_then(|stem| stem.to_str())) {
        (true, Some(name)) => found.tests(name),
        _ => found.calls_text(),
    };
    std::fs::write(file, text).map_err(FileProblem::at(file))?;
    Ok(())
}
