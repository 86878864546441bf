//! What `gen_server` and `gen_statem` ask of their callbacks: which functions those are, and which
//! tuples they may give.

/// What a callback of a server is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callback {
    Init,
    Call,
    /// `handle_cast`, `handle_info`.
    Message,
    Continue,
    Terminate,
    /// `code_change`.
    Change,
    Status,
    /// Of a `gen_statem`: `init`, a function of one state, the one of all states, `terminate`,
    /// `code_change`.
    Begin,
    Event,
    AnyEvent,
    Finish,
    Replace,
    /// `callback_mode`.
    Mode,
}

/// What a call starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Behaviour {
    Server,
    Machine,
}

impl Callback {
    pub(super) fn of(behaviour: Behaviour, name: &str, arity: u32) -> Option<Callback> {
        if behaviour == Behaviour::Machine {
            return Some(match (name, arity) {
                ("callback_mode", 0) => Callback::Mode,
                ("init", 1) => Callback::Begin,
                ("handle_event", 4) => Callback::AnyEvent,
                ("terminate", 3) => Callback::Finish,
                ("code_change", 4) => Callback::Replace,
                ("format_status", 1 | 2) => Callback::Status,
                (_, 3) => Callback::Event,
                _ => return None,
            });
        }
        Some(match (name, arity) {
            ("init", 1) => Callback::Init,
            ("handle_call", 3) => Callback::Call,
            ("handle_cast" | "handle_info", 2) => Callback::Message,
            ("handle_continue", 2) => Callback::Continue,
            ("terminate", 2) => Callback::Terminate,
            ("code_change", 3) => Callback::Change,
            ("format_status", 1 | 2) => Callback::Status,
            _ => return None,
        })
    }

    /// The parameter that is the state.
    pub(super) fn state(self) -> Option<u32> {
        match self {
            Callback::Init | Callback::Status | Callback::Begin | Callback::Mode => None,
            Callback::Call | Callback::Event | Callback::Finish | Callback::Replace => Some(2),
            Callback::AnyEvent => Some(3),
            Callback::Message | Callback::Continue | Callback::Terminate | Callback::Change => {
                Some(1)
            }
        }
    }

    /// Whether it handles what is sent.
    pub(crate) fn handles_events(self) -> bool {
        matches!(self, Callback::Event | Callback::AnyEvent)
    }

    /// Whether it begins a server.
    pub(super) fn begins(self) -> bool {
        matches!(self, Callback::Init | Callback::Begin)
    }

    /// The tuples that it may give: first element and size, and what their elements are.
    pub(super) fn tuples(self) -> &'static [(&'static str, &'static [Element])] {
        use Element::{Actions, Name, Next, Reason, Reply, State};
        match self {
            Callback::Init => &[
                ("ok", &[State]),
                ("ok", &[State, Next]),
                ("stop", &[Reason]),
                ("error", &[Reason]),
            ],
            Callback::Call => &[
                ("reply", &[Reply, State]),
                ("reply", &[Reply, State, Next]),
                ("noreply", &[State]),
                ("noreply", &[State, Next]),
                ("stop", &[Reason, Reply, State]),
                ("stop", &[Reason, State]),
            ],
            Callback::Message | Callback::Continue => {
                &[("noreply", &[State]), ("noreply", &[State, Next]), ("stop", &[Reason, State])]
            }
            Callback::Change => &[("ok", &[State])],
            Callback::Begin => &[
                ("ok", &[Name, State]),
                ("ok", &[Name, State, Actions]),
                ("stop", &[Reason]),
                ("error", &[Reason]),
            ],
            Callback::Event | Callback::AnyEvent => &[
                ("next_state", &[Name, State]),
                ("next_state", &[Name, State, Actions]),
                ("keep_state", &[State]),
                ("keep_state", &[State, Actions]),
                ("keep_state_and_data", &[Actions]),
                ("repeat_state", &[State]),
                ("repeat_state", &[State, Actions]),
                ("repeat_state_and_data", &[Actions]),
                ("stop", &[Reason]),
                ("stop", &[Reason, State]),
                ("stop_and_reply", &[Reason, Actions]),
                ("stop_and_reply", &[Reason, Actions, State]),
            ],
            Callback::Replace => &[("ok", &[Name, State])],
            Callback::Terminate | Callback::Status | Callback::Finish | Callback::Mode => &[],
        }
    }
}

/// What an element of a callback's result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    State,
    Reply,
    Reason,
    /// A time-out, `hibernate`, or what to continue with.
    Next,
    /// The state of a `gen_statem`.
    Name,
    Actions,
}

/// For a call that starts a server: the position of what `init` gets.
pub(super) fn started(module: &str, name: &str, arity: usize) -> Option<(Behaviour, usize)> {
    let behaviour = match module {
        "gen_server" => Behaviour::Server,
        "gen_statem" => Behaviour::Machine,
        _ => return None,
    };
    match (name, arity) {
        ("start" | "start_link" | "start_monitor", 3 | 4) => Some((behaviour, arity - 2)),
        _ => None,
    }
}

/// The position of what a client sends to a server, or a server to a client.
pub(super) fn request(module: &str, name: &str) -> Option<usize> {
    let sends = matches!(name, "call" | "cast" | "reply" | "send_request" | "abcast");
    (matches!(module, "gen_server" | "gen_statem") && sends).then_some(1)
}
