//! What somebody types, and what of it is an answer.

use session::debug::{Answer, Strategy, Trusted};

/// What somebody types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Answer(Answer),
    /// It is wrong in this part.
    Part(Vec<usize>),
    /// The right value is this.
    Value(String),
    /// A message did not come, of this process if one is named.
    Missing(Option<String>),
    Undo,
    Strategy(Strategy),
    Help,
    Abort,
}

impl Typed {
    pub(super) fn of(text: &str) -> Option<Typed> {
        let text = text.trim();
        if let Some(value) = text.strip_prefix("v ") {
            return Some(Typed::Value(value.to_owned()));
        }
        if let Some(process) = text.strip_prefix("m ") {
            return Some(Typed::Missing(Some(process.trim().to_owned())));
        }
        if let Some(positions) = text.strip_prefix("n ") {
            let mut positions = positions.split([' ', '.', ',']).filter(|word| !word.is_empty());
            let positions: Option<Vec<usize>> = positions.try_fold(Vec::new(), |mut all, word| {
                all.push(word.parse().ok()?);
                Some(all)
            });
            return positions.map(Typed::Part);
        }
        Some(match text {
            "y" | "yes" => Typed::Answer(Answer::Right),
            "n" | "no" => Typed::Answer(Answer::Wrong),
            "i" | "inadmissible" => Typed::Answer(Answer::Inadmissible),
            "t" | "tf" | "trust" => Typed::Answer(Answer::Trust(Trusted::Function)),
            "tm" => Typed::Answer(Answer::Trust(Trusted::Module)),
            "tp" => Typed::Answer(Answer::Trust(Trusted::Process)),
            "d" | "dont know" | "don't know" => Typed::Answer(Answer::DontKnow),
            "m" | "missing" => Typed::Missing(None),
            "u" | "undo" => Typed::Undo,
            "sd" => Typed::Strategy(Strategy::DivideAndQuery),
            "st" => Typed::Strategy(Strategy::TopDown),
            "s" | "si" => Typed::Strategy(Strategy::Informed),
            "a" | "abort" => Typed::Abort,
            "h" | "help" | "?" => Typed::Help,
            _ => return None,
        })
    }
}
