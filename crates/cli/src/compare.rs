//! `erlscope compare`: what two versions of a program do differently.

use report::compare as shown;
use session::Delivery;
use session::compare::{Request, Schedules, Verdict, compare, pairs};
use session::inputs::Options;

use crate::args::{Compare, CompareFormat, SchedulesArgument};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Compare) -> Result<Exit, Failure> {
    let options = Options {
        seed: arguments.running.seed.unwrap_or(0),
        runs: arguments.runs,
        guided: !arguments.blind,
        ..Options::default()
    };
    let request = Request {
        functions: arguments.functions.clone(),
        servers: arguments.servers.clone(),
        options,
        points: points(arguments)?,
        independent: arguments.independent,
        schedules: match arguments.schedules {
            SchedulesArgument::One => Schedules::One,
            SchedulesArgument::All => {
                Schedules::All { executions: arguments.max_executions, delivery: Delivery::Instant }
            }
        },
        budget: arguments.budget,
        running: arguments.running.request(),
        reading: arguments.reading.request(),
        ..Request::new(vec![arguments.old.clone()], vec![arguments.new.clone()])
    };
    let answer = compare(&request, &front::control())?;
    let document = match arguments.format {
        CompareFormat::Json => shown::json(&answer),
        CompareFormat::Text => shown::text(&answer, arguments.verbose),
    };
    output::write_document(arguments.output.as_deref(), &document)?;
    Ok(match (answer.verdict, &answer.stopped) {
        (Verdict::Different, _) => Exit::SomethingFound,
        (Verdict::Unreached, _) | (_, Some(_)) => Exit::Incomplete,
        (Verdict::Same, None) => Exit::NothingFound,
    })
}

/// The points that are asked for, on the command line and in a file.
fn points(arguments: &Compare) -> Result<Vec<(String, String)>, Failure> {
    let mut points = Vec::new();
    for pair in &arguments.poi {
        let (old, new) = pair.split_once('=').unwrap_or((pair, pair));
        points.push((old.to_owned(), new.to_owned()));
    }
    if let Some(file) = &arguments.pois {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::Use(format!("{}: {error}", file.display())))?;
        points.extend(
            pairs(&text).map_err(|error| Failure::Use(format!("{}: {error}", file.display())))?,
        );
    }
    Ok(points)
}
