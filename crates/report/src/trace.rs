//! Events of a recorded run, one a line: for people, and as JSON (`docs/trace.md`).

use session::trace::{Event, Header, Question};
use trace::show;

/// The first line of JSON: how the run was made.
pub fn header(header: &Header) -> String {
    let paths: Vec<&str> = header.all("path").collect();
    let header = serde_json::json!({
        "version": 1,
        "tool": "erlscope",
        "command": "trace",
        "paths": paths,
        "call": header.get("call"),
        "test": header.get("test"),
        "finding": header.get("finding"),
        "seed": header.get("seed").and_then(|seed| seed.parse::<u64>().ok()),
        "delivery": header.get("delivery").unwrap_or("instant"),
    });
    header.to_string()
}

/// Why a question about a trace makes no sense.
pub fn question(question: &Question) -> String {
    match question {
        Question::NoPlace(text) => format!("`{text}` is no place such as bank:12 or bank:12:5"),
        Question::ReadOnce => {
            "what came before is found by reading the trace twice: name a file".to_owned()
        }
        Question::NoEvent(number) => format!("there is no event {number}"),
        Question::OfNobody(number) => format!("event {number} is no event of a process"),
    }
}

pub fn text(event: &Event<'_>) -> String {
    show::line(event.number, event.record)
}

pub fn json(event: &Event<'_>) -> String {
    show::json(event.number, event.record, event.clock).to_string()
}
