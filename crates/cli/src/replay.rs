//! `erlscope replay`: a witness, a schedule or a trace is run again.

use std::fmt::Write as _;

use report::{explore, words};
use session::Departed;
use session::again::Recorded;
use session::record::{Witness, read_schedule};
use session::replay::{Answer, Request};
use session::{run, test};

use crate::args::{Color, Replay, ReplayFormat, Run, RunFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Replay, color: Color) -> Result<u8, Failure> {
    let witness = read_schedule(&arguments.witness)?;
    let (tracing, running) = (arguments.tracing.request(), arguments.running.request());
    let reading = arguments.reading.request();
    match Recorded::of(&witness) {
        Recorded::Test => {
            let again = test::Again { witness, tracing, running, reading };
            test_again(&again, arguments).map(Exit::code)
        }
        Recorded::Actions => {
            let manner = arguments.telling.manner();
            let request = Request { witness, manner, tracing, running, reading };
            followed(&request, arguments).map(Exit::code)
        }
        Recorded::Call => {
            let finding = witness.finding.clone();
            let schedule = Some(witness);
            let request =
                run::Request { schedule, tracing, running, reading, ..run::Request::default() };
            let ran = run::run(&request, &front::control())?;
            // What is wrong with one that returns is what it returns.
            let returned = matches!(ran.ending, run::Ending::Returned(_));
            let is_wrong = returned && ran.departure.is_none() && !finding.is_empty();
            let code = crate::run::tell(&ran, RunFormat::Text, is_wrong, color);
            if !is_wrong {
                return Ok(code);
            }
            output::write_document(None, &format!("{finding}\n"))?;
            Ok(code.max(Exit::SomethingFound.code()))
        }
    }
}

/// Runs a recorded test again: what became of its cases, one a line, and why a property fails.
fn test_again(again: &test::Again, arguments: &Replay) -> Result<Exit, Failure> {
    let (cases, problem) = test::replay(again, &front::control())?;
    let mut text = String::new();
    for case in &cases {
        let verdict = if case.result.is_good() { "ok" } else { "failed" };
        let title = case.title.as_ref().map(|title| format!(" ({title})")).unwrap_or_default();
        let _ = writeln!(text, "{}{title}: {verdict}", case.name);
        if case.property.is_some() && !case.result.is_good() {
            text.push_str(&report::test_results::why(case, "  "));
        }
    }
    if let Some(problem) = &problem {
        let _ = writeln!(text, "{}", report::endings::trouble(problem));
    }
    output::write_document(arguments.output.as_deref(), &text)?;
    let is_good = cases.iter().all(|case| case.result.is_good());
    Ok(match problem.is_none() && is_good {
        true => Exit::NothingFound,
        false => Exit::SomethingFound,
    })
}

/// Runs a witness of visible actions again, for `erlscope run --schedule`.
pub(crate) fn witness(witness: &Witness, arguments: &Run) -> Result<Exit, Failure> {
    let request = Request {
        witness: witness.clone(),
        tracing: arguments.tracing.request(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
        ..Request::default()
    };
    let answer = session::replay::replay(&request, &front::control())?;
    output::write_document(None, &text(&answer, false))?;
    Ok(exit_of(&answer))
}

fn followed(request: &Request, arguments: &Replay) -> Result<Exit, Failure> {
    let answer = session::replay::replay(request, &front::control())?;
    let text = match arguments.format {
        ReplayFormat::Text => text(&answer, arguments.all_steps),
        ReplayFormat::Svg => {
            let first = answer.findings.first().map(|found| words::failure(&found.failure));
            let title = first.unwrap_or_else(|| request.witness.call.clone());
            let sequence = explore::sequence(&title, &answer.story, arguments.all_steps);
            report::sequence::svg(&sequence, "")
        }
    };
    output::write_document(arguments.output.as_deref(), &text)?;
    Ok(exit_of(&answer))
}

fn text(answer: &Answer, all_steps: bool) -> String {
    let mut text = explore::story(&answer.story, all_steps);
    text.push_str(&explore::races(&answer.story, all_steps));
    for finding in &answer.findings {
        let what = words::failure(&finding.failure);
        let _ = writeln!(text, "{}: {what}", finding.failure.kind().name());
        for line in words::brought_down(&finding.consequences) {
            let _ = writeln!(text, "  {line}");
        }
    }
    if !answer.whole {
        let _ = writeln!(text, "{}", words::departed(&Departed::Actions));
    }
    text
}

fn exit_of(answer: &Answer) -> Exit {
    match (answer.whole, answer.findings.is_empty()) {
        (false, _) => Exit::Incomplete,
        (true, false) => Exit::SomethingFound,
        (true, true) => Exit::NothingFound,
    }
}
