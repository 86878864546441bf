//! Answers that are kept in a file, for later sessions and to go on with one that was left.
//!
//! One object a line: `{"answer":"right","statement":"…"}`, where the statement is all that was
//! shown of it but its place, so that an answer holds as long as the program does the same there.
//! Lines that are not of this form are an error: the file is something else.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Answer, Question, Trusted};
use crate::Error;

/// Answers in a file.
pub struct Kept {
    path: PathBuf,
    file: File,
    answers: FxHashMap<String, Answer>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    answer: String,
    statement: String,
}

const WORDS: [(&str, Answer); 7] = [
    ("right", Answer::Right),
    ("wrong", Answer::Wrong),
    ("inadmissible", Answer::Inadmissible),
    ("unknown", Answer::DontKnow),
    ("trust function", Answer::Trust(Trusted::Function)),
    ("trust module", Answer::Trust(Trusted::Module)),
    ("trust process", Answer::Trust(Trusted::Process)),
];

impl Kept {
    /// Reads the answers in a file, which is made if it is not there and need not be.
    pub fn open(path: &Path, must_exist: bool) -> Result<Kept, Error> {
        let unusable = |message: String| Error::Missing(format!("{}: {message}", path.display()));
        let mut answers = FxHashMap::default();
        match std::fs::read_to_string(path) {
            Ok(text) => {
                for (number, line) in text.lines().enumerate() {
                    let wrong = || unusable(format!("line {} is not a kept answer", number + 1));
                    let line: Line = serde_json::from_str(line).map_err(|_| wrong())?;
                    let known = WORDS.iter().find(|(word, _)| *word == line.answer);
                    answers.insert(line.statement, known.ok_or_else(wrong)?.1);
                }
            }
            Err(error) if must_exist || error.kind() != std::io::ErrorKind::NotFound => {
                return Err(unusable(error.to_string()));
            }
            Err(_) => {}
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| unusable(error.to_string()))?;
        Ok(Kept { path: path.to_owned(), file, answers })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    pub(super) fn error(&self, message: &str) -> Error {
        Error::Missing(format!("{}: {message}", self.path.display()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was said of a statement before.
    pub(super) fn judge(&self, question: &Question) -> Option<Answer> {
        let answer = *self.answers.get(&key(question))?;
        (answer != Answer::DontKnow).then_some(answer)
    }

    /// Keeps an answer, at once: whatever happens next, it is there.
    pub fn keep(&mut self, question: &Question, answer: Answer) -> Result<(), Error> {
        let word =
            WORDS.iter().find(|(_, known)| *known == answer).map_or("unknown", |known| known.0);
        let line = Line { answer: word.to_owned(), statement: key(question) };
        let text = serde_json::to_string(&line).unwrap_or_default();
        let written = writeln!(self.file, "{text}").and_then(|()| self.file.flush());
        written.map_err(|error| self.error(&error.to_string()))?;
        self.answers.insert(line.statement, answer);
        Ok(())
    }
}

/// All that is said of a statement, but where it is.
fn key(question: &Question) -> String {
    let is_plain = question.after.is_none() && question.sent.is_empty();
    let mut question = question.clone();
    question.place = None;
    match &mut question.after {
        Some(super::Began::Message { place, .. } | super::Began::TimeOut { place, .. }) => {
            *place = None
        }
        None => {}
    }
    if is_plain && question.spawned.is_empty() {
        question.process.clear();
    }
    serde_json::to_string(&question).unwrap_or_default()
}
