//! The steps of a story, the arrows between them, and what they race about.

use ::explore::story::action::{About, Action, Carried, Content, Nobody, Party, Signal};

use super::failure::{called, says};
use super::{awaited, cut};

/// Longer calls are cut.
const LONGEST: usize = 100;

/// What somebody does: "sends ping to pong".
pub fn action(action: &Action) -> String {
    match action {
        Action::Sends { content, to, in_vain } => sends(content, to, *in_vain),
        Action::SendsToNobody { nobody } => sends_to_nobody(nobody.as_ref()),
        Action::Receives { content, from } => receives(content.as_ref(), from.as_ref()),
        Action::GivesUp => "gives up waiting for a message".to_owned(),
        Action::Fires { message: Some((message, to)) } => format!("sends {message} to {to}"),
        Action::Fires { message: None } => "is over, for nobody".to_owned(),
        Action::IsReached { by, of } => is_reached(by, of.as_deref()),
        Action::Starts { process } => format!("starts {process}"),
        Action::GivesUpTable { table: Some(table) } => {
            format!("is about to end and gives up its table {table}")
        }
        Action::GivesUpTable { table: None } => "is about to end".to_owned(),
        Action::Ends => "ends".to_owned(),
        Action::Exits { reason } => format!("exits: {reason}"),
        Action::FailsAssertion { name, claim } => format!("exits: {name} fails: {}", says(claim)),
        Action::Waits { awaited: clauses, mailbox } => {
            let what = awaited(clauses).unwrap_or_else(|| "a message".to_owned());
            let with =
                mailbox.as_ref().map_or(String::new(), |it| format!(", with {it} in its mailbox"));
            format!("waits for {what}, which never comes{with}")
        }
        Action::Registers { process, name, is_taken } => {
            let taken = if *is_taken { ", a name that is taken" } else { "" };
            format!("registers {} as {name}{taken}", party(process))
        }
        Action::Unregisters { name } => format!("unregisters {name}"),
        Action::LooksUp { name, found } => {
            format!("looks up the name {name}: {}", found.as_ref().map_or("nobody", party))
        }
        Action::Links(to) => format!("links to {}", party(to)),
        Action::Unlinks(from) => format!("unlinks {}", party(from)),
        Action::Monitors(whom) => format!("monitors {}", party(whom)),
        Action::MonitorsFromNowOn { process } => format!("monitors {process} only from now on"),
        Action::Demonitors => "demonitors".to_owned(),
        Action::SendsExitSignal { to, reason } => {
            format!("sends {} the exit signal {reason}", party(to))
        }
        Action::AsksWhetherAlive(whom) => format!("asks whether {} is alive", party(whom)),
        Action::TrapsExits(true) => "traps exits".to_owned(),
        Action::TrapsExits(false) => "traps exits no more".to_owned(),
        Action::SetsTimer { milliseconds, message, to } => {
            format!("sets a timer of {milliseconds} ms: {message} to {}", party(to))
        }
        Action::CancelsTimer => "cancels a timer".to_owned(),
        Action::Calls { module, function, arguments } => {
            cut(format!("calls {}", called(module, function, arguments)), LONGEST)
        }
    }
}

fn party(party: &Party) -> &str {
    match party {
        Party::Itself => "itself",
        Party::Process(name) => name,
        Party::Timer => "a timer",
        Party::Somebody => "a signal",
    }
}

fn sends(content: &Content, to: &Party, in_vain: bool) -> String {
    let to = format!("{}{}", party(to), if in_vain { ", which has ended" } else { "" });
    match content {
        Content::Call(request) => format!("calls {to}: {request}"),
        Content::Cast(request) => format!("casts {request} to {to}"),
        Content::Reply(reply) => format!("replies {reply} to {to}"),
        Content::End { of, reason } => format!("tells {to} that {of} has ended: {reason}"),
        Content::Plain(message) => format!("sends {message} to {to}"),
    }
}

fn sends_to_nobody(nobody: Option<&Nobody>) -> String {
    match nobody {
        None => "sends a message that nobody gets".to_owned(),
        Some(Nobody::Alias { reply }) => format!("replies {reply}, for which nobody waits"),
        Some(Nobody::Name { message, name }) => {
            format!("sends {message} to {name}, which is no name of a process")
        }
        Some(Nobody::Process { message, process }) => {
            format!("sends {message} to {process}, which has ended")
        }
    }
}

fn receives(content: Option<&Content>, from: Option<&Party>) -> String {
    let of = from.map_or(String::new(), |from| format!(" of {}", party(from)));
    let from = from.map_or(String::new(), |from| format!(" from {}", party(from)));
    match content {
        None => "receives a message".to_owned(),
        Some(Content::Call(request)) => format!("takes the call {request}{of}"),
        Some(Content::Cast(request)) => format!("takes the cast {request}{of}"),
        Some(Content::Reply(reply)) => format!("gets the reply {reply}{from}"),
        Some(Content::End { of, reason }) => format!("hears that {of} has ended: {reason}"),
        Some(Content::Plain(message)) => format!("receives {message}{from}"),
    }
}

fn is_reached(by: &Signal, of: Option<&str>) -> String {
    let of = of.map_or(String::new(), |of| format!(" of {of}"));
    match by {
        Signal::Exit => format!("is reached by the exit signal{of}"),
        Signal::End(message) => format!("is reached by {message}{of}"),
        Signal::Message(message) => format!("is reached by the message {message}{of}"),
        Signal::Nothing => format!("is reached by a signal{of}, to no effect"),
    }
}

/// The words on an arrow.
pub fn carried(carried: &Carried) -> String {
    match carried {
        Carried::Start => String::new(),
        Carried::ExitSignal => "exit signal".to_owned(),
        Carried::Message(content) | Carried::Notice(content) => match content {
            Content::Call(request) => format!("call {request}"),
            Content::Cast(request) => format!("cast {request}"),
            Content::Reply(reply) => format!("reply {reply}"),
            Content::End { reason, .. } => reason.clone(),
            Content::Plain(message) => message.clone(),
        },
    }
}

/// What a race is about.
pub fn about(about: &About) -> String {
    let process = |name: &Option<String>| name.clone().unwrap_or_else(|| "a process".to_owned());
    match about {
        About::Name(Some(name)) => format!("the name {name}"),
        About::Name(None) => "names".to_owned(),
        About::Table => "a table".to_owned(),
        About::Tables => "which tables there are".to_owned(),
        About::PersistentTerm => "a persistent term".to_owned(),
        About::Counter => "a counter".to_owned(),
        About::Life(of) => format!("whether {} is alive", process(of)),
        About::Relations(of) => format!("links and monitors of {}", process(of)),
        About::Monitor => "a monitor".to_owned(),
        About::Alias => "an alias".to_owned(),
        About::Mailbox(of) => format!("the mailbox of {}", process(of)),
        About::State(of) => format!("the state of {}", process(of)),
        About::Timer => "a timer".to_owned(),
        About::Processes => "which processes there are".to_owned(),
        About::Node => "what the node has".to_owned(),
        About::GoingOn => "whether a process goes on".to_owned(),
        About::FirstMessage(of) => format!("which message {of} takes first"),
    }
}
