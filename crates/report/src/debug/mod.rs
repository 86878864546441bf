//! Declarative debugging: questions and verdicts, for people and as JSON, one object a line.
//! `docs/json.md` documents the shape.

mod page;

pub use page::{Asked, Page, html};

use std::collections::BTreeMap;

use serde::Serialize;
use session::Place;
use session::debug::{
    About, Answer, Began, Blamed, Came, Contradiction, Detail, Message, Part, Question, Touched,
    Variable, Verdict, Who,
};
use session::run::{Ending, summary};
use syntax::wording::counted;

use crate::json::to_line;
use crate::text::excerpt_of;

/// Longer values are cut in the middle.
const LONGEST_VALUE: usize = 400;

/// What can be answered.
pub const HELP: &str = "\
y  yes, this is right
n  no, this is wrong (n 2 1: namely in its second element, there in the first)
v  v VALUE: it should have given this
m  a message did not come that it waited for; goes to who should have sent it (m <0.81.0>)
i  inadmissible: what it was given, or what it read, is wrong already
t  trust the function: it is right whatever it is given (tm: the module, tp: the process)
d  don't know
u  undo the last answer
s  another strategy: sd divide and query, st top-down, si informed (the default)
a  abort
h  this help
";

/// A value that is not too long to be read.
fn folded(text: &str) -> String {
    if text.chars().count() <= LONGEST_VALUE {
        return text.to_owned();
    }
    let half = LONGEST_VALUE / 2;
    let first: String = text.chars().take(half).collect();
    let last: Vec<char> = text.chars().rev().take(half).collect();
    let left = text.chars().count() - 2 * half;
    let last: String = last.into_iter().rev().collect();
    format!("{first} … {} … {last}", counted(left as u64, "more character"))
}

/// How the run ended.
pub fn ended(ending: &Ending) -> String {
    match ending {
        Ending::Returned(value) => format!("returned {}", folded(value)),
        Ending::Raised(raised) => {
            let exception = &raised.exception;
            format!("failed with {} {}", exception.class, folded(&exception.reason))
        }
        other => summary(other),
    }
}

/// What is asked, with what was sent and started.
pub fn question(question: &Question) -> String {
    let mut text = folded(&question.call);
    match &question.after {
        None => {}
        Some(Began::Message { message, passed, .. }) => {
            text += &format!("\n    went on with the message {}", folded(message));
            listed(&mut text, passed, |message| format!("and not with {}", folded(message)));
        }
        Some(Began::TimeOut { passed, .. }) => {
            text += "\n    went on after it had waited in vain";
            listed(&mut text, passed, |message| format!("and did not take {}", folded(message)));
        }
    }
    let next = if question.after.is_some() { "\n    and " } else { "\n    " };
    text += &match &question.outcome {
        Came::Value { value } if question.after.is_none() => format!(" = {}", folded(value)),
        Came::Value { value } => format!("{next}gave {}", folded(value)),
        Came::Exception { class, reason } => {
            format!("{next}failed with {class} {}", folded(reason))
        }
        Came::Waited { within } => format!("{next}waited for a message{}", calls(within)),
        Came::Ended { reason } => format!("{next}was ended: {}", folded(reason)),
        Came::Unfinished { within } => {
            format!("{next}was not done when the run was over{}", calls(within))
        }
    };
    let sent = |sent: &Message| format!("sent {} to {}", folded(&sent.message), sent.to);
    listed(&mut text, &question.sent, sent);
    listed(&mut text, &question.returned, |Touched { call, result }| {
        format!("got {} = {}", folded(call), folded(result.as_deref().unwrap_or_default()))
    });
    listed(&mut text, &question.effects, |Touched { call, result }| {
        let result = result.as_deref().map_or("failed".to_owned(), folded);
        format!("did {} = {result}", folded(call))
    });
    let ignored = |message: &String| format!("did not take {}", folded(message));
    listed(&mut text, &question.ignored, ignored);
    listed(&mut text, &question.spawned, |pid| format!("started {pid}"));
    text + "\n"
}

/// In which calls somebody waits.
fn calls(within: &[String]) -> String {
    match within.split_last() {
        None => String::new(),
        Some((innermost, _)) => format!(", in {}", folded(innermost)),
    }
}

/// So many things of a kind that a statement did are shown.
const MOST_SHOWN: usize = 12;

fn listed<T>(text: &mut String, all: &[T], line: impl Fn(&T) -> String) {
    for item in all.iter().take(MOST_SHOWN) {
        *text += &format!("\n    {}", line(item));
    }
    if all.len() > MOST_SHOWN {
        *text += &format!("\n    and {} more", all.len() - MOST_SHOWN);
    }
}

/// What an oracle answered.
pub fn said_by(answer: Answer, who: Who) -> String {
    let said = match answer {
        Answer::Wrong => "wrong",
        Answer::Inadmissible => "not to blame",
        _ => "right",
    };
    let who = match who {
        Who::Person => "you",
        Who::Earlier => "an earlier session",
        Who::Reference => "the reference",
        Who::Spec => "the spec",
        Who::Test => "a test",
    };
    format!("{said}, says {who}\n")
}

/// What is asked about a part of a function.
pub fn detail(detail: &Detail) -> String {
    let text = folded(&detail.text);
    let mut told = match &detail.about {
        About::Value { value } => format!("{text}\n    gave {}", folded(value)),
        About::Failed => format!("{text}\n    failed"),
        About::Chosen => format!("{text}\n    was chosen"),
        About::Condition { is_true: true } => format!("{text}\n    was true"),
        About::Condition { is_true: false } => format!("{text}\n    was not true"),
    };
    let mut word = "where";
    for Variable { name, value } in &detail.variables {
        told += &format!("\n    {word} {name} = {}", folded(value));
        word = "and";
    }
    told + "\n"
}

/// Where a part is.
pub fn place_of(detail: &Detail) -> String {
    match &detail.place {
        Some(place) => format!("{}:{}:{}", place.file, place.line, place.column),
        None => "?".to_owned(),
    }
}

/// Who did it, and where that is.
pub fn whereabouts(question: &Question) -> String {
    match &question.place {
        Some(place) => format!("{} in {}:{}", question.process, place.file, place.line),
        None => question.process.clone(),
    }
}

/// What is wrong.
pub fn verdict(verdict: &Verdict, colour: bool) -> String {
    let function = &verdict.question.function;
    let mut text = match verdict.kind {
        Blamed::Function => format!("{function} is wrong:\n"),
        Blamed::Receive => format!("what {function} does with this message is wrong:\n"),
        Blamed::After => format!("what {function} does when no message comes is wrong:\n"),
    };
    if let Some(source) = &verdict.source {
        text += &excerpt_of(source, colour);
    }
    if let Some(zoomed) = &verdict.zoomed {
        text += match zoomed.part {
            Part::Expression => "namely this expression:\n",
            Part::Pattern => "namely this pattern:\n",
            Part::Guard => "namely this guard:\n",
            Part::Clause => "namely this clause:\n",
        };
        text += &excerpt_of(&zoomed.source, colour);
    }
    text += "it is to blame for\n    ";
    text + question(&verdict.question).replace('\n', "\n    ").trim_end() + "\n"
}

/// Of two answers that cannot both be.
pub fn contradiction(contradiction: &Contradiction, subject: &str) -> String {
    let earlier = match contradiction.earlier.1 {
        Answer::Wrong => "wrong",
        _ => "right",
    };
    format!("this was said to be {earlier} before: {subject}")
}

#[derive(Serialize)]
struct JsonQuestion<'a> {
    question: usize,
    #[serde(flatten)]
    about: &'a Question,
}

/// A question as one line.
pub fn json_question(number: usize, question: &Question) -> String {
    to_line(&JsonQuestion { question: number, about: question })
}

#[derive(Serialize)]
struct JsonEnd<'a> {
    verdict: Option<JsonVerdict<'a>>,
    /// Functions that could be wrong, where the answers did not suffice.
    open: Vec<String>,
    questions: usize,
    answered_by: BTreeMap<&'static str, usize>,
    nodes: u64,
}

#[derive(Serialize)]
struct JsonDetail<'a> {
    question: usize,
    /// Inside of which function.
    inside: &'a str,
    #[serde(flatten)]
    detail: &'a Detail,
}

/// A question about a part of a function as one line.
pub fn json_detail(number: usize, inside: &str, detail: &Detail) -> String {
    to_line(&JsonDetail { question: number, inside, detail })
}

#[derive(Serialize)]
struct JsonAnswer {
    answer: &'static str,
    by: &'static str,
}

/// What was answered, in a word.
pub fn said(answer: Answer) -> &'static str {
    match answer {
        Answer::Right => "right",
        Answer::Wrong => "wrong",
        Answer::Inadmissible => "inadmissible",
        Answer::Trust(_) => "trusted",
        Answer::DontKnow => "unknown",
    }
}

/// What an oracle answered, as one line.
pub fn json_said_by(answer: Answer, who: Who) -> String {
    to_line(&JsonAnswer { answer: said(answer), by: who.name() })
}

#[derive(Serialize)]
struct JsonVerdict<'a> {
    file: Option<String>,
    line: Option<u32>,
    end_line: Option<u32>,
    function: &'a str,
    kind: &'static str,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct JsonPlace {
    #[serde(flatten)]
    place: Place,
    kind: &'static str,
}

/// The last line of a session, with how many questions each has answered.
pub fn json_end(
    verdict: Option<&Verdict>,
    open: Vec<String>,
    answered: &BTreeMap<Who, usize>,
    nodes: u64,
) -> String {
    let verdict = verdict.map(|verdict| {
        let place = verdict.source.as_ref().and_then(session::Excerpt::place);
        JsonVerdict {
            file: place.as_ref().map(|place| place.file.clone()),
            line: place.as_ref().map(|place| place.line),
            end_line: place.as_ref().map(|place| place.end_line),
            function: &verdict.question.function,
            kind: verdict.kind.name(),
            place: verdict.zoomed.as_ref().and_then(|zoomed| {
                let place = zoomed.source.place()?;
                Some(JsonPlace { place, kind: zoomed.part.name() })
            }),
        }
    });
    let questions = answered.values().sum();
    let count = |who: &Who| answered.get(who).copied().unwrap_or(0);
    let answered_by = Who::ALL.iter().map(|who| (who.name(), count(who))).collect();
    to_line(&JsonEnd { verdict, open, questions, answered_by, nodes })
}
