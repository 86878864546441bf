//! Reads and lints modules, on all cores, and hands them over in the order of the modules whichever
//! is finished first.
//!
//! What is made of a module (`show`, on the thread that read it) is kept until its turn comes; the
//! module itself is not.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use program::behaviours::BehaviourReader;
pub use program::check::Checked;
use program::project::{Discovery, Unit, discover};
use rayon::prelude::*;

use crate::control::Progress;
use crate::reading::{Reader, Reading, or_here};
use crate::{Control, Error};

/// How often it is looked whether to go on while nothing comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is to be checked.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// rebar3's profiles with which everything is read.
    pub profiles: Vec<String>,
    pub without_tests: bool,
    /// Also what OTP's compiler does not warn of.
    pub own_lints: bool,
    /// How many modules at the same time; as many as there are processors if none.
    pub jobs: Option<usize>,
    pub reading: Reading,
}

/// What became of a module, with its place in the order.
type Outcome<T> = (usize, Result<T, Error>);

/// How far the modules of a request were checked.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    pub modules: usize,
    pub of: usize,
}

/// The modules that a request names, and what is wrong with how they are found.
pub fn modules(request: &Request) -> Result<Discovery, Error> {
    let reader = Reader::new(&request.reading)?;
    let options = reader.discover_options(&request.profiles, request.without_tests);
    let mut discovery = discover(&or_here(&request.paths), &options, &reader.library);
    if request.own_lints {
        for unit in &mut discovery.units {
            let switch = program::lint::term::Term::atom(program::lint::own::SWITCH);
            Arc::make_mut(&mut unit.erl_opts).others.push(switch);
        }
    }
    Ok(discovery)
}

/// What is made of modules that are checked.
pub trait Taker<T>: Sized {
    type Error;
    type Answer;
    /// Takes what was made of a module, in the order of the modules. An error is the end.
    fn take(&mut self, outcome: Result<T, Error>) -> Result<(), Self::Error>;
    /// Everything that will be told is. Where the work was stopped some threads may still be busy
    /// with a module; whoever cannot wait for them may end the process here.
    fn finish(self, done: Done) -> Result<Self::Answer, Self::Error>;
}

/// Checks modules. `show` makes something of each where it was read.
pub fn check<T: Send, K: Taker<T>>(
    request: &Request,
    units: &[Unit],
    control: &Control,
    show: impl Fn(&Checked) -> T + Sync,
    mut taker: K,
) -> Result<K::Answer, K::Error> {
    control.hear(Progress::Checking { modules: units.len() });
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| work(units, request, control, &show, sender));
        let modules = in_order(receiver, control, &mut taker)?;
        taker.finish(Done { modules, of: units.len() })
    })
}

/// Reads and lints all modules; the sender is dropped at the end.
fn work<T: Send>(
    units: &[Unit],
    request: &Request,
    control: &Control,
    show: &(impl Fn(&Checked) -> T + Sync),
    sender: Sender<Outcome<T>>,
) {
    let behaviours = Arc::new(BehaviourReader::new(units));
    let all = || {
        units.par_iter().enumerate().for_each_with(sender, |sender, (index, unit)| {
            if !control.is_over() {
                // The receiver is gone if nothing can be taken any more: then stop, too.
                let _ = sender.send((index, guarded(unit, &behaviours, show)));
            }
        });
    };
    let jobs = request.jobs.unwrap_or(0);
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.install(all),
        Err(_) => all(),
    }
}

/// A defect of ours in one module must not hide what is known about the others.
fn guarded<T>(
    unit: &Unit,
    behaviours: &Arc<BehaviourReader>,
    show: &impl Fn(&Checked) -> T,
) -> Result<T, Error> {
    let checked = || {
        let checked = program::check::check(unit, Some(behaviours));
        checked.map(|checked| show(&checked)).map_err(|problem| Error::from(&problem))
    };
    catch_unwind(AssertUnwindSafe(checked)).unwrap_or_else(|_| {
        Err(Error::input(&unit.path, "internal error, please report it with this file"))
    })
}

/// Hands modules over as soon as all before them are; how many were done.
fn in_order<T, K: Taker<T>>(
    receiver: Receiver<Outcome<T>>,
    control: &Control,
    taker: &mut K,
) -> Result<usize, K::Error> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut done = 0;
    loop {
        let (index, outcome) = match receiver.recv_timeout(PATIENCE) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) if control.is_over() => break,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        control.hear(Progress::Checked);
        done += 1;
        waiting.insert(index, outcome);
        while let Some(outcome) = waiting.remove(&next) {
            next += 1;
            taker.take(outcome)?;
        }
    }
    // After an interruption there are gaps.
    for outcome in waiting.into_values() {
        taker.take(outcome)?;
    }
    Ok(done)
}
