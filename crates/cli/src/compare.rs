//! `erlscope compare`: what two versions of a program do differently.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use report::compare as shown;
use session::compare::{Answer, Point, Request, Schedules, Verdict, compare, pairs};
use session::inputs::Options;
use session::{Delivery, Progress, Watch};

use crate::args::{Compare, CompareFormat, SchedulesArgument};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;
use crate::progress::Counting;
use crate::revision::Revision;

pub(crate) fn run(arguments: &Compare) -> Result<Exit, Failure> {
    let versions = Versions::of(arguments)?;
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
        judge: arguments.judge.clone(),
        corpus: arguments.corpus.clone(),
        schedules: match arguments.schedules {
            SchedulesArgument::One => Schedules::One,
            SchedulesArgument::Matched => Schedules::Matched { orders: arguments.orders },
            SchedulesArgument::All => {
                Schedules::All { executions: arguments.max_executions, delivery: Delivery::Instant }
            }
        },
        budget: arguments.budget,
        running: arguments.running.request(),
        reading: arguments.reading.request(),
        ..Request::new(vec![versions.old.clone()], vec![versions.new.clone()])
    };
    let progress = Arc::new(Shown(Counting::new()));
    let answer = compare(&request, &front::watched_by(Arc::clone(&progress) as _));
    progress.0.clear();
    let answer = answer?;
    let document = match arguments.format {
        CompareFormat::Json => shown::json(&answer),
        CompareFormat::Junit => shown::junit(&answer),
        CompareFormat::Html => shown::html(&answer),
        CompareFormat::Sarif => shown::sarif(&answer),
        CompareFormat::Text => shown::text(&answer, arguments.verbose),
    };
    if let Some(path) = &arguments.write_tests {
        write_tests(path, &answer)?;
    }
    let hint = (arguments.format == CompareFormat::Text && arguments.git.is_none())
        .then(|| debugging(&versions, &answer))
        .flatten();
    let document = document + &hint.unwrap_or_default();
    output::write_document(arguments.output.as_deref(), &document)?;
    Ok(match (answer.verdict, &answer.stopped) {
        (Verdict::Different, _) => Exit::SomethingFound,
        (Verdict::Unreached, _) | (_, Some(_)) => Exit::Incomplete,
        (Verdict::Same | Verdict::Proven, None) => Exit::NothingFound,
    })
}

/// The line that shows how far it is.
struct Shown(Counting);

impl Watch for Shown {
    fn hear(&self, progress: Progress<'_>) {
        match progress {
            Progress::Comparing { name, done, all } => {
                self.0.show(|| format!("{}/{all} {name}", done + 1));
            }
            other => front::tell_note(&other),
        }
    }
}

/// Where both versions are.
struct Versions {
    old: PathBuf,
    new: PathBuf,
    /// Files of git, as long as they are needed.
    _revisions: Vec<Revision>,
}

impl Versions {
    fn of(arguments: &Compare) -> Result<Versions, Failure> {
        let Some(git) = &arguments.git else {
            let [old, new] = &arguments.paths[..] else {
                let message =
                    "which versions? Name the old one and the new one, or a revision by --git";
                return Err(Failure::Use(message.to_owned()));
            };
            return Ok(Versions { old: old.clone(), new: new.clone(), _revisions: Vec::new() });
        };
        let path = match &arguments.paths[..] {
            [] => Path::new("."),
            [path] => path,
            _ => {
                let message = "with --git there is one path, which both versions have";
                return Err(Failure::Use(message.to_owned()));
            }
        };
        let of = |name: &str| Revision::of(path, name).map_err(Failure::Use);
        let (first, second) = match git.split_once("..") {
            Some((first, second)) => (first, Some(second).filter(|name| !name.is_empty())),
            None => (git.as_str(), None),
        };
        let old = of(first)?;
        let new = second.map(of).transpose()?;
        Ok(Versions {
            old: old.path(),
            new: new.as_ref().map_or_else(|| path.to_owned(), Revision::path),
            _revisions: [Some(old), new].into_iter().flatten().collect(),
        })
    }
}

/// The command that looks for the place of the first difference in the new version, with the old
/// one to say what is right.
fn debugging(versions: &Versions, answer: &Answer) -> Option<String> {
    let (_, difference) = answer.differences().find(|(_, difference)| {
        let is_one_call = !difference.new_call.contains(['\n', '\'']);
        let is_kept = !difference.new_call.contains("erlscope_inputs");
        difference.point == Point::End && difference.schedule.is_none() && is_one_call && is_kept
    })?;
    let (old, new, call) = (versions.old.display(), versions.new.display(), &difference.new_call);
    (difference.old_call == *call)
        .then(|| format!("to find the place: erlscope debug {new} '{call}' --reference {old}\n"))
}

fn write_tests(path: &Path, answer: &Answer) -> Result<(), Failure> {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("compare_tests");
    let (text, number) = answer.tests(name);
    if number == 0 {
        let why = "no input has plain values";
        output::complain(&format!("{}: not written: {why}", path.display()));
        return Ok(());
    }
    let cannot = |error| Failure::Use(format!("{}: {error}", path.display()));
    std::fs::write(path, text).map_err(cannot)
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
