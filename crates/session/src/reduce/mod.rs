//! Makes a failing program small: the program, the input of its call and its schedule, while the
//! finding stays the same.
//!
//! A candidate is run as the witness was: a call by its turns, a test by its function, a finding of
//! an exploration by looking for it in all schedules. Whether a failure is the same is said by
//! [`run`]: its kind, the words of its reason, and where it happens, by lines, which stay where
//! they are while parts are deleted. At last the text is closed up, written, and the finding is
//! looked for in what was written, replayed from the witness that belongs to it.

mod run;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ::inputs::Input;
use ::inputs::shrink::shrink;
use ::reduce::deletions::{deletions, size};
use ::reduce::search::search;
use ::reduce::{Edit, Judge, Options, Text};
use ::trace::schedule::Witness;
use atom::Atom;
use program::{LoadOptions, Program};
use syntax::ast::Module;
use syntax::source::FileId;
use types::Type;

use crate::again::{Recorded, is_of_test};
use crate::inputs::subject;
use crate::minimal::{self, Clock};
use crate::reading::{Reader, Reading, with_test_macro};
use crate::running::Running;
use crate::{Bound, Control, Error, explore, record, replay};
use run::{Failed, Runner, without_lines};

/// What is to be made small.
#[derive(Clone, Debug)]
pub struct Request {
    /// A witness, a schedule or a trace.
    pub witness: PathBuf,
    /// Where the small program and its witness go.
    pub output: PathBuf,
    /// Real time.
    pub budget: Option<Duration>,
    pub reading: Reading,
}

/// A failing program that was made small.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What fails and where, as in the program that it was found in.
    pub finding: String,
    /// The call that shows it, as it was and as it is.
    pub call_before: String,
    pub call: String,
    /// The modules, and the files that they are in.
    pub modules: Vec<(Atom, PathBuf, String)>,
    pub nodes_before: usize,
    pub nodes: usize,
    /// Steps or turns of the schedule.
    pub steps_before: usize,
    pub steps: usize,
    /// Programs that were run.
    pub candidates: u64,
    pub is_minimal: bool,
    /// The file that shows the finding once more.
    pub witness: PathBuf,
    /// Whether it did, when it was replayed.
    pub replayed: bool,
    pub stopped: Option<Bound>,
}

/// How often program and input are made small in turn.
const ROUNDS: usize = 3;

/// Inputs that are tried at most.
const INPUTS: u64 = 1_500;

/// Makes a failing program small.
pub fn reduce(request: &Request, control: &Control) -> Result<Answer, Error> {
    let witness = record::read_schedule(&request.witness)?;
    let clock = Clock::new(control, request.budget);
    let call = call_of(&witness)?;
    let program = Arc::new(load(&witness, &request.reading)?);
    let permissions =
        Running::default().permissions(&witness.places(), &Reader::new(&request.reading)?)?;
    let mut runner = Runner::new(&witness, &program, permissions, &clock.control())?;
    let all: Vec<(Atom, Arc<Module>)> =
        program.modules.iter().map(|module| (module.name, Arc::clone(&module.tree))).collect();
    let first = runner.first(&call, &all);
    let Some((failed, own)) = first else {
        let message = "the program does not fail any more when it is run so";
        return Err(Error::Trace {
            trace: request.witness.clone(),
            error: Box::new(Error::Failed(message.to_owned())),
        });
    };
    let texts = texts(&program, &own)?;
    let nodes_before = texts.iter().map(|text| size(&text.tree)).sum();
    let mut small = Small {
        runner,
        texts: Vec::new(),
        units: texts.iter().map(|text| unit_of(&program, text.name)).collect::<Result<_, _>>()?,
        call: call.clone(),
        failed,
        clock: &clock,
        candidates: 0,
    };
    let mut texts = texts;
    let mut is_minimal = false;
    for _ in 0..ROUNDS {
        let before = (small.call.clone(), texts.iter().map(|text| text.text.len()).sum::<usize>());
        small.shrink_input(&texts);
        let found = search(texts, &mut small, Options::default(), &|text, module| {
            let edits = deletions(&text.tree, module, &text.kept).into_iter();
            edits.map(|edit| edit.keeping_lines(&text.text)).collect()
        });
        texts = found.texts;
        is_minimal = found.is_minimal;
        let after = (small.call.clone(), texts.iter().map(|text| text.text.len()).sum::<usize>());
        if before == after || clock.is_over() {
            break;
        }
    }
    let texts = small.closed_up(texts);
    small.written(request, &witness, texts, (nodes_before, call, is_minimal), control)
}

/// The call that a witness makes.
fn call_of(witness: &Witness) -> Result<String, Error> {
    let Some(test) = &witness.test else { return Ok(witness.call.clone()) };
    let unable = |what: &str| Error::Failed(format!("{test}: {what} cannot be made small"));
    if witness.input.is_some() || witness.runs.is_some() {
        return Err(unable("a property"));
    }
    if test.ends_with('_') || !test.contains(':') {
        return Err(unable("a generator of tests, or a whole suite,"));
    }
    Ok(format!("{test}()"))
}

fn load(witness: &Witness, reading: &Reading) -> Result<Program, Error> {
    let discover = Reader::new(reading)?.discover_options(&[], false);
    let options = LoadOptions {
        discover: if is_of_test(witness) { with_test_macro(discover) } else { discover },
        otp: reading.otp.clone(),
        without_otp: reading.without_otp,
        without_lint: true,
    };
    let program = Program::load(&witness.places(), &options);
    let program = program.map_err(|error| Error::Failed(error.to_string()))?;
    match program.problems.first() {
        Some(problem) => Err(Error::from(problem)),
        None => Ok(program),
    }
}

fn unit_of(program: &Program, name: Atom) -> Result<program::project::Unit, Error> {
    let module = program.module(name);
    let module = module.ok_or_else(|| Error::Missing(format!("there is no module {name}")))?;
    Ok(module.unit.clone())
}

/// The texts of the modules that were loaded.
fn texts(program: &Program, own: &[Atom]) -> Result<Vec<Text>, Error> {
    let mut texts = Vec::new();
    for module in program.modules.iter().filter(|module| own.contains(&module.name)) {
        if runner::is_transformed(&module.tree, module.name, &module.unit.erl_opts) {
            let name = module.name;
            let message = format!("{name} is changed by a parse transform before it runs");
            return Err(Error::Failed(message));
        }
        let text = module.tree.files.first().map_or(String::new(), |file| file.text.to_string());
        let tree = Arc::clone(&module.tree);
        texts.push(Text { name: module.name, text, tree, kept: Vec::new() });
    }
    Ok(texts)
}

/// A program that is made small.
struct Small<'a> {
    runner: Runner,
    /// While the input is made small: the program.
    texts: Vec<(Atom, Arc<Module>)>,
    units: Vec<program::project::Unit>,
    call: String,
    failed: Failed,
    clock: &'a Clock<'a>,
    candidates: u64,
}

impl Judge for Small<'_> {
    fn read(&self, module: usize, text: &str) -> Option<Arc<Module>> {
        minimal::accepted(&self.units[module], text)
    }

    fn first(&mut self, texts: &[Text], edits: &[Edit]) -> Option<usize> {
        for (place, edit) in edits.iter().enumerate() {
            let text = edit.apply(&texts[edit.module].text);
            let Some(tree) = self.read(edit.module, &text) else { continue };
            let program = texts.iter().enumerate().map(|(module, text)| match module {
                _ if module == edit.module => (text.name, Arc::clone(&tree)),
                _ => (text.name, Arc::clone(&text.tree)),
            });
            let program: Vec<_> = program.collect();
            if self.fails(&program, &self.call.clone(), true).is_some() {
                return Some(place);
            }
        }
        None
    }

    fn is_over(&self) -> bool {
        self.clock.is_over()
    }

    fn at_once(&self) -> usize {
        1
    }
}

impl Small<'_> {
    /// The same finding, if a program shows it, with the same values if they count.
    fn fails(
        &mut self,
        program: &[(Atom, Arc<Module>)],
        call: &str,
        exactly: bool,
    ) -> Option<Failed> {
        self.candidates += 1;
        let known = self.failed.clone();
        self.runner.run(call, program, &|found| {
            found.key == known.key
                && (!exactly || found.exact == known.exact)
                && (!found.of_filler || known.of_filler)
        })
    }

    /// Makes the arguments of the call small.
    fn shrink_input(&mut self, texts: &[Text]) {
        let Ok((module, name, input)) = subject::called(&self.call) else { return };
        let Input::Tuple(args) = &input else { return };
        if args.is_empty() || self.call.contains(::inputs::input::MODULE) {
            return;
        }
        self.texts = texts.iter().map(|text| (text.name, Arc::clone(&text.tree))).collect();
        let written = |input: &Input| crate::inputs::Call::Function(module, name).text(input);
        let ty = Type::tuple(vec![Type::Any; args.len()]);
        let shrunk = shrink(&ty, &input, INPUTS, &mut |input| {
            let program = std::mem::take(&mut self.texts);
            let is_over = self.clock.is_over();
            let failed = if is_over { None } else { self.fails(&program, &written(input), false) };
            self.texts = program;
            failed.is_some()
        });
        let call = written(&shrunk.input);
        let program = std::mem::take(&mut self.texts);
        // From now on it is with these values.
        if let Some(failed) = self.fails(&program, &call, false) {
            (self.call, self.failed) = (call, failed);
        }
    }

    /// The texts without the gaps that deleting has left, if the finding is still there.
    fn closed_up(&mut self, texts: Vec<Text>) -> Vec<Text> {
        let closed = texts.iter().enumerate().map(|(module, text)| {
            let closed = minimal::tidied(&text.text);
            let tree = self.read(module, &closed)?;
            Some(Text { text: closed, tree, ..text.clone() })
        });
        let Some(closed) = closed.collect::<Option<Vec<Text>>>() else { return texts };
        let program: Vec<_> =
            closed.iter().map(|text| (text.name, Arc::clone(&text.tree))).collect();
        let wanted = without_lines(&self.failed.key);
        let is_same = |failed: &Failed| without_lines(&failed.key) == wanted;
        match self.runner.run(&self.call.clone(), &program, &is_same) {
            Some(_) => closed,
            None => texts,
        }
    }

    /// Writes the program and its witness, and replays that.
    fn written(
        self,
        request: &Request,
        before: &Witness,
        texts: Vec<Text>,
        (nodes_before, call_before, is_minimal): (usize, String, bool),
        control: &Control,
    ) -> Result<Answer, Error> {
        let dir = &request.output;
        std::fs::create_dir_all(dir).map_err(|error| Error::file(dir, error))?;
        let mut modules = Vec::new();
        for text in texts.iter().filter(|text| minimal::has_functions(&text.tree)) {
            let path = dir.join(format!("{}.erl", text.name));
            std::fs::write(&path, &text.text).map_err(|error| Error::file(&path, error))?;
            copy_headers(&text.tree, dir)?;
            modules.push((text.name, path, text.text.clone()));
        }
        let file = dir.join("reduced.witness");
        let paths: Vec<PathBuf> = modules.iter().map(|(_, path, _)| path.clone()).collect();
        let wanted = without_lines(&self.failed.key);
        let made = Made { paths, call: &self.call, before, wanted: &wanted, file: &file };
        let (steps, replayed) = made.witness(request, control)?;
        Ok(Answer {
            finding: self.failed.key,
            call_before,
            call: self.call,
            nodes_before,
            nodes: texts.iter().map(|text| size(&text.tree)).sum(),
            modules,
            steps_before: before.schedule.steps.len().max(before.turns.len()),
            steps,
            candidates: self.candidates,
            is_minimal,
            witness: file,
            replayed,
            stopped: self.clock.control().bound(),
        })
    }
}

/// The headers that a module still includes go with it.
fn copy_headers(tree: &Module, dir: &Path) -> Result<(), Error> {
    let text = &tree.file(FileId::MAIN).text;
    let wanted: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("-include(\"")?.split('"').next())
        .collect();
    for file in tree.files.iter().skip(1) {
        let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned());
        for include in &wanted {
            if name.as_deref() != Path::new(include).file_name().and_then(|name| name.to_str()) {
                continue;
            }
            let target = dir.join(include.trim_start_matches("../"));
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent).map_err(|error| Error::file(parent, error))?;
            }
            std::fs::write(&target, file.text.as_bytes())
                .map_err(|error| Error::file(&target, error))?;
        }
    }
    Ok(())
}

/// A small program that was written.
struct Made<'a> {
    paths: Vec<PathBuf>,
    call: &'a str,
    before: &'a Witness,
    wanted: &'a str,
    file: &'a Path,
}

impl Made<'_> {
    /// Makes the witness of a small program and replays it: how many steps it has, and whether it
    /// shows the finding.
    fn witness(&self, request: &Request, control: &Control) -> Result<(usize, bool), Error> {
        match Recorded::of(self.before) {
            Recorded::Actions => self.of_actions(request, control),
            Recorded::Test | Recorded::Call => self.of_turns(request, control),
        }
    }

    fn of_actions(&self, request: &Request, control: &Control) -> Result<(usize, bool), Error> {
        let delivery = match self.before.any_delivery {
            true => crate::Delivery::Any,
            false => crate::Delivery::Instant,
        };
        let again = explore::Request {
            paths: self.paths.clone(),
            what: explore::What::Call(self.call.to_owned()),
            max_executions: Some(EXECUTIONS),
            max_depth: EVENTS,
            delivery,
            reading: request.reading.clone(),
            ..explore::Request::default()
        };
        let answer = explore::explore(&again, &control.unheard())?;
        let is_it = |failure: &::explore::failure::Failure| {
            without_lines(&run::key_of(failure)) == self.wanted
        };
        let Some(explored) = answer.explored.first() else { return Ok((0, false)) };
        let place = explored.found.iter().position(|found| is_it(&found.finding.failure));
        let Some(mut witness) = place.and_then(|place| explored.witness(place, &again)) else {
            return Ok((0, false));
        };
        witness.finding = self.wanted.to_owned();
        record::save(self.file, &witness)?;
        let steps = witness.schedule.steps.len();
        let replayed = replay::replay(
            &replay::Request {
                witness,
                reading: request.reading.clone(),
                ..replay::Request::default()
            },
            &control.unheard(),
        )?;
        let shows = replayed.findings.iter().any(|found| is_it(&found.failure));
        Ok((steps, shows && replayed.whole))
    }

    fn of_turns(&self, request: &Request, control: &Control) -> Result<(usize, bool), Error> {
        let running = Running { seed: self.before.seed, ..Running::default() };
        let again = crate::run::Request {
            paths: self.paths.clone(),
            call: Some(self.call.to_owned()),
            keep_output: true,
            save_schedule: Some(self.file.to_owned()),
            with_tests: self.before.test.is_some(),
            running: Running { max_steps: Some(STEPS), ..running.clone() },
            reading: request.reading.clone(),
            ..crate::run::Request::default()
        };
        let first = crate::run::run(&again, &control.unheard())?;
        let mut witness = record::read_schedule(self.file)?;
        witness.finding = self.wanted.to_owned();
        record::save(self.file, &witness)?;
        let steps = witness.turns.len();
        let again = crate::run::Request { save_schedule: None, schedule: Some(witness), ..again };
        let second = crate::run::run(&again, &control.unheard())?;
        let told = |ran: &crate::run::Ran| format!("{:?}", ran.ending);
        let fails = !matches!(first.ending, crate::run::Ending::Returned(_));
        Ok((steps, fails && told(&first) == told(&second)))
    }
}

/// Executions that are looked at when the witness is made, events of one of them, and calls.
const EXECUTIONS: u64 = 20_000;
const EVENTS: usize = 5_000;
const STEPS: u64 = 2_000_000;
