//! What several commands take.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};
use session::explore::Manner;

use super::values::{define, duration, size};

pub(super) const DELIVERY: &str = "How signals travel between processes";

/// How signals travel between processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeliveryMode {
    /// They arrive when they are sent
    Instant,
    /// They arrive at any time, in order between two processes; `--seed` decides
    Any,
}

impl From<DeliveryMode> for session::Delivery {
    fn from(mode: DeliveryMode) -> session::Delivery {
        match mode {
            DeliveryMode::Instant => session::Delivery::Instant,
            DeliveryMode::Any => session::Delivery::Any,
        }
    }
}

// Recording what happens; the same for every command that runs one thing.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct Tracing {
    /// Write what happens to FILE, for `erlscope trace`, `slice --trace` and others
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// In the trace: calls inside of libraries, too
    #[arg(long, requires = "trace")]
    pub(crate) trace_all: bool,

    /// In the trace: every expression, clause and condition that is reached, too
    #[arg(long, requires = "trace")]
    pub(crate) trace_nodes: bool,
}

impl Tracing {
    pub(crate) fn request(&self) -> session::Tracing {
        session::Tracing {
            file: self.trace.clone(),
            all_calls: self.trace_all,
            nodes: self.trace_nodes,
        }
    }
}

// How programs are run; the same for every command that runs them.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct Running {
    /// Let processes take turns at random, by the numbers that this one leads to
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stop after this many function calls; `test` counts them for each test
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Stop at this much memory, such as 500M or 2G [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,

    /// Stop after this much time, such as 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Stop after this much of the program's own time, which stands still while it computes
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,

    /// What the program may reach beside its own directories, the current one and that for
    /// temporary files: all, none, read, read=PATH, write, write=PATH, env, env=NAME,
    /// run (programs of the system), run=NAME,NAME…
    #[arg(long = "allow", value_name = "WHAT")]
    pub(crate) allowed: Vec<String>,

    /// Use OTP's own version of library modules where it is installed
    #[arg(long)]
    pub(crate) prefer_otp: bool,

    /// Check contracts: those that are declared, and specs; `declared` leaves specs out
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "all")]
    pub(crate) contracts: Option<Contracts>,

    /// In contracts: time is the clock's, and not counted by calls
    #[arg(long, requires = "contracts")]
    pub(crate) wall_time: bool,
}

/// Which contracts are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Contracts {
    /// Those that are declared, and specs
    All,
    /// No specs
    Declared,
}

impl Running {
    pub(crate) fn request(&self) -> session::Running {
        session::Running {
            seed: self.seed,
            max_steps: self.max_steps,
            max_memory: self.max_memory,
            timeout: self.timeout,
            max_time: self.max_time,
            allowed: self.allowed.clone(),
            prefer_otp: self.prefer_otp,
            contracts: self.contracts.map(|which| session::Contracting {
                without_specs: which == Contracts::Declared,
                wall_time: self.wall_time,
            }),
        }
    }
}

// How executions are told.
#[derive(Args, Clone, Debug)]
pub(crate) struct Telling {
    /// Tell which steps raced: could have come in the other order
    #[arg(long)]
    pub(crate) show_races: bool,

    /// Whether processes have names that tell what they do, or only identifiers such as <0.82.0>
    #[arg(long, value_name = "BOOL", default_value_t = true)]
    #[arg(action = ArgAction::Set, hide_possible_values = true)]
    pub(crate) symbolic_names: bool,
}

impl Telling {
    pub(crate) fn manner(&self) -> Manner {
        Manner { identifiers: !self.symbolic_names, races: self.show_races }
    }
}

// How far commands go that run nothing.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct Limiting {
    /// Stop at this much memory, such as 500M or 2G [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,

    /// Stop after this much time, such as 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
}

// How source text is read; the same for every command that reads it.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// Search DIR for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include_dirs: Vec<PathBuf>,

    /// Define a macro; VALUE is an Erlang term, `true` if absent
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define)]
    pub(crate) defines: Vec<(String, Option<String>)>,

    /// Enable a language feature, as -feature(NAME, enable) does
    #[arg(long = "enable-feature", value_name = "NAME")]
    pub(crate) features: Vec<String>,

    /// Use the Erlang/OTP in DIR for -include_lib [default: the one of `erl` on the PATH]
    #[arg(long, value_name = "DIR", conflicts_with = "no_otp")]
    pub(crate) otp: Option<PathBuf>,

    /// Use no Erlang/OTP installation
    #[arg(long)]
    pub(crate) no_otp: bool,

    /// The release that ?OTP_RELEASE names [default: that of the OTP in use]
    #[arg(long, value_name = "N")]
    pub(crate) otp_release: Option<u32>,
}

impl Reading {
    pub(crate) fn request(&self) -> session::Reading {
        session::Reading {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            features: self.features.clone(),
            otp: self.otp.clone(),
            without_otp: self.no_otp,
            release: self.otp_release,
        }
    }
}
