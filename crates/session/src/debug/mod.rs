//! Declarative debugging: a run as a tree of statements, and questions about them.
//!
//! [`record`] makes the run (again) and gives a [`Debugged`]; a front makes a [`Search`] on its
//! [`Debugged::shape`], shows the [`Question`] for the node that the search wants to know about,
//! hands over answers, and shows the [`Verdict`].

mod asserted;
mod compared;
mod happened;
mod kept;
mod matched;
mod oracles;
mod parts;
mod reference;
mod remade;
pub(crate) mod same;
mod situation;
mod specs;
mod unchanged;
mod verdict;
mod written;
mod zoom;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ::debug::record::{After, Effect, Outcome, Sent, Statement, StatementId, Taken};
use ::debug::{Doing, Recording, Run};
use ::trace::schedule::Witness;
use atom::{Atom, quote};
use machine::exception::Class;
use machine::observe::{Observer, Site};
use rustc_hash::FxHashMap;
use serde::Serialize;
use syntax::ast::Module;
use term::format::pretty;
use term::{Term, print};

pub use happened::{Happened, What};
pub use kept::Kept;
pub use oracles::{Oracles, Who};
pub use parts::RightValue;
pub use reference::Reference;
pub use written::Tests;
pub use zoom::{About, Detail, Variable, Zoom, Zoomed};

pub use ::debug::zoom::Part;
pub use ::debug::{Answer, Contradiction, Next, NodeIx, Search, Shape, Strategy, Trusted};

use crate::open::{Opened, ReadAs};
use crate::reading::Reading;
use crate::run::{self, Ending, LoadProblem};
use crate::running::{Delivery, Running, Telling};
use crate::{Control, Error, Excerpt, Place, again};

/// The run that is to be debugged.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// A call such as `m:f(1, [a])`.
    pub call: Option<String>,
    /// A recorded run in its place.
    pub recorded: Option<Witness>,
    /// Modules are read as they are for tests.
    pub with_tests: bool,
    pub delivery: Delivery,
    pub running: Running,
    pub reading: Reading,
}

/// A run as a tree of statements.
pub struct Debugged {
    run: Run,
    request: Request,
    /// More happened right below the run than is kept.
    pub is_cut: bool,
    /// The modules of the program.
    own: Vec<Atom>,
    /// How the run ended, where it was made here.
    pub ending: Option<Ending>,
    /// What the program wrote.
    pub output: String,
    /// Modules that could not be loaded.
    pub problems: Vec<LoadProblem>,
}

/// What is asked about a statement, values as Erlang text.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    pub process: String,
    /// `m:f/1`; of a fun where it is written in.
    pub function: String,
    pub call: String,
    /// What the process went on with, if it had waited.
    pub after: Option<Began>,
    pub outcome: Came,
    pub sent: Vec<Message>,
    pub spawned: Vec<String>,
    /// What was read from and written to tables and the dictionary.
    pub effects: Vec<Touched>,
    /// If it waited: what the calls gave that returned before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<Touched>,
    /// Messages that it did not take, though it waited for one until the run was over.
    pub ignored: Vec<String>,
    pub place: Option<Place>,
}

/// What a process went on with.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Began {
    Message {
        message: String,
        /// Messages that were there before and were left.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        passed: Vec<String>,
        place: Option<Place>,
    },
    TimeOut {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        passed: Vec<String>,
        place: Option<Place>,
    },
}

/// What a statement came to.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Came {
    Value {
        value: String,
    },
    Exception {
        class: &'static str,
        reason: String,
    },
    /// It waited for a message, in these calls of its own, and went on.
    Waited {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<String>,
    },
    /// A signal ended its process.
    Ended {
        reason: String,
    },
    /// It was not done when the run was over.
    Unfinished {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<String>,
    },
}

#[derive(Clone, Debug, Serialize)]
pub struct Message {
    pub to: String,
    pub message: String,
    /// The number of the event ([`Happened::number`]).
    #[serde(skip)]
    pub number: u32,
}

/// A look at, or a change of, a table or the dictionary.
#[derive(Clone, Debug, Serialize)]
pub struct Touched {
    pub call: String,
    pub result: Option<String>,
}

/// What is wrong.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub question: Question,
    pub kind: Blamed,
    /// The function, or the clause of the `receive`, or the place that waited, with what is
    /// evaluated behind it.
    pub source: Option<Excerpt>,
    /// The clause of the `receive` alone.
    clause: Option<Excerpt>,
    /// The part of it, if it was looked at from near.
    pub zoomed: Option<Zoomed>,
}

/// Which piece of the program is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blamed {
    /// What a function does when it is called.
    Function,
    /// What it does once a message is there.
    Receive,
    /// What it does after it waited in vain.
    After,
}

impl Blamed {
    /// A stable word, for machines.
    pub fn name(self) -> &'static str {
        match self {
            Blamed::Function => "function",
            Blamed::Receive => "receive",
            Blamed::After => "after",
        }
    }
}

/// A value as the shell shows it, on one line.
fn shown(term: &Term) -> String {
    let mut text = String::new();
    // Fails only for records that do not fit, of which there are none.
    let _ =
        pretty::print(term, &pretty::Options { line_length: 0, ..Default::default() }, &mut text);
    text
}

fn touched(effect: &Effect) -> Touched {
    let (module, name, _) = effect.function;
    let args: Vec<String> = effect.args.iter().map(shown).collect();
    let function = match module.as_str() {
        "erlang" => name.as_str().to_owned(),
        module => format!("{module}:{name}"),
    };
    let result = effect.result.as_ref().map(shown);
    Touched { call: format!("{function}({})", args.join(", ")), result }
}

/// So many calls above a statement are told.
const MOST_ABOVE: usize = 50;

/// Makes a run, or a recorded one again, and keeps its statements.
pub fn record(request: &Request, control: &Control) -> Result<Debugged, Error> {
    let own = own_modules(&open(request)?);
    let recording = Recording::new(own.iter().copied());
    let Made { ending, output, problems } =
        watch(request, Telling::Calls, recording.observer(), control)?;
    let (run, is_cut) = recorded(recording, request, &own, control)?;
    Ok(Debugged { run, is_cut, request: request.clone(), own, ending, output, problems })
}

/// What was recorded of a run, for which that is made again if it was too long; and whether some of
/// it is missing all the same.
fn recorded(
    recording: Recording,
    request: &Request,
    own: &[Atom],
    control: &Control,
) -> Result<(Run, bool), Error> {
    let kept = match recording.finish() {
        Ok(run) => return Ok((run, false)),
        Err(kept) => kept,
    };
    let is_cut = kept.is_cut;
    let again = Recording::of(own.iter().copied(), kept);
    watch(request, Telling::Calls, again.observer(), control)?;
    let run = again.finish().map_err(|_| Error::Missing("the run is too long".to_owned()))?;
    Ok((run, is_cut))
}

fn open(request: &Request) -> Result<Opened, Error> {
    let (paths, call) = match &request.recorded {
        Some(witness) => (witness.places(), Some(witness.call.clone())),
        None => (request.paths.clone(), request.call.clone()),
    };
    let is_test = request.recorded.as_ref().is_some_and(again::is_of_test);
    let read_as = if is_test || request.with_tests { ReadAs::Tests } else { ReadAs::Program };
    let running = match &request.recorded {
        Some(witness) => request.running.as_recorded(witness),
        None => request.running.clone(),
    };
    Opened::new(&paths, call.as_deref(), read_as, &running, &request.reading)
}

fn own_modules(opened: &Opened) -> Vec<Atom> {
    let units = &opened.sources.discovery.units;
    let name = |path: &std::path::Path| Some(Atom::new(path.file_stem()?.to_str()?));
    units.iter().filter_map(|unit| name(&unit.path)).collect()
}

/// A run that was made.
#[derive(Default)]
struct Made {
    /// How it ended, where that is known.
    ending: Option<Ending>,
    output: String,
    problems: Vec<LoadProblem>,
}

/// Makes a run with somebody who watches.
fn watch(
    request: &Request,
    telling: Telling,
    observer: Rc<dyn Observer>,
    control: &Control,
) -> Result<Made, Error> {
    if let Some(witness) = &request.recorded {
        // The turns of a recorded run are those of code with marks, or more.
        let telling = if telling == Telling::Calls { Telling::Nodes } else { telling };
        again::watch_closely(witness, &request.reading, telling, observer, control)?;
        return Ok(Made::default());
    }
    let request = run::Request {
        paths: request.paths.clone(),
        call: request.call.clone(),
        keep_output: true,
        with_tests: request.with_tests,
        delivery: request.delivery,
        running: request.running.clone(),
        reading: request.reading.clone(),
        ..run::Request::default()
    };
    let ran = run::observed(&request, telling, observer, control)?;
    Ok(Made { ending: Some(ran.ending), output: ran.output, problems: ran.problems })
}

/// What is known of statements of a run.
type Answers = Vec<(NodeIx, Answer)>;

impl Debugged {
    pub fn shape(&self) -> &Shape {
        &self.run.shape
    }

    /// How many statements the run has, kept or not.
    pub fn statements(&self) -> u64 {
        self.run.entered
    }

    /// The part of the run that is folded into a statement, as a run of its own, with what a search
    /// knows of it; nothing if there is no such part.
    pub fn within(
        &self,
        node: NodeIx,
        search: &Search<'_>,
        control: &Control,
    ) -> Result<Option<(Debugged, Answers)>, Error> {
        let Some(window) = self.run.window(node) else { return Ok(None) };
        let top = window.top;
        let recording = Recording::within(self.own.iter().copied(), window);
        watch(&self.request, Telling::Calls, recording.observer(), control)?;
        let (run, is_cut) = recorded(recording, &self.request, &self.own, control)?;
        let answers = self.taken_along(&run, top, search);
        let inner = Debugged {
            run,
            is_cut,
            request: self.request.clone(),
            own: self.own.clone(),
            ending: self.ending.clone(),
            output: String::new(),
            problems: Vec::new(),
        };
        // One that is not there would be looked for again and again.
        Ok(inner.run.find(top).is_some().then_some((inner, answers)))
    }

    /// What a search in this run means for a part of it below a statement that is wrong.
    fn taken_along(&self, part: &Run, top: ::debug::zoom::Target, search: &Search<'_>) -> Answers {
        let known: FxHashMap<_, NodeIx> = self
            .run
            .shape
            .nodes()
            .filter_map(|node| Some((self.run.statement(node)?.target, node)))
            .collect();
        let mut answers = Vec::new();
        for node in part.shape.nodes() {
            let Some(statement) = part.statement(node) else { continue };
            let outer = known.get(&statement.target);
            let answer = match outer {
                _ if statement.target == top => Some(Answer::Wrong),
                // What is beside it was not found to be to blame.
                _ if part.shape.parent(node) == NodeIx::ROOT => Some(Answer::Right),
                Some(&outer) => search.known(outer),
                None => None,
            };
            answers.extend(answer.map(|answer| (node, answer)));
        }
        answers
    }

    fn tree(&self, site: Site) -> Option<&Arc<Module>> {
        self.run.trees.get(&site.module)
    }

    fn place(&self, site: Site) -> Option<Place> {
        let tree = self.tree(site)?;
        Place::of(&tree.files, tree.span(site.node))
    }

    /// What a node says; none for the run as a whole.
    pub fn question(&self, node: NodeIx) -> Option<Question> {
        let statement = self.run.statement(node)?;
        let (module, name, arity) = statement.function;
        let named = self.name(statement, module, name);
        let outcome = match &statement.outcome {
            Outcome::Value(value) => Came::Value { value: shown(value) },
            Outcome::Exception { class, reason } => Came::Exception {
                class: match class {
                    Class::Error => "error",
                    Class::Exit => "exit",
                    Class::Throw => "throw",
                },
                reason: shown(reason),
            },
            Outcome::Waited => Came::Waited { within: self.open_calls(node) },
            Outcome::Ended(reason) => Came::Ended { reason: shown(reason) },
            Outcome::Unfinished => Came::Unfinished { within: self.open_calls(node) },
        };
        let (mut sent, mut spawned, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        for doing in self.run.doings(StatementId(self.run.shape.given(node)? as u32)) {
            match doing {
                Doing::Sent(Sent { to, message, number, .. }) => {
                    let (to, message) = (print::pid(*to), shown(message));
                    sent.push(Message { to, message, number: *number });
                }
                Doing::Spawned(new) => spawned.push(print::pid(new.pid)),
                Doing::Effect(effect) if effect.is_told() => effects.push(touched(effect)),
                Doing::Effect(_) => {}
            }
        }
        Some(Question {
            process: print::pid(statement.pid),
            function: format!("{named}/{arity}"),
            call: self.call(statement),
            after: statement.after.as_ref().map(|after| self.began(after)),
            outcome,
            sent,
            spawned,
            effects,
            returned: self.returned(node),
            ignored: self.ignored(node).iter().map(shown).collect(),
            place: self.place(statement.site),
        })
    }

    /// The calls that returned to a statement before it waited: what it knows then.
    fn returned(&self, node: NodeIx) -> Vec<Touched> {
        let waits = self.run.statement(node).map(|statement| &statement.outcome);
        if !matches!(waits, Some(Outcome::Waited | Outcome::Unfinished)) {
            return Vec::new();
        }
        let below = self.run.shape.children(node).filter_map(|below| self.run.statement(below));
        let returned = |below: &Statement| match &below.outcome {
            Outcome::Value(value) => {
                Some(Touched { call: self.call(below), result: Some(shown(value)) })
            }
            _ => None,
        };
        below.filter_map(returned).collect()
    }

    /// Messages that a statement, or what it waits in, did not take until the run was over.
    fn ignored(&self, node: NodeIx) -> &[Term] {
        let Some(given) = self.run.shape.given(node) else { return &[] };
        let id = StatementId(given as u32);
        let innermost = self.run.open_calls(id).last().copied().unwrap_or(id);
        self.run.get(innermost).map_or(&[], |innermost| &innermost.ignored)
    }

    /// The calls in which a statement waits.
    fn open_calls(&self, node: NodeIx) -> Vec<String> {
        let Some(given) = self.run.shape.given(node) else { return Vec::new() };
        let calls = self.run.open_calls(StatementId(given as u32));
        calls.into_iter().filter_map(|open| Some(self.call(self.run.get(open)?))).collect()
    }

    fn began(&self, after: &After) -> Began {
        let passed = after.passed.iter().map(shown).collect();
        match &after.taken {
            Taken::Message { message, at, .. } => {
                let place = at.and_then(|at| self.place(at));
                Began::Message { message: shown(message), passed, place }
            }
            Taken::TimeOut { at } => {
                Began::TimeOut { passed, place: at.and_then(|at| self.place(at)) }
            }
        }
    }

    /// A call as text.
    fn call(&self, statement: &Statement) -> String {
        let (module, name, _) = statement.function;
        let args: Vec<String> = statement.args.iter().map(shown).collect();
        format!("{}({})", self.name(statement, module, name), args.join(", "))
    }

    /// `m:f`, or for a fun the module and line where it is.
    fn name(&self, statement: &Statement, module: Atom, name: Atom) -> String {
        let module = quote::atom(module.as_str());
        match name.as_str().starts_with('-').then(|| self.place(statement.site)).flatten() {
            Some(place) => format!("fun {module}:{}", place.line),
            None => format!("{module}:{}", quote::atom(name.as_str())),
        }
    }

    /// The calls above a node, outermost first.
    pub fn path(&self, node: NodeIx) -> Vec<String> {
        let mut path = Vec::new();
        let mut above = self.run.shape.parent(node);
        while above != NodeIx::ROOT && path.len() < MOST_ABOVE {
            path.extend(self.run.statement(above).map(|statement| self.call(statement)));
            above = self.run.shape.parent(above);
        }
        path.reverse();
        path
    }

    /// What a reference version says of a node, if it can tell.
    pub fn judged(&self, reference: &Reference, node: NodeIx) -> Option<Answer> {
        let given = self.run.shape.given(node)?;
        reference.judge(&self.run, StatementId(given as u32))
    }

    /// Goes on with a search that knows the piece of the program, to the statement, as far as a
    /// reference version can tell.
    pub fn narrowed_by(&self, reference: &Reference, search: &mut Search<'_>) -> Next {
        search.narrow();
        loop {
            let node = match search.next() {
                Next::Ask(node) | Next::Confirm(node) => node,
                other => return other,
            };
            let answer = self.judged(reference, node).unwrap_or(Answer::DontKnow);
            if search.answer(node, answer).is_err() {
                return search.next();
            }
        }
    }

    /// The node of a statement that a message was sent in.
    pub fn sender(&self, node: NodeIx) -> Option<NodeIx> {
        let after = self.run.statement(node)?.after.as_ref()?;
        match after.taken {
            Taken::Message { sender: Some(sender), .. } => self.node(sender),
            _ => None,
        }
    }

    fn node(&self, id: StatementId) -> Option<NodeIx> {
        self.run.node(id)
    }
}
