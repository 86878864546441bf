//! Schedules as files: who acts when, so that a run can be run again.
//!
//! One text format for two kinds of runs:
//!
//! ```text
//! erlscope witness 1                                erlscope witness 1
//! directory: /home/me                               directory: /home/me
//! path: examples/ping_pong.erl                      path: examples/bank.erl
//! call: ping_pong:pong()                            call: bank:main()
//! finding: abnormal_exit <0.80.0> exits …           seed: 7
//! pids: 80/0 80/1                                   delivery: any
//! schedule: 80 81 81 80                             turns: 80:12w 80>81 81:40 81:7e
//! ```
//!
//! * `schedule`: one visible action after the other, of a Machine that is driven step by step
//!   (`machine::step`), as the explorer finds them. `81` is a process that does what it is about to
//!   do (a receive takes the first message that matches), `81!` one that gives up receiving, or
//!   reads the same time from a clock as the reading before it, `81@2` one that takes the message
//!   at that place of its mailbox (counted from 0), `t5` a timer by its reference, and `s6` a
//!   signal that arrives (delivery `any`), by its number. Where the steps begin with the word
//!   `clocks`, readings of clocks are steps, too; the word `dictionaries` says so of changes of
//!   dictionaries, the word `ends` of all moments inside of ends. `pids` gives numbers to
//!   processes: the n-th process that a process starts, in the order of the numbers.
//! * `turns`: one time slice after the other, of a whole node that runs freely (`erlscope run`).
//!   `81:40` is a process that makes 40 calls and could go on, `81:40w` one that then waits,
//!   `81:40e` one that then ends; `81:40*3` is three turns of this kind; `80>81` is a signal that
//!   arrives (delivery `any`). There may be several lines of turns.
//!
//! Paths are as they were given, in the `directory` of then: stack traces show them, and show the
//! same again where the run is repeated there ([`Witness::places`]).
//!
//! A trace holds the turns or the steps of its run, too ([`Witness::from_trace`]). `test: m:f` in
//! place of `call` is a test that was run by `erlscope test`, with the `filter` that was given. A
//! property that fails has neither schedule nor turns: its `input` is the list of values that it
//! does not hold for; where these cannot be written down, all of its `runs` are made again.
//!
//! What is not part of a schedule is what the World answered: files, environment, lines of input.
//! (Runs that are recorded or follow a schedule begin at a fixed time.) A run that reads a file
//! that has changed since departs from its schedule where that shows, and says so. A schedule that
//! is saved by `erlscope run` knows which files were read and what they were like
//! (`read: 1f3a… 120 notes.txt`, a hash and the length), so that whoever follows it can name those
//! that have changed.

use std::fmt::{self, Write as _};
use std::io::Read;
use std::path::{Path, PathBuf};

use machine::step::{Actor, Choice, Effect, Event as Done, Next};
use machine::{Machine, Pid};
use term::Ref;

use crate::event::{TurnEnd, What};
use crate::file::{Header, Problem, Reader};

/// One step of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub actor: Actor,
    /// A receive that takes no message, or a reading of a clock that ties with the one before it.
    pub gives_up: bool,
    /// A receive that takes the message at this place of the mailbox, not the first that matches.
    pub takes: Option<u32>,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub steps: Vec<Step>,
    /// How often a process had to stop that could have gone on.
    pub preemptions: usize,
    /// Whether readings of clocks are steps ([`Machine::be_exact`]).
    pub has_clocks: bool,
    /// Whether changes of dictionaries are steps ([`Machine::show_dictionaries`]).
    pub has_dictionaries: bool,
    /// Whether all moments inside of ends are ([`Machine::take_ends_apart`]).
    pub has_ends: bool,
}

impl Schedule {
    /// Has a Machine that is about to follow the schedule stop where its steps do.
    pub fn prepare(&self, machine: &mut Machine) {
        if self.has_clocks {
            machine.be_exact(true);
        }
        if self.has_dictionaries {
            machine.show_dictionaries(true);
        }
        if self.has_ends {
            machine.take_ends_apart(true);
        }
    }

    /// The words before the steps.
    fn words(&self) -> String {
        let words = [
            (self.has_clocks, CLOCKS),
            (self.has_dictionaries, DICTIONARIES),
            (self.has_ends, ENDS),
        ];
        words.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| format!("{word} ")).collect()
    }

    /// The steps on one line.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&actor_text(step.actor));
            if step.gives_up {
                text.push('!');
            }
            if let Some(place) = step.takes {
                let _ = write!(text, "@{place}");
            }
        }
        text
    }
}

/// What happens next in a run of a whole node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A process runs: how many calls it makes, and how its turn ends.
    Run { pid: Pid, calls: u64, end: TurnEnd },
    /// A signal arrives.
    Arrive { from: Pid, to: Pid },
}

/// What a witness file holds.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Where the paths are relative to, if they are.
    pub directory: Option<String>,
    pub paths: Vec<String>,
    pub call: String,
    /// In place of a call: a test function, `module:function`, or a whole suite.
    pub test: Option<String>,
    /// Which cases of a suite are run.
    pub filter: Option<String>,
    pub finding: String,
    /// Who started the processes that were given numbers, in the order of the numbers.
    pub pids: Vec<(Pid, u32)>,
    /// A run driven step by step.
    pub schedule: Schedule,
    /// What random numbers were made from.
    pub seed: Option<u64>,
    /// How signals travel: `any`, or else they arrive at once.
    pub any_delivery: bool,
    /// A run of a whole node.
    pub turns: Vec<Turn>,
    /// Files that the run read.
    pub reads: Vec<ReadFile>,
    /// Contracts that were checked.
    pub contracts: Option<Checked>,
    /// Of a property: how many tests there were.
    pub runs: Option<u32>,
    /// Of a property: the values that it does not hold for, as text. They are run in place of all
    /// tests.
    pub input: Option<String>,
}

/// Which contracts were checked in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// Those that are declared, and specs.
    All,
    /// No specs.
    Declared,
}

impl Checked {
    fn name(self) -> &'static str {
        match self {
            Checked::All => "all",
            Checked::Declared => "declared",
        }
    }

    fn of_name(name: &str) -> Option<Checked> {
        [Checked::All, Checked::Declared].into_iter().find(|checked| checked.name() == name)
    }
}

/// A file as a run found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadFile {
    pub path: String,
    pub length: u64,
    pub hash: u64,
}

impl ReadFile {
    /// From the value of its line.
    fn from_text(text: &str) -> Option<ReadFile> {
        let mut words = text.splitn(3, ' ');
        let hash = u64::from_str_radix(words.next()?, 16).ok()?;
        let length = words.next()?.parse().ok()?;
        Some(ReadFile { path: words.next()?.to_owned(), length, hash })
    }
}

const FIRST_LINE: &str = "erlscope witness 1";

impl Witness {
    /// Of a program that was given by these paths.
    pub fn of(paths: &[PathBuf]) -> Witness {
        let directory = match paths.iter().all(|path| path.is_absolute()) {
            true => None,
            false => std::env::current_dir().ok().map(|path| path.display().to_string()),
        };
        let paths = paths.iter().map(|path| path.display().to_string()).collect();
        Witness { directory, paths, ..Witness::default() }
    }

    /// The paths, so that they lead from here to where they led then.
    pub fn places(&self) -> Vec<PathBuf> {
        let then = self.directory.as_deref().map(Path::new);
        let elsewhere = then.filter(|then| std::env::current_dir().ok().as_deref() != Some(then));
        let place = |path: &String| match elsewhere {
            Some(directory) => directory.join(path),
            None => PathBuf::from(path),
        };
        self.paths.iter().map(place).collect()
    }

    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        if let Some(directory) = &self.directory {
            let _ = writeln!(text, "directory: {directory}");
        }
        for path in &self.paths {
            let _ = writeln!(text, "path: {path}");
        }
        let one_line = self.finding.replace('\n', " ");
        let _ = match &self.test {
            Some(test) => writeln!(text, "test: {test}"),
            None => writeln!(text, "call: {}", self.call),
        };
        if let Some(filter) = &self.filter {
            let _ = writeln!(text, "filter: {filter}");
        }
        if !self.finding.is_empty() {
            let _ = writeln!(text, "finding: {one_line}");
        }
        if let Some(seed) = self.seed {
            let _ = writeln!(text, "seed: {seed}");
        }
        if self.any_delivery {
            text.push_str("delivery: any\n");
        }
        if let Some(contracts) = self.contracts {
            let _ = writeln!(text, "contracts: {}", contracts.name());
        }
        if let Some(runs) = self.runs {
            let _ = writeln!(text, "runs: {runs}");
        }
        if let Some(input) = &self.input {
            let _ = writeln!(text, "input: {}", input.replace('\n', " "));
        }
        for ReadFile { path, length, hash } in &self.reads {
            let _ = writeln!(text, "read: {hash:x} {length} {path}");
        }
        if !self.turns.is_empty() {
            write_turns(&self.turns, &mut text);
            return text;
        }
        // A property is run by its input, or by the seed.
        if self.test.is_some() {
            return text;
        }
        let pids = format!("pids: {}", pids_text(&self.pids));
        let _ = writeln!(text, "{}", pids.trim_end());
        let words = self.schedule.words();
        let schedule = format!("schedule: {words}{}", self.schedule.to_text());
        let _ = writeln!(text, "{}", schedule.trim_end());
        text
    }

    /// Reads a witness; says what is wrong with it.
    pub fn from_text(text: &str) -> Result<Witness, WitnessError> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(WitnessError::NoWitness);
        }
        let mut witness = Witness::default();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let (key, value) =
                line.split_once(':').ok_or_else(|| WitnessError::NoColon(line.to_owned()))?;
            let value = value.trim();
            match key {
                "directory" => witness.directory = Some(value.to_owned()),
                "path" => witness.paths.push(value.to_owned()),
                "read" => {
                    let read = ReadFile::from_text(value);
                    witness.reads.push(read.ok_or_else(|| no("file", value))?);
                }
                "call" => witness.call = value.to_owned(),
                "test" => witness.test = Some(value.to_owned()),
                "runs" => witness.runs = Some(value.parse().map_err(|_| no("number", value))?),
                "input" => witness.input = Some(value.to_owned()),
                "filter" => witness.filter = Some(value.to_owned()),
                "finding" => witness.finding = value.to_owned(),
                "seed" => {
                    let seed = value.parse().map_err(|_| no("seed", value))?;
                    witness.seed = Some(seed);
                }
                "delivery" => match value {
                    "any" => witness.any_delivery = true,
                    "instant" => witness.any_delivery = false,
                    _ => return Err(no("way of delivery", value)),
                },
                "contracts" => {
                    let checked = Checked::of_name(value).ok_or_else(|| no("contracts", value))?;
                    witness.contracts = Some(checked);
                }
                "turns" => {
                    for word in value.split_whitespace() {
                        read_turn(word, &mut witness.turns)?;
                    }
                }
                "pids" => witness.pids = pids_of(value)?,
                "schedule" => {
                    let mut steps = value.split(' ').filter(|word| !word.is_empty()).peekable();
                    witness.schedule.has_clocks = steps.next_if_eq(&CLOCKS).is_some();
                    witness.schedule.has_dictionaries = steps.next_if_eq(&DICTIONARIES).is_some();
                    witness.schedule.has_ends = steps.next_if_eq(&ENDS).is_some();
                    witness.schedule.steps = steps.map(step_of).collect::<Result<_, _>>()?;
                }
                _ => return Err(WitnessError::UnknownKey(key.to_owned())),
            }
        }
        Ok(witness)
    }
}

/// What is wrong with the text of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessError {
    /// The first line is another.
    NoWitness,
    /// A line without a key.
    NoColon(String),
    UnknownKey(String),
    /// A text that is none of what it should be.
    NotA {
        what: &'static str,
        text: String,
    },
}

fn no(what: &'static str, text: &str) -> WitnessError {
    WitnessError::NotA { what, text: text.to_owned() }
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessError::NoWitness => {
                write!(f, "this is no witness: the first line must be `{FIRST_LINE}`")
            }
            WitnessError::NoColon(line) => write!(f, "`{line}` has no colon"),
            WitnessError::UnknownKey(key) => write!(f, "`{key}` is not known"),
            WitnessError::NotA { what, text } => write!(f, "`{text}` is no {what}"),
        }
    }
}

impl std::error::Error for WitnessError {}

/// The word before the steps of a schedule in which readings of clocks are steps.
const CLOCKS: &str = "clocks";

/// And of one in which changes of dictionaries are.
const DICTIONARIES: &str = "dictionaries";

/// And of one in which all moments inside of ends are.
const ENDS: &str = "ends";

/// How many turns are written on a line.
const TURNS_A_LINE: usize = 16;

fn write_turns(turns: &[Turn], text: &mut String) {
    let mut rest = turns;
    let mut on_line = 0;
    while let Some(&first) = rest.first() {
        let same = rest.iter().take_while(|turn| **turn == first).count();
        let same = if matches!(first, Turn::Arrive { .. }) { 1 } else { same };
        text.push_str(if on_line == 0 { "turns: " } else { " " });
        write_turn(first, same, text);
        on_line += 1;
        if on_line == TURNS_A_LINE {
            text.push('\n');
            on_line = 0;
        }
        rest = &rest[same..];
    }
    if on_line > 0 {
        text.push('\n');
    }
}

fn write_turn(turn: Turn, times: usize, text: &mut String) {
    let _ = match turn {
        Turn::Run { pid, calls, end } => {
            let how = match end {
                TurnEnd::Yielded => "",
                TurnEnd::Waits => "w",
                TurnEnd::Ended => "e",
            };
            write!(text, "{}:{calls}{how}", pid.0)
        }
        Turn::Arrive { from, to } => write!(text, "{}>{}", from.0, to.0),
    };
    if times > 1 {
        let _ = write!(text, "*{times}");
    }
}

/// So many turns may one word stand for.
const MOST_TIMES: usize = 1 << 24;

fn read_turn(word: &str, turns: &mut Vec<Turn>) -> Result<(), WitnessError> {
    let bad = || no("turn", word);
    if let Some((from, to)) = word.split_once('>') {
        let pid = |text: &str| text.parse().map(Pid).map_err(|_| bad());
        turns.push(Turn::Arrive { from: pid(from)?, to: pid(to)? });
        return Ok(());
    }
    let (turn, times) = word.split_once('*').unwrap_or((word, "1"));
    let times = times.parse().ok().filter(|times| *times <= MOST_TIMES).ok_or_else(bad)?;
    let (pid, calls) = turn.split_once(':').ok_or_else(bad)?;
    let (calls, end) = match (calls.strip_suffix('w'), calls.strip_suffix('e')) {
        (Some(calls), _) => (calls, TurnEnd::Waits),
        (_, Some(calls)) => (calls, TurnEnd::Ended),
        _ => (calls, TurnEnd::Yielded),
    };
    let pid = Pid(pid.parse().map_err(|_| bad())?);
    let turn = Turn::Run { pid, calls: calls.parse().map_err(|_| bad())?, end };
    turns.extend(std::iter::repeat_n(turn, times));
    Ok(())
}

impl Witness {
    /// What the header of a trace of this run says.
    pub fn header(&self) -> Header {
        let mut header = Header::default();
        if let Some(directory) = &self.directory {
            header.add("directory", directory);
        }
        for path in &self.paths {
            header.add("path", path);
        }
        match &self.test {
            Some(test) => header.add("test", test),
            None => header.add("call", &self.call),
        }
        if let Some(filter) = &self.filter {
            header.add("filter", filter);
        }
        if !self.finding.is_empty() {
            header.add("finding", &self.finding);
        }
        if let Some(seed) = self.seed {
            header.add("seed", seed);
        }
        if self.any_delivery {
            header.add("delivery", "any");
        }
        if let Some(contracts) = self.contracts {
            header.add("contracts", contracts.name());
        }
        if let Some(runs) = self.runs {
            header.add("runs", runs);
        }
        if self.schedule.has_clocks {
            header.add(CLOCKS, "ordered");
        }
        if self.schedule.has_dictionaries {
            header.add(DICTIONARIES, "shown");
        }
        if self.schedule.has_ends {
            header.add(ENDS, "apart");
        }
        if !self.pids.is_empty() {
            header.add("pids", pids_text(&self.pids));
        }
        header
    }

    /// The turns or steps of a trace, and how its run was made.
    pub fn from_trace(input: impl Read) -> Result<Witness, Problem> {
        let mut reader = Reader::new(input)?;
        let header = &reader.header;
        let mut witness = Witness {
            directory: header.get("directory").map(str::to_owned),
            paths: header.all("path").map(str::to_owned).collect(),
            call: header.get("call").unwrap_or_default().to_owned(),
            test: header.get("test").map(str::to_owned),
            filter: header.get("filter").map(str::to_owned),
            finding: header.get("finding").unwrap_or_default().to_owned(),
            pids: pids_of(header.get("pids").unwrap_or_default())
                .map_err(|_| Problem::Damaged("the header's processes"))?,
            seed: header.get("seed").and_then(|seed| seed.parse().ok()),
            any_delivery: header.get("delivery") == Some("any"),
            contracts: header.get("contracts").and_then(Checked::of_name),
            runs: header.get("runs").and_then(|runs| runs.parse().ok()),
            ..Witness::default()
        };
        witness.schedule.has_clocks = header.get(CLOCKS).is_some();
        witness.schedule.has_dictionaries = header.get(DICTIONARIES).is_some();
        witness.schedule.has_ends = header.get(ENDS).is_some();
        for record in &mut reader {
            match record {
                Ok(record) => match (record.what, record.pid) {
                    (What::Turn { calls, end }, Some(pid)) => {
                        witness.turns.push(Turn::Run { pid, calls, end });
                    }
                    (What::Arrive { from, to }, _) => {
                        witness.turns.push(Turn::Arrive { from, to });
                    }
                    (What::Step { timer, gives_up, takes }, pid) => {
                        let actor = timer.map(Actor::Timer).or_else(|| pid.map(Actor::Process));
                        let actor = actor.ok_or(Problem::Damaged("a step that nobody takes"))?;
                        witness.schedule.steps.push(Step { actor, gives_up, takes });
                    }
                    (What::Signal { number }, _) => {
                        let actor = Actor::Signal(number);
                        witness.schedule.steps.push(Step { actor, gives_up: false, takes: None });
                    }
                    _ => {}
                },
                // What there is can be run again.
                Err(Problem::CutOff) => break,
                Err(problem) => return Err(problem),
            }
        }
        Ok(witness)
    }
}

fn pids_text(pids: &[(Pid, u32)]) -> String {
    let words: Vec<String> =
        pids.iter().map(|(parent, nth)| format!("{}/{nth}", parent.0)).collect();
    words.join(" ")
}

fn pids_of(text: &str) -> Result<Vec<(Pid, u32)>, WitnessError> {
    text.split(' ').filter(|word| !word.is_empty()).map(pid_of).collect()
}

fn pid_of(word: &str) -> Result<(Pid, u32), WitnessError> {
    let parts = word
        .split_once('/')
        .and_then(|(parent, nth)| Some((Pid(parent.parse().ok()?), nth.parse().ok()?)));
    parts.ok_or_else(|| no("parent/number", word))
}

fn step_of(word: &str) -> Result<Step, WitnessError> {
    let (name, takes) = match word.split_once('@') {
        Some((name, place)) => {
            let place = place.parse().map_err(|_| no("step", word))?;
            (name, Some(place))
        }
        None => (word, None),
    };
    let gives_up = name.ends_with('!');
    let name = name.trim_end_matches('!');
    let actor = actor_of(name).ok_or_else(|| no("step", word))?;
    Ok(Step { actor, gives_up, takes })
}

/// How an actor is written: `81` a process, `t5` a timer, `s6` a signal.
pub fn actor_text(actor: Actor) -> String {
    match actor {
        Actor::Process(pid) => pid.0.to_string(),
        Actor::Timer(reference) => format!("t{}", reference.0),
        Actor::Signal(reference) => format!("s{}", reference.0),
    }
}

/// Reads what [`actor_text`] wrote.
pub fn actor_of(word: &str) -> Option<Actor> {
    let number = |digits: &str| digits.parse().ok();
    match (word.strip_prefix('t'), word.strip_prefix('s')) {
        (Some(timer), _) => number(timer).map(|timer| Actor::Timer(Ref(timer))),
        (_, Some(signal)) => number(signal).map(|signal| Actor::Signal(Ref(signal))),
        _ => number(word).map(|pid| Actor::Process(Pid(pid))),
    }
}

/// Takes one step on a Machine, in Erlang's order of mailboxes. `None` if that is not possible.
pub fn take(machine: &mut Machine, step: Step) -> Option<Done> {
    let choice = choice(machine, step)?;
    machine.perform(step.actor, choice)
}

/// Takes all steps of a schedule on a Machine that is driven step by step and is about to begin.
/// Before each step `before` is told about it; who may act next has been looked at then. Whether
/// all of them were possible.
pub fn follow(
    machine: &mut Machine,
    schedule: &Schedule,
    mut before: impl FnMut(&Machine, Step),
) -> bool {
    schedule.prepare(machine);
    for pid in machine.pids().collect::<Vec<_>>() {
        machine.next(pid);
    }
    for &step in &schedule.steps {
        if let Actor::Process(pid) = step.actor {
            machine.next(pid);
        }
        before(machine, step);
        let Some(done) = take(machine, step) else { return false };
        for effect in &done.log.effects {
            if let Effect::Put { to: pid, .. } | Effect::Spawned(pid) = effect {
                machine.next(*pid);
            }
        }
    }
    true
}

/// What an actor is told to do by a step of a schedule.
pub fn choice(machine: &mut Machine, step: Step) -> Option<Choice> {
    let Actor::Process(pid) = step.actor else { return Some(Choice::Act) };
    match machine.next(pid) {
        Next::Receive(_) if step.gives_up => Some(Choice::GiveUp),
        Next::Receive(receive) => {
            Some(Choice::Take(step.takes.or_else(|| receive.matching.first().copied())?))
        }
        Next::Act if step.gives_up => Some(Choice::Tie),
        _ => Some(Choice::Act),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        let step = |actor, gives_up| Step { actor, gives_up, takes: None };
        let witness = Witness {
            paths: vec!["a b.erl".to_owned()],
            call: "m:f()".to_owned(),
            finding: "deadlock stuck: <0.80.0> waits".to_owned(),
            pids: vec![(Pid(0), 0), (Pid(80), 1)],
            schedule: Schedule {
                steps: vec![
                    step(Actor::Process(Pid(80)), false),
                    step(Actor::Process(Pid(81)), true),
                    step(Actor::Timer(Ref(5)), false),
                    step(Actor::Signal(Ref(6)), false),
                    Step { actor: Actor::Process(Pid(81)), gives_up: false, takes: Some(2) },
                ],
                preemptions: 0,
                has_clocks: true,
                has_dictionaries: true,
                has_ends: true,
            },
            ..Witness::default()
        };
        assert_eq!(Witness::from_text(&witness.to_text()), Ok(witness));
        let run = |pid, calls, end| Turn::Run { pid: Pid(pid), calls, end };
        let mut turns = vec![run(80, 4000, TurnEnd::Yielded); 20];
        turns.extend([run(81, 0, TurnEnd::Waits), run(80, 7, TurnEnd::Ended)]);
        turns.extend([Turn::Arrive { from: Pid(80), to: Pid(81) }; 2]);
        let witness = Witness {
            call: "m:f()".to_owned(),
            seed: Some(7),
            any_delivery: true,
            contracts: Some(Checked::Declared),
            turns,
            ..Witness::default()
        };
        let text = witness.to_text();
        assert!(text.ends_with("turns: 80:4000*20 81:0w 80:7e 80>81 80>81\n"), "{text}");
        assert_eq!(Witness::from_text(&text), Ok(witness));
        assert!(Witness::from_text("erlscope witness 1\nturns: 80:1*99999999999").is_err());
        assert!(Witness::from_text("x").is_err());
        assert!(Witness::from_text("erlscope witness 1\nschedule: 1 x").is_err());
    }
}
