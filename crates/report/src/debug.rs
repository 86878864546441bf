//! Declarative debugging: questions and verdicts, for people and as JSON, one object a line.
//! `docs/json.md` documents the shape.

use serde::Serialize;
use session::Place;
use session::debug::{Answer, Began, Blamed, Came, Contradiction, Question, Verdict};
use session::run::{Ending, summary};
use syntax::wording::counted;

use crate::json::to_line;
use crate::text::excerpt_of;

/// Longer values are cut in the middle.
const LONGEST_VALUE: usize = 400;

/// What can be answered.
pub const HELP: &str = "\
y  yes, this is right
n  no, this is wrong
i  inadmissible: it should never have been called like this
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
        Some(Began::Message { message, .. }) => {
            text += &format!("\n    went on with the message {}", folded(message));
        }
        Some(Began::TimeOut { .. }) => text += "\n    went on after it had waited in vain",
    }
    let next = if question.after.is_some() { "\n    and " } else { "\n    " };
    text += &match &question.outcome {
        Came::Value { value } if question.after.is_none() => format!(" = {}", folded(value)),
        Came::Value { value } => format!("{next}gave {}", folded(value)),
        Came::Exception { class, reason } => {
            format!("{next}failed with {class} {}", folded(reason))
        }
        Came::Waited => format!("{next}waited for a message"),
        Came::Ended { reason } => format!("{next}was ended: {}", folded(reason)),
        Came::Unfinished => format!("{next}was not done when the run was over"),
    };
    for sent in &question.sent {
        text += &format!("\n    sent {} to {}", folded(&sent.message), sent.to);
    }
    for pid in &question.spawned {
        text += &format!("\n    started {pid}");
    }
    text + "\n"
}

/// What a reference version answered.
pub fn by_reference(answer: Answer) -> &'static str {
    match answer {
        Answer::Wrong => "wrong, says the reference\n",
        _ => "right, says the reference\n",
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
    text += "it is to blame for\n    ";
    text + question(&verdict.question).replace('\n', "\n    ").trim_end() + "\n"
}

/// Of two answers that cannot both be.
pub fn contradiction(contradiction: &Contradiction, question: &Question) -> String {
    let earlier = match contradiction.earlier.1 {
        Answer::Wrong => "wrong",
        _ => "right",
    };
    format!("this was said to be {earlier} before: {}", question.call)
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
    answered_by: Counts,
    nodes: usize,
}

#[derive(Serialize)]
struct Counts {
    person: usize,
    reference: usize,
}

#[derive(Serialize)]
struct JsonVerdict<'a> {
    file: Option<String>,
    line: Option<u32>,
    end_line: Option<u32>,
    function: &'a str,
    kind: &'static str,
    place: Option<Place>,
}

/// The last line of a session: how many questions the person and the reference answered.
pub fn json_end(
    verdict: Option<&Verdict>,
    open: Vec<String>,
    (person, reference): (usize, usize),
    nodes: usize,
) -> String {
    let verdict = verdict.map(|verdict| {
        let place = verdict.source.as_ref().and_then(session::Excerpt::place);
        JsonVerdict {
            file: place.as_ref().map(|place| place.file.clone()),
            line: place.as_ref().map(|place| place.line),
            end_line: place.as_ref().map(|place| place.end_line),
            function: &verdict.question.function,
            kind: verdict.kind.name(),
            place,
        }
    });
    let questions = person + reference;
    let answered_by = Counts { person, reference };
    to_line(&JsonEnd { verdict, open, questions, answered_by, nodes })
}
