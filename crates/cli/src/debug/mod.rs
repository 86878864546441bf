//! `erlscope debug`: asks what is right until it is known what is wrong.

mod asking;
mod typed;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use report::debug as shown;
use session::call::split;
use session::debug::{
    Debugged, Kept, Next, NodeIx, Oracles, Reference, Request, Search, Strategy, Tests, Verdict,
    Zoomed, record,
};
use session::record::read_schedule;
use session::run::Ending;

use crate::args::{AskedBy, Color, Debug, DebugFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;
use crate::revision::{Checkout, is_revision};
use asking::{About, Asking};

pub(crate) fn run(arguments: &Debug, color: Color) -> Result<Exit, Failure> {
    let request = request(arguments)?;
    let mut debugged = record(&request, &front::control())?;
    let ended = debugged.ending.as_ref().map(shown::ended);
    for problem in &debugged.problems {
        output::complain(report::run::load_problem(problem).trim_end());
    }
    if debugged.shape().is_empty() {
        return nothing_to_ask(arguments, &debugged);
    }
    if let (Some(ended), DebugFormat::Text) = (&ended, arguments.format) {
        output::write_all(format!("the run: {ended}\n").as_bytes())?;
    }
    let strategy = match arguments.strategy {
        AskedBy::Default => Strategy::Informed,
        AskedBy::DivideAndQuery => Strategy::DivideAndQuery,
        AskedBy::TopDown => Strategy::TopDown,
    };
    let checkout = checkout(arguments, &request)?;
    let mut asking = Asking {
        answers: answers(arguments)?,
        format: arguments.format,
        oracles: oracles(arguments, &request, checkout.as_ref())?,
        asks_nobody: arguments.oracle_only,
        is_narrowing: false,
        answered: BTreeMap::new(),
        by: Vec::new(),
        rights: Vec::new(),
        asked: Vec::new(),
    };
    if arguments.resume.is_some() {
        asking.oracles.check_kept(&debugged)?;
    }
    if debugged.is_cut {
        output::complain("the run is too long: of what is right below it only the first is kept");
    }
    let mut tests = Tests::default();
    let happened = match arguments.report {
        Some(_) => debugged.happened(MOST_HAPPENED),
        None => Vec::new(),
    };
    let (mut nodes, mut known) = (debugged.statements(), Vec::new());
    let colour = output::coloured(color, &io::stdout());
    loop {
        let mut search = Search::new(debugged.shape(), strategy);
        for (node, answer) in known.drain(..) {
            // What was known of the whole is known of a part.
            let _ = search.answer(node, answer);
        }
        if let Some(reference) = &asking.oracles.reference {
            debugged.begin_with(reference, &mut search, &front::control())?;
        }
        let taken = search.answers().len();
        let mut next = asking.ask(&mut search, &About::Statements(&debugged))?;
        if let (Some(Next::Piece(_)), false) = (&next, arguments.no_zoom) {
            narrow(&mut asking, &mut search, &debugged, &mut next)?;
        }
        if let (Some(Next::Open(nodes)), Some(reference)) = (&next, &asking.oracles.reference)
            && let Some(node) = debugged.settled_by(reference, nodes)
        {
            next = Some(Next::Buggy(node));
        }
        debugged.write(&mut tests, &search.answers()[taken..], &asking.rights);
        if let Some(Next::Buggy(node)) = &next
            && let Some((part, answers)) = debugged.within(*node, &search, &front::control())?
        {
            (debugged, known) = (part, answers);
            nodes = nodes.max(debugged.statements());
            asking.rights.clear();
            continue;
        }
        let zoomed = match &next {
            Some(Next::Buggy(node)) if !arguments.no_zoom => zoom(&mut asking, &debugged, *node)?,
            _ => None,
        };
        let zoomed = zoomed.map(|(node, zoomed)| {
            // It may have gone wrong in an earlier part of the same activation.
            next = Some(Next::Buggy(node));
            zoomed
        });
        if let Some(path) = &arguments.write_tests {
            write_tests(path, &tests)?;
        }
        if let (None, Some(kept)) = (&next, &asking.oracles.kept) {
            output::complain(&format!("the answers are kept: --resume {}", kept.path().display()));
        }
        let told = Told::new(&debugged, next.as_ref(), zoomed, nodes);
        if let Some(path) = &arguments.report {
            let title = arguments.test.as_ref().or(arguments.what.last());
            let page = shown::html(&shown::Page {
                title: title.map_or("a recorded run", String::as_str),
                ended: ended.as_deref(),
                verdict: told.verdict.as_ref(),
                open: &told.open,
                asked: &asking.asked,
                happened: &happened,
                nodes,
            });
            let cannot = |error| Failure::Use(format!("{}: {error}", path.display()));
            std::fs::write(path, page).map_err(cannot)?;
        }
        return tell(&asking, next.as_ref(), told, colour);
    }
}

/// So many events are drawn.
const MOST_HAPPENED: usize = 400;

fn request(arguments: &Debug) -> Result<Request, Failure> {
    let is_recorded = |word: &&String| {
        let path = Path::new(word);
        let is_source =
            path.extension().is_some_and(|end| matches!(end.to_str(), Some("erl" | "beam")));
        path.is_file() && !is_source
    };
    let (file, what) = match &arguments.what[..] {
        [only] if arguments.test.is_none() && is_recorded(&only) => {
            (Some(Path::new(only)), &[][..])
        }
        what => (arguments.schedule.as_deref(), what),
    };
    let recorded = file.map(read_schedule).transpose()?;
    let (mut paths, mut call) = split(what);
    if let Some(test) = &arguments.test {
        // A call is not wanted then: what looks like one is a path.
        paths.extend(call.take().map(PathBuf::from));
        call = Some(test_call(test)?);
    }
    if recorded.is_none() && call.is_none() {
        let message = "there is nothing to debug: give a call such as 'm:f(1)', or a recorded run";
        return Err(Failure::Use(message.to_owned()));
    }
    Ok(Request {
        paths,
        call,
        recorded,
        with_tests: arguments.test.is_some(),
        delivery: arguments.delivery.into(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
    })
}

/// The call of a test function.
fn test_call(test: &str) -> Result<String, Failure> {
    let name = test.trim_end_matches("()");
    match name.split_once(':') {
        Some((_, function)) if function.ends_with("_test") => Ok(format!("{name}()")),
        _ => Err(Failure::Use(format!(
            "{test} is not a test function: give module and function, such as m_tests:add_test"
        ))),
    }
}

fn answers(arguments: &Debug) -> Result<Box<dyn BufRead>, Failure> {
    Ok(match &arguments.answers {
        Some(path) => {
            let cannot = |error| Failure::Use(format!("{}: {error}", path.display()));
            Box::new(BufReader::new(File::open(path).map_err(cannot)?))
        }
        None => Box::new(BufReader::new(io::stdin())),
    })
}

/// The files of the reference version, if that is a revision.
fn checkout(arguments: &Debug, request: &Request) -> Result<Option<Checkout>, Failure> {
    let recorded = request.recorded.as_ref();
    let paths = recorded.map_or_else(|| request.paths.clone(), |witness| witness.places());
    match &arguments.reference {
        Some(word) if is_revision(word) => {
            Checkout::of(&paths, &word.to_string_lossy()).map(Some).map_err(Failure::Use)
        }
        _ => Ok(None),
    }
}

fn oracles(
    arguments: &Debug,
    request: &Request,
    checkout: Option<&Checkout>,
) -> Result<Oracles, Failure> {
    let given = arguments.reference.as_ref().map(std::slice::from_ref);
    let paths = checkout.map(|checkout| &checkout.paths[..]).or(given);
    let reference =
        paths.map(|paths| Reference::open(paths, request, &front::control())).transpose()?;
    let kept = match (&arguments.keep, &arguments.resume) {
        (Some(path), _) => Some(Kept::open(path, false)?),
        (None, Some(path)) => Some(Kept::open(path, true)?),
        (None, None) => None,
    };
    let mut known = if arguments.person_only { Oracles::default() } else { Oracles::of(request) };
    (known.reference, known.kept) = (reference, kept);
    Ok(known)
}

fn write_tests(path: &Path, tests: &Tests) -> Result<(), Failure> {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("debugged_tests");
    let text = tests.module(name);
    if tests.is_empty() {
        let why = "no answer is about an exported function with plain values";
        output::complain(&format!("{}: not written: {why}", path.display()));
        return Ok(());
    }
    let cannot = |error| Failure::Use(format!("{}: {error}", path.display()));
    std::fs::write(path, text).map_err(cannot)
}

/// Looks for the statement in which a piece of the program is wrong; what is known stays if that is
/// not found.
fn narrow(
    asking: &mut Asking,
    search: &mut Search<'_>,
    debugged: &Debugged,
    known: &mut Option<Next>,
) -> Result<(), Failure> {
    search.narrow();
    asking.is_narrowing = true;
    let next = asking.ask(search, &About::Statements(debugged))?;
    asking.is_narrowing = false;
    if let Some(Next::Buggy(_)) = next {
        *known = next;
    }
    Ok(())
}

/// Looks for the part of a statement that is to blame; nothing if that is not found.
fn zoom(
    asking: &mut Asking,
    debugged: &Debugged,
    node: NodeIx,
) -> Result<Option<(NodeIx, Zoomed)>, Failure> {
    let control = front::control();
    let Some(zoom) = debugged.zoom(node, &control)? else { return Ok(None) };
    if let Some(reference) = &asking.oracles.reference
        && let Some(traced) = debugged.traced_by(reference, &zoom, node, &control)?
    {
        return Ok(Some(traced));
    }
    if asking.asks_nobody {
        return Ok(None);
    }
    let inside = debugged.question(node).map(|question| question.function).unwrap_or_default();
    // What encloses is asked about before what is inside: it is easier to tell.
    let mut search = Search::inside(zoom.shape(), Strategy::TopDown);
    Ok(match asking.ask(&mut search, &About::Parts(&zoom, &inside))? {
        Some(Next::Buggy(part)) => Some((node, zoom.blamed(Some(part)))),
        Some(Next::Fine) => Some((node, zoom.blamed(None))),
        _ => None,
    })
}

/// The run has no statements: nothing of the program was called, or a bound came first.
fn nothing_to_ask(arguments: &Debug, debugged: &Debugged) -> Result<Exit, Failure> {
    match debugged.ending.as_ref() {
        Some(Ending::Bound { bound, .. }) => {
            let why = report::endings::bound(bound);
            output::complain(&format!("{why}, before there was anything to ask about"));
            if arguments.format == DebugFormat::Json {
                output::write_all(report::cut::debug(&why).as_bytes())?;
            }
            Ok(Exit::Incomplete)
        }
        _ if !debugged.problems.is_empty() => {
            Err(Failure::Use("the program could not be loaded: there is nothing to debug".into()))
        }
        ending => {
            let why = ending.map_or_else(String::new, |ended| format!(": {}", shown::ended(ended)));
            Err(Failure::Use(format!("no function of the program was called{why}")))
        }
    }
}

/// What came out.
struct Told {
    verdict: Option<Verdict>,
    /// Functions that may be wrong, where the answers did not suffice.
    open: Vec<String>,
    nodes: u64,
}

impl Told {
    fn new(debugged: &Debugged, next: Option<&Next>, zoomed: Option<Zoomed>, nodes: u64) -> Told {
        let verdict = match next {
            Some(Next::Buggy(node) | Next::Piece(node)) => debugged.verdict(*node),
            _ => None,
        };
        let verdict = verdict.map(|verdict| verdict.zoomed(zoomed));
        let mut open: Vec<String> = Vec::new();
        if let Some(Next::Open(nodes)) = next {
            // Each once, however often it ran.
            for question in nodes.iter().filter_map(|node| debugged.question(*node)) {
                if !open.contains(&question.function) {
                    open.push(question.function);
                }
            }
        }
        Told { verdict, open, nodes }
    }
}

/// Tells what came out.
fn tell(
    asking: &Asking,
    next: Option<&Next>,
    Told { verdict, open, nodes }: Told,
    colour: bool,
) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    if asking.format == DebugFormat::Json {
        let end = shown::json_end(verdict.as_ref(), open, &asking.answered, nodes);
        writeln!(out, "{end}")?;
    } else {
        let text = match (&verdict, next) {
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
        Some(Next::Buggy(_) | Next::Piece(_)) => Exit::SomethingFound,
        Some(Next::Fine) => Exit::NothingFound,
        _ => Exit::Incomplete,
    })
}
