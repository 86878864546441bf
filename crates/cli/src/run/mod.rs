//! `erlscope run`: a call, a module's `main/0` or a script's `main/1`, on a node of its own.

pub(crate) mod again;
pub(crate) mod record;
pub(crate) mod tell;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use atom::Atom;
use machine::flight::Delivery;
use machine::observe::Observer;
use program::project::UnitKind;
use runner::limits::{self, Limits};
use runner::loader::{Modules, Prefer, ProgramLoader};
use runner::run::{self, End};
use runner::scheduler::{InTurn, Scheduler, Shuffled};
use runner::schedules::{Following, Recording};
use runner::sources::Sources;
use runner::world::RealWorld;
use runner::world::permissions::Permissions;
use syntax::ast::{ExportKind, Kind, Module};
use trace::schedule::{Turn, Witness};

use crate::args::{Color, DeliveryMode, Run, RunFormat, Running};
use crate::exit::Exit;
use crate::front_end::{self, Reader};
use crate::guard;
use crate::limits as cut;
use crate::output;

pub(crate) fn run(run: &Run, color: Color) -> ExitCode {
    let schedule = match run.schedule.as_deref().map(record::read_schedule).transpose() {
        Ok(schedule) => schedule,
        Err(message) => {
            output::complain(&message);
            return Exit::Unusable.into();
        }
    };
    scheduled(run, schedule, color)
}

/// Runs, by a schedule if there is one.
pub(crate) fn scheduled(run: &Run, schedule: Option<Witness>, color: Color) -> ExitCode {
    // Visible actions one by one, as an exploration finds them.
    if let Some(witness) = schedule.as_ref().filter(|witness| witness.turns.is_empty()) {
        return crate::explore::replay_witness(witness, run);
    }
    match prepare(run, schedule) {
        Ok(prepared) => execute(run, prepared, color),
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}

/// Everything that has to be known before the node starts.
struct Prepared {
    loader: Rc<ProgramLoader>,
    limits: Limits,
    permissions: Permissions,
    /// How the run is made, for traces and schedules.
    made: Witness,
    /// What it has to follow.
    follow: Option<Vec<Turn>>,
}

fn prepare(run: &Run, schedule: Option<Witness>) -> Result<Prepared, String> {
    let reader = Reader::new(&run.reading).map_err(|problem| problem.to_string())?;
    let (paths, call) = match &schedule {
        Some(made) if run.what.is_empty() => (made.places(), Some(made.call.clone())),
        _ => split(&run.what),
    };
    let here = vec![PathBuf::from(".")];
    let wanted = match (&call, paths.is_empty()) {
        (Some(call), true) if is_library_call(call) => Vec::new(),
        (_, true) => here,
        _ => paths.clone(),
    };
    let options = reader.discover_options(&[], false);
    let sources = Sources::discover(&wanted, options, reader.library.clone());
    if let Some(problem) = sources.discovery.problems.first()
        && !paths.is_empty()
    {
        return Err(front_end::shown(problem).to_string());
    }
    let sources = Rc::new(sources);
    let prefer = if run.running.prefer_otp { Prefer::Otp } else { Prefer::Embedded };
    let loader = Rc::new(ProgramLoader::of(Modules::Sources(Rc::clone(&sources)), prefer));
    let call = match call {
        Some(call) if run.arguments.is_empty() => call,
        Some(_) => return Err("arguments after `--` are for a script, not for a call".to_owned()),
        None => match &paths[..] {
            [file] if file.is_file() => main_call(file, &sources, &loader, &run.arguments)?,
            [] => return Err("what shall be run? For example: erlscope run 'm:f()'".to_owned()),
            _ => return Err("which function? For example: erlscope run PATH 'm:f()'".to_owned()),
        },
    };
    run::entry(&loader, &call).map_err(|message| format!("cannot read `{call}`: {message}"))?;
    let permissions = permissions_of(&run.running, &paths, &reader)?;
    let mut made = record::provenance(&paths, &call, run);
    let follow = schedule.map(|schedule| {
        record::tell_changed(&schedule);
        made.seed = schedule.seed;
        made.any_delivery = schedule.any_delivery;
        schedule.turns
    });
    let limits = limits_of(&run.running)?;
    Ok(Prepared { loader, limits, permissions, made, follow })
}

/// What of the command line are paths, and which is the call.
pub(crate) fn split(what: &[String]) -> (Vec<PathBuf>, Option<String>) {
    match what.split_last() {
        Some((last, paths)) if is_call(last) => {
            (paths.iter().map(PathBuf::from).collect(), Some(as_call(last)))
        }
        _ => (what.iter().map(PathBuf::from).collect(), None),
    }
}

/// `m:f`, `m:f/0`, `m:f(...)`; what is a file is none.
fn is_call(text: &str) -> bool {
    let Some((module, rest)) = text.split_once(':') else { return false };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '-' | '\'' | ' ');
    let named = !module.is_empty() && module.chars().all(is_name) && !rest.is_empty();
    named && !Path::new(text).exists()
}

/// What is to be called, where it may be any expression.
pub(crate) fn meant(text: &str) -> String {
    if is_call(text) { as_call(text) } else { text.to_owned() }
}

/// A call as it was meant: with parentheses, and names in quotes that need them.
fn as_call(text: &str) -> String {
    let text = with_quotes(text.trim().trim_end_matches('.'));
    let without_arity = text.strip_suffix("/0").unwrap_or(&text);
    if without_arity.contains('(') { text } else { format!("{without_arity}()") }
}

/// The same with quotes around the names of its module and function, where they need them and have none: what stands
/// alone before a colon cannot be a variable.
fn with_quotes(text: &str) -> String {
    let Some((module, rest)) = text.split_once(':') else { return text.to_owned() };
    let end = rest.find(['(', '/']).unwrap_or(rest.len());
    let (function, rest) = rest.split_at(end);
    let is_plain = |name: &str| {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '-');
        !name.is_empty() && name.chars().all(is_name)
    };
    if !is_plain(module) || !is_plain(function) {
        return text.to_owned();
    }
    format!("{}:{}{rest}", atom::quote::atom(module), atom::quote::atom(function))
}

/// Whether a call is of a module that we have ourselves: then no project has to be looked for.
pub(crate) fn is_library_call(call: &str) -> bool {
    let module = call.split(':').next().unwrap_or_default();
    !Path::new("rebar.config").exists() && stdlib::module(module.trim_matches('\'')).is_some()
}

/// The call of a file's `main` function.
fn main_call(
    file: &Path,
    sources: &Sources,
    loader: &ProgramLoader,
    arguments: &[String],
) -> Result<String, String> {
    let unit =
        sources.unit_of(file).ok_or_else(|| format!("{}: not an Erlang file", file.display()))?;
    let found =
        sources.read(unit.clone()).map_err(|problem| front_end::shown(&problem).to_string())?;
    let module = module_name(&found.tree)
        .ok_or_else(|| format!("{}: there is no -module attribute", file.display()))?;
    if found.unit.kind == UnitKind::Escript {
        loader.add_own(module, &found);
    }
    let given: Vec<String> = arguments.iter().map(|text| atom::quote::string(text)).collect();
    let name = atom::quote::atom(module.as_str());
    let is_script = found.unit.kind == UnitKind::Escript;
    // What does not export it fails as it would in OTP, and says so.
    let takes_arguments = is_script
        || !arguments.is_empty()
        || (exports(&found.tree, "main", 1) && !exports(&found.tree, "main", 0));
    Ok(match takes_arguments {
        true => format!("{name}:main([{}])", given.join(", ")),
        false => format!("{name}:main()"),
    })
}

fn module_name(tree: &Module) -> Option<Atom> {
    tree.forms.iter().find_map(|&form| match tree.kind(form) {
        Kind::ModuleAttribute { name } => match tree.kind(name) {
            Kind::Atom(name) => Some(name),
            _ => None,
        },
        _ => None,
    })
}

/// Whether a module says that it exports a function.
fn exports(tree: &Module, function: &str, arity: usize) -> bool {
    tree.forms.iter().any(|&form| match tree.kind(form) {
        Kind::ExportAttribute { which: ExportKind::Functions, names } => {
            tree.list(names).iter().any(|&entry| {
                let text = tree.text(tree.span(entry));
                let mut parts = text.split('/').map(str::trim);
                parts.next() == Some(function) && parts.next() == Some(&arity.to_string())
            })
        }
        _ => false,
    })
}

pub(crate) fn limits_of(running: &Running) -> Result<Limits, String> {
    if running.max_memory.is_some() && limits::resident().is_none() {
        return Err("--max-memory is not supported on this system".to_owned());
    }
    Ok(Limits {
        steps: running.max_steps,
        virtual_time: running.max_time,
        real_time: running.timeout,
        memory: running.max_memory.or_else(limits::default_memory),
        over: Some(guard::bound),
    })
}

/// The limits of parse transforms where [`guard`] alone sees to time, so that a transform is stopped no earlier than
/// the guard knows of it, and tells.
pub(crate) fn limits_of_transforms(running: &Running) -> Result<Limits, String> {
    Ok(Limits { real_time: None, ..limits_of(running)? })
}

/// What the program may reach: its own files, OTP's, and what the user allows.
pub(crate) fn permissions_of(
    running: &Running,
    paths: &[PathBuf],
    reader: &Reader,
) -> Result<Permissions, String> {
    let mut permissions = Permissions::default();
    for path in paths {
        let dir = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
        permissions
            .allow_read(dir.filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    }
    if let Some(otp) = reader.library.otp() {
        permissions.allow_read(&otp.root);
    }
    for what in &running.allowed {
        permissions.parse(what).map_err(|message| format!("--allow: {message}"))?;
    }
    Ok(permissions)
}

pub(crate) fn scheduler_of(running: &Running, delivery: DeliveryMode) -> Box<dyn Scheduler> {
    match running.seed {
        Some(seed) => Box::new(Shuffled::new(seed)),
        None if delivery == DeliveryMode::Any => Box::new(Shuffled::new(0)),
        None => Box::new(InTurn),
    }
}

pub(crate) fn delivery_of(delivery: DeliveryMode) -> Delivery {
    match delivery {
        DeliveryMode::Instant => Delivery::Instant,
        DeliveryMode::Any => Delivery::Any,
    }
}

fn execute(run: &Run, prepared: Prepared, color: Color) -> ExitCode {
    let Prepared { loader, limits, permissions, mut made, follow } = prepared;
    let json = run.format == RunFormat::Json;
    let recorder = match record::recorder(&run.tracing, &loader, &made) {
        Ok(recorder) => recorder,
        Err(message) => {
            output::complain(&message);
            return Exit::Unusable.into();
        }
    };
    if run.tracing.trace_nodes {
        loader.mark_own();
    }
    let world = RealWorld::new(permissions, made.seed.unwrap_or(0));
    let recorded = recorder.is_some() || run.save_schedule.is_some() || follow.is_some();
    let world = if recorded { world.at_fixed_time() } else { world };
    let world = Rc::new(if json { world.keeping_output() } else { world });
    loader.limit_transforms(&limits);
    if let Some(kept) = world.kept() {
        guard::leave(move |why| cut::cut_run(why, &kept));
    }
    let mut machine = machine::Machine::new(loader.clone(), world.clone());
    let plain = run.arguments.clone();
    machine.state.arguments = Rc::new(machine::state::Arguments { flags: Vec::new(), plain });
    let mut departure = None;
    let (end, main) = match run::boot_machine(&mut machine) {
        Ok(()) => {
            if made.any_delivery {
                machine.set_delivery(Delivery::Any);
            }
            machine.observe(recorder.clone().map(|recorder| recorder as Rc<dyn Observer>));
            let following = follow.map(|turns| Rc::new(RefCell::new(Following::new(turns))));
            let scheduler: Box<dyn Scheduler> = match &following {
                Some(following) => Box::new(Rc::clone(following)),
                None => scheduler_of(&run.running, run.delivery),
            };
            let turns = run.save_schedule.as_ref().map(|_| Vec::new());
            let mut recording = Recording { scheduler, recorder: recorder.clone(), turns };
            let (end, main) = run::run(&mut machine, &mut recording, &limits);
            machine.observe(None);
            made.turns = recording.turns.unwrap_or_default();
            made.reads = record::reads(&world);
            departure = following.and_then(|following| following.borrow().departure().cloned());
            (end, Some(main))
        }
        Err(end) => (end, None),
    };
    // A module whose parse transform was stopped is missing only for that reason.
    let end = loader.stopped().map_or(end, |bound| End::Bound(bound, None));
    let value = match &end {
        End::Returned(value) if run.print && !json => Some(value.clone()),
        _ => None,
    };
    let teller = tell::Teller { machine: &machine, loader: &loader, main };
    let report = teller.report(&end, &world);
    let mut code = report.exit_code;
    let how = report.message.as_deref().unwrap_or(report.outcome);
    let written = [
        recorder.map_or(Ok(()), |recorder| record::finish(&run.tracing, &recorder, &machine, how)),
        record::save(run, &made),
    ];
    for problem in written.into_iter().filter_map(Result::err) {
        output::complain(&problem);
        code = Exit::Unusable.code();
    }
    if let Some(departure) = departure {
        output::complain(&teller.departure(&departure));
        code = code.max(Exit::Incomplete.code());
    }
    if json {
        let _ = output::document(report.to_json().as_bytes());
    } else {
        if let Some(value) = value {
            let _ = output::document(format!("{}\n", tell::shown(&value)).as_bytes());
        }
        teller.print(&end, &report, output::coloured(color, &std::io::stderr()));
    }
    // Taking a large heap apart takes time and changes nothing.
    std::mem::forget(machine);
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::as_call;

    #[test]
    fn calls_as_they_are_meant() {
        let calls = [
            ("m:f", "m:f()"),
            ("m:f/0", "m:f()"),
            ("m:f(1, X:y()).", "m:f(1, X:y())"),
            ("POPL_x:test", "'POPL_x':test()"),
            ("my-mod:Test/0", "'my-mod':'Test'()"),
            ("'POPL_x':test", "'POPL_x':test()"),
            ("POPL_x:test(\"a:b\")", "'POPL_x':test(\"a:b\")"),
            ("m:end", "m:'end'()"),
            ("length([a])", "length([a])"),
            ("[m:f() || _ <- [1]]", "[m:f() || _ <- [1]]"),
            ("1m:f", "'1m':f()"),
        ];
        for (written, meant) in calls {
            assert_eq!(as_call(written), meant, "{written}");
        }
    }
}
