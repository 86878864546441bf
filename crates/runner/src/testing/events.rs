//! What the library's test runners report, as data.
//!
//! The runners (`erlscope_eunit`, `erlscope_ct`, `erlscope_prop`) are Erlang code on the node; they
//! tell each start and end of a test or group as a term, which [`Collector`] makes into cases with
//! verdicts, times and what they printed. `stdlib/erl/otp/NATIVES.md` says which terms there are.

use atom::Atom;
use machine::exception::Class;
use machine::{Term, Unsupported};
use term::format::pretty;

/// How a test ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    Passed,
    Failed {
        class: Class,
        reason: Term,
        stack: Term,
    },
    /// `automatic`: because something failed before.
    Skipped {
        reason: String,
        automatic: bool,
    },
    /// It did not come to an end: timed out, its process was killed.
    Cancelled(String),
    /// Something around it failed: its setup, its cleanup, the function that makes the test.
    Aborted {
        what: String,
        class: Class,
        reason: Term,
        stack: Term,
    },
}

impl Verdict {
    pub fn is_good(&self) -> bool {
        matches!(self, Verdict::Passed | Verdict::Skipped { .. })
    }
}

/// A test that was run.
#[derive(Clone, Debug)]
pub struct Case {
    pub module: Atom,
    /// The function; for a test that is a fun, the one it is written in.
    pub function: String,
    pub title: Option<String>,
    /// Groups of a suite that the test is in.
    pub groups: Vec<String>,
    pub line: Option<u32>,
    pub verdict: Verdict,
    pub output: String,
    /// In virtual time.
    pub milliseconds: u64,
    pub comment: Option<String>,
    /// What the test asked for that is not supported.
    pub unsupported: Vec<Unsupported>,
    /// If it is a property: what else is known of it.
    pub property: Option<Property>,
}

/// What became of a property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Why it does not hold, if no exception says so: `false`, `{timeout, 10}`, …
    pub why: Option<Term>,
    /// Tests that were run, the failing one with them, and those that were not as `?IMPLIES` asks;
    /// not known of PropEr itself.
    pub tests: Option<u64>,
    pub rejected: u64,
    /// How often the counterexample was made smaller, and whether it cannot be any more.
    pub shrinks: u64,
    pub is_minimal: bool,
    /// The counterexample: what each `?FORALL` binds.
    pub values: Vec<Drawn>,
    /// As it was found.
    pub first: Vec<Drawn>,
    /// As text that can be read again, if it can.
    pub source: Option<String>,
    /// What was collected.
    pub statistics: String,
}

/// The value that a `?FORALL` binds.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The pattern, as it is written.
    pub name: String,
    pub value: Term,
    /// As source, where terms do not show what it is: funs.
    pub text: Option<String>,
}

impl Drawn {
    fn of(about: &Term) -> Option<Drawn> {
        let (name, value, text) = match about.as_tuple()? {
            [name, value] => (name, value, None),
            [name, value, text] => (name, value, text_of(text)),
            _ => return None,
        };
        Some(Drawn { name: text_of(name)?, value: value.clone(), text })
    }
}

impl Property {
    fn of(about: &Term) -> Property {
        let number = |key| get(about, key).and_then(|n| u64::try_from(n.as_int()?).ok());
        let values = |key| {
            let pairs = get(about, key).and_then(|list| list.to_vec()).unwrap_or_default();
            pairs.iter().filter_map(Drawn::of).collect()
        };
        Property {
            why: get(about, "why"),
            tests: number("tests"),
            rejected: number("rejected").unwrap_or(0),
            shrinks: number("shrinks").unwrap_or(0),
            is_minimal: get(about, "is_minimal").is_some_and(|is_so| is(&is_so, "true")),
            values: values("values"),
            first: values("first"),
            source: get(about, "source").and_then(|source| text_of(&source)),
            statistics: get(about, "statistics").and_then(|s| text_of(&s)).unwrap_or_default(),
        }
    }
}

impl Case {
    /// `function`, or `group:group:function`.
    pub fn path(&self) -> String {
        let mut parts = self.groups.clone();
        parts.push(self.function.clone());
        parts.join(":")
    }

    pub(super) fn ended(mut self, verdict: Verdict) -> Case {
        self.verdict = verdict;
        self
    }

    pub fn is_bad(&self) -> bool {
        !self.verdict.is_good() || !self.unsupported.is_empty()
    }
}

/// What is said of a test that was cancelled with what it is part of.
const NOT_ENDED: &str = "not run to its end";

/// Gathers events.
pub(super) struct Collector {
    module: Atom,
    /// The function whose tests are run now, where it is known.
    function: Option<String>,
    pub(super) cases: Vec<Case>,
    /// The test that is running, as far as known.
    pub(super) running: Option<Case>,
    /// Calls made when it began.
    pub(super) first_step: u64,
    unsupported: Vec<Unsupported>,
    /// Native functions that were missed: why a test fails, if it does.
    natives: Vec<Unsupported>,
}

impl Collector {
    pub(super) fn new(module: Atom) -> Collector {
        Collector {
            module,
            function: None,
            cases: Vec::new(),
            running: None,
            first_step: 0,
            unsupported: Vec::new(),
            natives: Vec::new(),
        }
    }

    /// A native function was called that is not there. The program may have another way to do it.
    pub(super) fn missed_native(&mut self, missed: Unsupported) {
        if !self.natives.contains(&missed) {
            self.natives.push(missed);
        }
    }

    pub(super) fn unsupported(&mut self, what: Unsupported) {
        if !self.unsupported.contains(&what) {
            self.unsupported.push(what);
        }
    }

    /// Takes an event in; whether a test began or ended by it.
    pub(super) fn event(&mut self, event: &Term, steps: u64, progress: &dyn Fn(&Case)) -> bool {
        let Some([kind, about]) = event.as_tuple() else { return false };
        let Some(kind) = kind.as_atom() else { return false };
        let case = self.case(about);
        match kind.as_str() {
            "group_begin" => {
                if let Some(function) = get(about, "function") {
                    self.function = Some(name_of(&function));
                }
                return false;
            }
            "test_begin" => self.running = Some(case),
            "test" => {
                let verdict =
                    get(about, "result").map_or(Verdict::Passed, |result| verdict(&result));
                self.finish(case.ended(verdict), progress);
            }
            "cancelled" => {
                let reason = get(about, "reason").unwrap_or(Term::UNDEFINED);
                let is_test = get(about, "type").is_some_and(|kind| is(&kind, "test"));
                let blames = reason.as_tuple().is_some_and(|reason| is(&reason[0], "blame"));
                if blames || (!is_test && is(&reason, "undefined")) {
                    return false;
                }
                let verdict =
                    aborted(&reason).unwrap_or_else(|| Verdict::Cancelled(why_cancelled(&reason)));
                // The process of the tests ended, and with it the test that is told already.
                if !is_test
                    && reason.as_tuple().is_some_and(|reason| is(&reason[0], "exit"))
                    && let Some(last) = self.cases.last_mut()
                    && matches!(&last.verdict, Verdict::Cancelled(why) if why == NOT_ENDED)
                {
                    last.verdict = verdict;
                    return false;
                }
                self.finish(case.ended(verdict), progress);
            }
            _ => return false,
        }
        self.first_step = steps;
        true
    }

    fn finish(&mut self, mut case: Case, progress: &dyn Fn(&Case)) {
        case.unsupported = std::mem::take(&mut self.unsupported);
        let natives = std::mem::take(&mut self.natives);
        if case.is_bad() {
            case.unsupported.extend(natives);
        }
        self.running = None;
        progress(&case);
        self.cases.push(case);
    }

    fn case(&self, about: &Term) -> Case {
        let text = |key| get(about, key).and_then(|value| text_of(&value));
        let module = get(about, "module").and_then(|name| name.as_atom()).unwrap_or(self.module);
        let id = get(about, "id").and_then(|id| id.to_vec()).unwrap_or_default();
        // The path of a suite: suite, groups, case. That of EUnit is made of numbers.
        let named = id.first().is_some_and(|first| first.as_atom().is_some());
        let groups: Vec<String> = match id.len() {
            3.. if named => id[1..id.len() - 1].iter().map(name_of).collect(),
            _ => Vec::new(),
        };
        let function = get(about, "function").map(|name| name_of(&name));
        let last = || id.last().filter(|_| named).map(name_of);
        let title = text("title");
        Case {
            module,
            function: function
                .or_else(last)
                .or_else(|| self.function.clone())
                .or_else(|| title.clone())
                .unwrap_or_default(),
            title: title.filter(|_| !named),
            groups,
            line: get(about, "line").and_then(|line| u32::try_from(line.as_int()?).ok()),
            verdict: Verdict::Passed,
            output: text("output").unwrap_or_default(),
            milliseconds: get(about, "time")
                .and_then(|time| u64::try_from(time.as_int()?).ok())
                .unwrap_or(0),
            comment: text("comment"),
            unsupported: Vec::new(),
            property: get(about, "property").map(|about| Property::of(&about)),
        }
    }
}

fn get(map: &Term, key: &str) -> Option<Term> {
    map.as_map()?.get(&Term::atom(key)).cloned()
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

pub(super) fn name_of(term: &Term) -> String {
    match term.as_atom() {
        Some(name) => name.to_string(),
        None => pretty::to_string(term),
    }
}

/// The text of a binary.
fn text_of(term: &Term) -> Option<String> {
    let bytes = term.as_bits()?.to_bytes()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn verdict(result: &Term) -> Verdict {
    match result.as_tuple() {
        Some([_, class, reason, stack]) => Verdict::Failed {
            class: Class::from_term(class).unwrap_or(Class::Error),
            reason: reason.clone(),
            stack: stack.clone(),
        },
        Some([_, reason]) => {
            let automatic = match reason.as_tuple() {
                Some([tag, inner]) if is(tag, "auto") => Some(inner),
                _ => None,
            };
            Verdict::Skipped {
                reason: shown(automatic.unwrap_or(reason)),
                automatic: automatic.is_some(),
            }
        }
        _ => Verdict::Passed,
    }
}

/// A reason that may be meant to be read.
fn shown(reason: &Term) -> String {
    machine::builtins::text_of(reason)
        .filter(|text| !text.is_empty())
        .or_else(|| text_of(reason))
        .unwrap_or_else(|| pretty::to_string(reason))
}

/// An entry of a stack trace on a line of its own.
fn frame(entry: &Term) -> Option<String> {
    let [module, function, arity, location] = entry.as_tuple()? else { return None };
    let arity = arity.as_int().or_else(|| Some(arity.to_vec()?.len() as i64))?;
    let mut file = String::new();
    let mut line = 0;
    for pair in location.to_vec()? {
        match pair.as_tuple() {
            Some([key, value]) if is(key, "file") => file = machine::builtins::text_of(value)?,
            Some([key, value]) if is(key, "line") => line = value.as_int()?,
            _ => {}
        }
    }
    let place = if file.is_empty() { String::new() } else { format!(" ({file}, line {line})") };
    Some(format!("\n  in {}:{}/{arity}{place}", module.as_atom()?, function.as_atom()?))
}

/// `{abort, {setup_failed, {Class, Reason, Stack}}}`,
/// `{abort, {generator_failed, {MFA, Exception}}}`.
fn aborted(reason: &Term) -> Option<Verdict> {
    let [tag, detail] = reason.as_tuple()? else { return None };
    let [what, inner] = detail.as_tuple().filter(|_| is(tag, "abort"))? else { return None };
    let exception = match inner.as_tuple()? {
        [_, exception] => exception,
        _ => inner,
    };
    let [class, reason, stack] = exception.as_tuple()? else { return None };
    Some(Verdict::Aborted {
        what: what.as_atom()?.as_str().replace('_', " "),
        class: Class::from_term(class)?,
        reason: reason.clone(),
        stack: stack.clone(),
    })
}

fn why_cancelled(reason: &Term) -> String {
    match reason.as_tuple() {
        Some([tag, detail]) if is(tag, "timeout") => {
            let stack = get(detail, "stacktrace").and_then(|stack| stack.to_vec());
            let frames = stack.unwrap_or_default().iter().filter_map(frame).collect::<Vec<_>>();
            format!("timed out{}", frames.concat())
        }
        Some([tag, detail]) if is(tag, "exit") => {
            format!("the test's process ended: {}", pretty::to_string(detail))
        }
        Some([tag, detail]) if is(tag, "abort") => pretty::to_string(detail),
        _ if is(reason, "timeout") => "timed out".to_owned(),
        _ if is(reason, "undefined") => NOT_ENDED.to_owned(),
        _ => pretty::to_string(reason),
    }
}
