//! A session of questions and answers: about statements, and then about the parts of one.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal as _};

use report::debug::{self as shown, Asked};
use session::debug::{Answer, Debugged, Next, NodeIx, Oracles, RightValue, Search, Who, Zoom};

use super::typed::Typed;
use crate::args::DebugFormat;
use crate::front::{self, Failure};
use crate::output;

/// What is asked about.
pub(super) enum About<'a> {
    Statements(&'a Debugged),
    /// The parts of a function.
    Parts(&'a Zoom, &'a str),
}

impl About<'_> {
    /// A question, as it is asked.
    fn question(&self, node: NodeIx, number: usize, format: DebugFormat) -> Option<String> {
        Some(match (self, format) {
            (About::Statements(debugged), DebugFormat::Json) => {
                shown::json_question(number, &debugged.question(node)?) + "\n"
            }
            (About::Statements(debugged), DebugFormat::Text) => {
                let question = debugged.question(node)?;
                let (text, place) = (shown::question(&question), shown::whereabouts(&question));
                format!("{number}. {text}   ({place})\n")
            }
            (About::Parts(zoom, inside), DebugFormat::Json) => {
                shown::json_detail(number, inside, &zoom.question(node)?) + "\n"
            }
            (About::Parts(zoom, inside), DebugFormat::Text) => {
                let detail = zoom.question(node)?;
                let (text, place) = (shown::detail(&detail), shown::place_of(&detail));
                format!("{number}. in {inside}: {text}   ({place})\n")
            }
        })
    }

    /// What was asked, in short.
    fn subject(&self, node: NodeIx) -> Option<String> {
        match self {
            About::Statements(debugged) => Some(debugged.question(node)?.call),
            About::Parts(zoom, _) => Some(zoom.question(node)?.text),
        }
    }
}

/// A session.
pub(super) struct Asking {
    pub(super) answers: Box<dyn BufRead>,
    pub(super) format: DebugFormat,
    pub(super) oracles: Oracles,
    pub(super) asks_nobody: bool,
    /// The piece is known: what others than a person can tell of the statement is not shown.
    pub(super) is_narrowing: bool,
    /// How many questions each has answered.
    pub(super) answered: BTreeMap<Who, usize>,
    /// Who gave the answers of the search at hand, in their order, and whether they were asked.
    pub(super) by: Vec<(Who, bool)>,
    /// Right values of wrong statements, as they were typed.
    pub(super) rights: Vec<(NodeIx, RightValue)>,
    /// What was asked about statements, and answered.
    pub(super) asked: Vec<Asked>,
}

impl Asking {
    /// Asks until there is nothing more to ask; what comes then, or `None` if nobody answers.
    pub(super) fn ask(
        &mut self,
        search: &mut Search<'_>,
        about: &About<'_>,
    ) -> Result<Option<Next>, Failure> {
        self.by.clear();
        loop {
            let (node, is_asked) = match search.next() {
                Next::Ask(node) => (node, !self.is_narrowing),
                // Whether the run is wrong at all is no question to who knows it anyway.
                Next::Confirm(node) => (node, false),
                other => return Ok(Some(other)),
            };
            let judged = match about {
                About::Statements(debugged) => self.oracles.judge(debugged, node),
                About::Parts(..) => None,
            };
            if let About::Statements(debugged) = about
                && let Some(answer) = self.told(debugged, node)
            {
                // The right value of this call was typed before.
                self.learn(search, about, node, answer, (Who::Person, false));
                continue;
            }
            if let Some((answer, who)) = judged.filter(|_| !is_asked) {
                self.learn(search, about, node, answer, (who, false));
                continue;
            }
            if let Some((answer, who)) = judged {
                self.show(about, node)?;
                self.tell_answer(answer, who)?;
                self.learn(search, about, node, answer, (who, true));
                if let (About::Statements(debugged), Some(reference), Answer::Wrong) =
                    (about, &self.oracles.reference, answer)
                {
                    debugged.should_give_as(reference, search, node, &front::control())?;
                }
                continue;
            }
            if self.asks_nobody {
                // Nobody was asked: it does not count.
                let _ = search.answer(node, Answer::DontKnow);
                continue;
            }
            self.show(about, node)?;
            if !self.take(search, about, node)? {
                return Ok(None);
            }
        }
    }

    /// What right values that were typed say of a statement.
    fn told(&self, debugged: &Debugged, node: NodeIx) -> Option<Answer> {
        self.rights.iter().find_map(|(told, right)| debugged.told_by(node, (*told, right)))
    }

    fn show(&self, about: &About<'_>, node: NodeIx) -> Result<(), Failure> {
        let number = self.answered.values().sum::<usize>() + 1;
        let text = about.question(node, number, self.format).unwrap_or_default();
        output::write_all(text.as_bytes())?;
        Ok(())
    }

    fn tell_answer(&self, answer: Answer, who: Who) -> Result<(), Failure> {
        let text = match self.format {
            DebugFormat::Text => shown::said_by(answer, who),
            DebugFormat::Json => shown::json_said_by(answer, who) + "\n",
        };
        output::write_all(text.as_bytes())?;
        Ok(())
    }

    /// Takes what is typed until it is an answer. `false` if the session is over.
    fn take(
        &mut self,
        search: &mut Search<'_>,
        about: &About<'_>,
        node: NodeIx,
    ) -> Result<bool, Failure> {
        loop {
            self.say("right? [y/n/v/i/m/t/d/u/s/a/h] ")?;
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                self.end_line()?;
                return Ok(false);
            }
            // What was not typed is not on the screen.
            if line.trim().is_empty() {
                continue;
            }
            match Typed::of(&line) {
                None => {
                    self.end_line()?;
                    output::complain(&format!("there is no answer {}; h shows all", line.trim()));
                }
                Some(Typed::Help) => self.say(shown::HELP)?,
                Some(Typed::Abort) => return Ok(false),
                Some(Typed::Undo) => {
                    if !self.undo(search) {
                        self.say("there is nothing to undo\n")?;
                        continue;
                    }
                    return Ok(true);
                }
                Some(Typed::Strategy(strategy)) => {
                    search.set_strategy(strategy);
                    return Ok(true);
                }
                Some(Typed::Answer(Answer::Trust(_))) if matches!(about, About::Parts(..)) => {
                    self.end_line()?;
                    output::complain("only functions, modules and processes can be trusted");
                }
                Some(Typed::Part(_) | Typed::Value(_) | Typed::Missing(_))
                    if matches!(about, About::Parts(..)) =>
                {
                    self.end_line()?;
                    output::complain("that can be told of statements only: say n");
                }
                Some(Typed::Missing(process)) => {
                    self.end_line()?;
                    if self.missing(search, about, node, process.as_deref())? {
                        return Ok(true);
                    }
                }
                Some(Typed::Part(positions)) => {
                    self.end_line()?;
                    if self.wrong_in(search, about, node, &positions)? {
                        return Ok(true);
                    }
                }
                Some(Typed::Value(text)) => {
                    self.end_line()?;
                    if self.should_give(search, about, node, &text)? {
                        return Ok(true);
                    }
                }
                Some(Typed::Answer(answer)) => {
                    self.end_line()?;
                    self.keep(about, node, answer)?;
                    self.learn(search, about, node, answer, (Who::Person, true));
                    // A message that is wrong was sent by somebody.
                    if let (About::Statements(debugged), Answer::Inadmissible) = (about, answer) {
                        search.prefer(debugged.sender(node).into_iter().collect());
                    }
                    return Ok(true);
                }
            }
        }
    }

    /// A message did not come: this one is not to blame, who should have sent it is asked about.
    fn missing(
        &mut self,
        search: &mut Search<'_>,
        about: &About<'_>,
        node: NodeIx,
        process: Option<&str>,
    ) -> Result<bool, Failure> {
        let About::Statements(debugged) = about else { return Ok(false) };
        let senders = debugged.should_have_sent(node, process);
        if senders.is_empty() {
            output::complain("there is no such process of the program that could have sent one");
            return Ok(false);
        }
        self.keep(about, node, Answer::Inadmissible)?;
        self.learn(search, about, node, Answer::Inadmissible, (Who::Person, true));
        search.prefer(senders);
        Ok(true)
    }

    /// Takes the answer that a part is wrong. `false` if there is no such part.
    fn wrong_in(
        &mut self,
        search: &mut Search<'_>,
        about: &About<'_>,
        node: NodeIx,
        positions: &[usize],
    ) -> Result<bool, Failure> {
        let About::Statements(debugged) = about else { return Ok(false) };
        if !debugged.is_wrong_in(search, node, positions, &front::control())? {
            output::complain("there is no such part of a value here");
            return Ok(false);
        }
        self.keep(about, node, Answer::Wrong)?;
        self.learn(search, about, node, Answer::Wrong, (Who::Person, true));
        Ok(true)
    }

    /// Takes the right value. `false` if it is none.
    fn should_give(
        &mut self,
        search: &mut Search<'_>,
        about: &About<'_>,
        node: NodeIx,
        text: &str,
    ) -> Result<bool, Failure> {
        let About::Statements(debugged) = about else { return Ok(false) };
        let right = match debugged.typed(text) {
            Ok(right) => right,
            Err(error) => {
                output::complain(&error.to_string());
                return Ok(false);
            }
        };
        let is_right = debugged.gave(node, &right);
        let answer = if is_right { Answer::Right } else { Answer::Wrong };
        self.keep(about, node, answer)?;
        self.learn(search, about, node, answer, (Who::Person, true));
        if !is_right {
            debugged.should_give(search, node, &right, &front::control())?;
            self.rights.push((node, right));
        }
        Ok(true)
    }

    /// Keeps an answer about a statement for later.
    fn keep(&mut self, about: &About<'_>, node: NodeIx, answer: Answer) -> Result<(), Failure> {
        if let (About::Statements(debugged), Some(kept)) = (about, &mut self.oracles.kept)
            && let Some(question) = debugged.question(node)
        {
            kept.keep(&question, answer)?;
        }
        Ok(())
    }

    /// Takes back the last answer of the person, and what others said since.
    fn undo(&mut self, search: &mut Search<'_>) -> bool {
        let is_person = |by: &(Who, bool)| by.0 == Who::Person;
        let Some(last) = self.by.iter().rposition(is_person) else { return false };
        for (who, was_asked) in self.by.drain(last..) {
            search.undo();
            if let Some(count) = self.answered.get_mut(&who).filter(|_| was_asked) {
                *count = count.saturating_sub(1);
                self.asked.pop();
            }
        }
        true
    }

    /// Takes an answer, or says which one it contradicts.
    fn learn(
        &mut self,
        search: &mut Search<'_>,
        about: &About<'_>,
        node: NodeIx,
        answer: Answer,
        by: (Who, bool),
    ) {
        *self.answered.entry(by.0).or_default() += usize::from(by.1);
        match search.answer(node, answer) {
            Ok(()) => {
                self.by.push(by);
                if let (About::Statements(debugged), true) = (about, by.1)
                    && let Some(question) = debugged.question(node)
                {
                    let (who, path) = (by.0, debugged.path(node));
                    self.asked.push(Asked { question, answer, who, path });
                }
            }
            Err(contradiction) => {
                if let Some(subject) = about.subject(contradiction.earlier.0) {
                    output::complain(&shown::contradiction(&contradiction, &subject));
                }
            }
        }
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.format == DebugFormat::Text {
            output::write_all(text.as_bytes())?;
        }
        Ok(())
    }

    /// Ends the line of a question whose answer was not typed.
    fn end_line(&self) -> Result<(), Failure> {
        if io::stdin().is_terminal() { Ok(()) } else { self.say("\n") }
    }
}
