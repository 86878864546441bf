//! What a step of a story does, what goes from it to others, and what steps race about: as data.
//! The words for it are those of `report`. Terms are Erlang text, processes are called as the cast
//! of the story has them.

use crate::failure::Claim;
use crate::place::Awaited;

/// What a process, or a timer, does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Sends {
        content: Content,
        to: Party,
        /// Whether the receiver has ended.
        in_vain: bool,
    },
    /// There is no such process, name or alias.
    SendsToNobody {
        nobody: Option<Nobody>,
    },
    /// A message was received; which one and of whom may not be known.
    Receives {
        content: Option<Content>,
        from: Option<Party>,
    },
    /// A `receive` whose time is over.
    GivesUp,
    /// A timer sends its message, if there is still somebody to send it to.
    Fires {
        message: Option<(String, String)>,
    },
    /// A signal reaches a process.
    IsReached {
        by: Signal,
        of: Option<String>,
    },
    Starts {
        process: String,
    },
    /// It is about to end and gives up a table.
    GivesUpTable {
        table: Option<String>,
    },
    /// It ends as it should.
    Ends,
    Exits {
        reason: String,
    },
    /// It ends because an assertion does not hold.
    FailsAssertion {
        name: String,
        claim: Claim,
    },
    /// It waits for a message that never comes.
    Waits {
        awaited: Vec<Awaited>,
        mailbox: Option<String>,
    },
    Registers {
        process: Party,
        name: String,
        is_taken: bool,
    },
    Unregisters {
        name: String,
    },
    LooksUp {
        name: String,
        found: Option<Party>,
    },
    Links(Party),
    Unlinks(Party),
    Monitors(Party),
    /// A monitor that was held back has its effect.
    MonitorsFromNowOn {
        process: String,
    },
    Demonitors,
    SendsExitSignal {
        to: Party,
        reason: String,
    },
    AsksWhetherAlive(Party),
    /// From now on, or no more.
    TrapsExits(bool),
    SetsTimer {
        milliseconds: String,
        message: String,
        to: Party,
    },
    CancelsTimer,
    /// Any other builtin.
    Calls {
        module: String,
        function: String,
        arguments: Vec<String>,
    },
}

/// Steps that are drawn alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    Send,
    Receive,
    GiveUp,
    Call,
    Fire,
    /// A signal reaches it.
    Arrive,
    Spawn,
    End,
    /// It is stuck in a `receive` at the end.
    Waits,
}

impl Action {
    pub fn kind(&self) -> StepKind {
        match self {
            Action::Sends { .. } | Action::SendsToNobody { .. } => StepKind::Send,
            Action::Receives { .. } => StepKind::Receive,
            Action::GivesUp => StepKind::GiveUp,
            Action::Fires { .. } => StepKind::Fire,
            Action::IsReached { .. } | Action::MonitorsFromNowOn { .. } => StepKind::Arrive,
            Action::Starts { .. } => StepKind::Spawn,
            Action::GivesUpTable { .. }
            | Action::Ends
            | Action::Exits { .. }
            | Action::FailsAssertion { .. } => StepKind::End,
            Action::Waits { .. } => StepKind::Waits,
            Action::Registers { .. }
            | Action::Unregisters { .. }
            | Action::LooksUp { .. }
            | Action::Links(_)
            | Action::Unlinks(_)
            | Action::Monitors(_)
            | Action::Demonitors
            | Action::SendsExitSignal { .. }
            | Action::AsksWhetherAlive(_)
            | Action::TrapsExits(_)
            | Action::SetsTimer { .. }
            | Action::CancelsTimer
            | Action::Calls { .. } => StepKind::Call,
        }
    }
}

/// Who an action is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    Itself,
    /// A process by its name, or what stands for one.
    Process(String),
    Timer,
    /// Somebody whose signal it was.
    Somebody,
}

/// What a message says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Of a server, with what it is asked for.
    Call(String),
    Cast(String),
    Reply(String),
    /// That a process has ended: `'DOWN'` and `'EXIT'`.
    End {
        of: String,
        reason: String,
    },
    Plain(String),
}

/// Whom a message did not reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Nobody {
    /// A reply to an alias that is none any more.
    Alias {
        reply: String,
    },
    Name {
        message: String,
        name: String,
    },
    Process {
        message: String,
        process: String,
    },
}

/// What reaches a process by a step of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Signal {
    /// It ends the process.
    Exit,
    /// The message that another has ended.
    End(String),
    Message(String),
    /// It changes nothing.
    Nothing,
}

/// What an arrow stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Carried {
    /// The other process is started.
    Start,
    Message(Content),
    /// A message that an end or a builtin brings about: `'DOWN'`, `'EXIT'`, …
    Notice(Content),
    /// It ends the other process.
    ExitSignal,
}

/// What two steps that could have come in the other order are both about; of processes their names,
/// where these are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// A registered name.
    Name(Option<String>),
    Table,
    /// Which tables there are.
    Tables,
    PersistentTerm,
    Counter,
    /// Whether a process is alive.
    Life(Option<String>),
    /// Links and monitors of a process.
    Relations(Option<String>),
    Monitor,
    Alias,
    Mailbox(Option<String>),
    /// What else a process has.
    State(Option<String>),
    Timer,
    /// Which processes there are.
    Processes,
    /// What else the node has.
    Node,
    /// Whether a process goes on.
    GoingOn,
    /// Which message a process takes first.
    FirstMessage(String),
}
