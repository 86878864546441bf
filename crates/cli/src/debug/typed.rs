//! What somebody types, and what of it is an answer.

use session::debug::{Answer, Strategy, Trusted};

/// What somebody types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Answer(Answer),
    Undo,
    Strategy(Strategy),
    Help,
    Abort,
}

impl Typed {
    pub(super) fn of(text: &str) -> Option<Typed> {
        Some(match text.trim() {
            "y" | "yes" => Typed::Answer(Answer::Right),
            "n" | "no" => Typed::Answer(Answer::Wrong),
            "i" | "inadmissible" => Typed::Answer(Answer::Inadmissible),
            "t" | "tf" | "trust" => Typed::Answer(Answer::Trust(Trusted::Function)),
            "tm" => Typed::Answer(Answer::Trust(Trusted::Module)),
            "tp" => Typed::Answer(Answer::Trust(Trusted::Process)),
            "d" | "dont know" | "don't know" => Typed::Answer(Answer::DontKnow),
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
