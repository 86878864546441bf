//! `erlscope debug`: asks what is right until it is known what is wrong.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use report::debug as shown;
use session::call::split;
use session::debug::{
    Answer, Debugged, Next, NodeIx, Reference, Request, Search, Strategy, Trusted, record,
};
use session::record::read_schedule;

use crate::args::{AskedBy, Color, Debug, DebugFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Debug, color: Color) -> Result<Exit, Failure> {
    let recorded = arguments.schedule.as_deref().map(read_schedule).transpose()?;
    let (paths, call) = split(&arguments.what);
    if recorded.is_none() && call.is_none() {
        let message = "there is nothing to debug: give a call such as 'm:f(1)', or --schedule FILE";
        return Err(Failure::Use(message.to_owned()));
    }
    let request = Request {
        paths,
        call,
        recorded,
        delivery: arguments.delivery.into(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
    };
    let debugged = record(&request, &front::control())?;
    let ended = debugged.ending.as_ref().map(shown::ended);
    if debugged.shape().is_empty() {
        let why = ended.map_or_else(String::new, |ended| format!(": {ended}"));
        return Err(Failure::Use(format!("no function of the program was called{why}")));
    }
    if let (Some(ended), DebugFormat::Text) = (&ended, arguments.format) {
        output::write_all(format!("the run: {ended}\n").as_bytes())?;
    }
    let answers: Box<dyn BufRead> = match &arguments.answers {
        Some(path) => {
            let cannot = |error| Failure::Use(format!("{}: {error}", path.display()));
            Box::new(BufReader::new(File::open(path).map_err(cannot)?))
        }
        None => Box::new(BufReader::new(io::stdin())),
    };
    let reference = match &arguments.reference {
        Some(path) => {
            Some(Reference::open(std::slice::from_ref(path), &request.running, &request.reading)?)
        }
        None => None,
    };
    let strategy = match arguments.strategy {
        AskedBy::Default => Strategy::Informed,
        AskedBy::DivideAndQuery => Strategy::DivideAndQuery,
        AskedBy::TopDown => Strategy::TopDown,
    };
    let mut asking = Asking {
        debugged: &debugged,
        search: Search::new(debugged.shape(), strategy),
        answers,
        format: arguments.format,
        questions: 0,
        reference,
        judged: 0,
        asks_nobody: arguments.oracle_only,
    };
    let next = asking.ask()?;
    asking.tell(next, output::coloured(color, &io::stdout()))
}

/// What somebody types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Typed {
    Answer(Answer),
    Undo,
    Strategy(Strategy),
    Help,
    Abort,
}

impl Typed {
    fn of(text: &str) -> Option<Typed> {
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

/// A session.
struct Asking<'a> {
    debugged: &'a Debugged,
    search: Search<'a>,
    answers: Box<dyn BufRead>,
    format: DebugFormat,
    /// How many questions were asked of the person.
    questions: usize,
    reference: Option<Reference>,
    /// How many it answered.
    judged: usize,
    asks_nobody: bool,
}

impl Asking<'_> {
    /// Asks until there is nothing more to ask; what comes then, or `None` if nobody answers.
    fn ask(&mut self) -> Result<Option<Next>, Failure> {
        loop {
            let node = match self.search.next() {
                Next::Ask(node) => node,
                other => return Ok(Some(other)),
            };
            let reference = self.reference.as_ref();
            if let Some(answer) = reference.and_then(|known| self.debugged.judged(known, node)) {
                self.show(node)?;
                self.say(shown::by_reference(answer))?;
                self.judged += 1;
                self.learn(node, answer);
                continue;
            }
            if self.asks_nobody {
                self.learn(node, Answer::DontKnow);
                continue;
            }
            self.show(node)?;
            if !self.take(node)? {
                return Ok(None);
            }
        }
    }

    fn show(&self, node: NodeIx) -> Result<(), Failure> {
        let Some(question) = self.debugged.question(node) else { return Ok(()) };
        let number = self.questions + self.judged + 1;
        let text = match self.format {
            DebugFormat::Json => shown::json_question(number, &question) + "\n",
            DebugFormat::Text => format!(
                "{number}. {}   ({})\n",
                shown::question(&question),
                shown::whereabouts(&question)
            ),
        };
        output::write_all(text.as_bytes())?;
        Ok(())
    }

    /// Takes what is typed until it is an answer. `false` if the session is over.
    fn take(&mut self, node: NodeIx) -> Result<bool, Failure> {
        loop {
            if self.format == DebugFormat::Text {
                output::write_all(b"right? [y/n/i/t/d/u/s/a/h] ")?;
            }
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
                    if self.search.undo().is_none() {
                        self.say("there is nothing to undo\n")?;
                        continue;
                    }
                    self.questions = self.questions.saturating_sub(1);
                    return Ok(true);
                }
                Some(Typed::Strategy(strategy)) => {
                    self.search.set_strategy(strategy);
                    return Ok(true);
                }
                Some(Typed::Answer(answer)) => {
                    self.end_line()?;
                    self.questions += 1;
                    self.learn(node, answer);
                    return Ok(true);
                }
            }
        }
    }

    /// Takes an answer, or says which one it contradicts.
    fn learn(&mut self, node: NodeIx, answer: Answer) {
        if let Err(contradiction) = self.search.answer(node, answer)
            && let Some(question) = self.debugged.question(contradiction.earlier.0)
        {
            output::complain(&shown::contradiction(&contradiction, &question));
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
        use std::io::IsTerminal as _;
        if io::stdin().is_terminal() { Ok(()) } else { self.say("\n") }
    }

    /// Tells what came out.
    fn tell(&self, next: Option<Next>, colour: bool) -> Result<Exit, Failure> {
        let verdict = match &next {
            Some(Next::Buggy(node)) => self.debugged.verdict(*node),
            _ => None,
        };
        let open: Vec<String> = match &next {
            Some(Next::Open(nodes)) => nodes
                .iter()
                .filter_map(|node| Some(self.debugged.question(*node)?.function))
                .collect(),
            _ => Vec::new(),
        };
        let nodes = self.debugged.shape().len() - 1;
        let mut out = io::stdout().lock();
        if self.format == DebugFormat::Json {
            let end = shown::json_end(verdict.as_ref(), open, (self.questions, self.judged), nodes);
            writeln!(out, "{end}")?;
        } else {
            let text = match (&verdict, &next) {
                (Some(verdict), _) => shown::verdict(verdict, colour),
                (None, Some(Next::Open(_))) => {
                    format!("one of these is wrong: {}\n", open.join(", "))
                }
                (None, Some(_)) => "nothing is wrong with what the program did\n".to_owned(),
                (None, None) => "the answers did not suffice\n".to_owned(),
            };
            out.write_all(text.as_bytes())?;
        }
        Ok(match next {
            Some(Next::Buggy(_)) => Exit::SomethingFound,
            Some(Next::Fine) => Exit::NothingFound,
            _ => Exit::Incomplete,
        })
    }
}
