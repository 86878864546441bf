//! How programs are run: the same for every request that runs one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ::trace::schedule::{Checked, Witness};
pub use machine::flight::Delivery;
use runner::limits::{self, Limits};
use runner::loader::{Prefer, ProgramLoader};
use runner::scheduler::{InTurn, Scheduler, Shuffled};
use runner::world::permissions::Permissions;

use crate::reading::Reader;
use crate::{Control, Error};

/// How programs are run.
#[derive(Clone, Default, Debug)]
pub struct Running {
    /// Processes take turns at random, by the numbers that this one leads to.
    pub seed: Option<u64>,
    /// Function calls; of tests, for each of them.
    pub max_steps: Option<u64>,
    /// In bytes; else three quarters of what the machine has.
    pub max_memory: Option<u64>,
    /// Real time.
    pub timeout: Option<Duration>,
    /// The program's own time, which stands still while it computes.
    pub max_time: Option<Duration>,
    /// What the program may reach beside its own directories: `read=PATH`, `env`, …
    pub allowed: Vec<String>,
    /// OTP's own version of library modules where it is installed.
    pub prefer_otp: bool,
    /// Contracts are checked.
    pub contracts: Option<Contracting>,
}

/// Which contracts are checked, and how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Contracting {
    /// Specs are no contracts.
    pub without_specs: bool,
    /// Time is the clock's, and not counted.
    pub wall_time: bool,
}

/// Recording what happens in a run.
#[derive(Clone, Default, Debug)]
pub struct Tracing {
    /// Where to, if at all.
    pub file: Option<PathBuf>,
    /// Calls inside of libraries, too.
    pub all_calls: bool,
    /// Every expression, clause and condition that is reached, too.
    pub nodes: bool,
}

/// What the code of a program tells who watches it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Telling {
    /// What every code tells: calls, messages, processes.
    #[default]
    Calls,
    /// Every node that is reached, too.
    Nodes,
    /// And the value of every expression.
    Values,
}

impl Telling {
    /// Modules that are loaded from now on tell this.
    pub(crate) fn begin(self, loader: &ProgramLoader) {
        match self {
            Telling::Calls => {}
            Telling::Nodes => loader.mark_own(),
            Telling::Values => loader.show_own(),
        }
    }
}

impl Running {
    pub(crate) fn limits(&self, control: &Control) -> Result<Limits, Error> {
        if self.max_memory.is_some() && limits::resident().is_none() {
            return Err(Error::NoMemoryLimit);
        }
        Ok(Limits {
            steps: self.max_steps,
            virtual_time: self.max_time,
            real_time: self.timeout,
            memory: self.max_memory.or_else(limits::default_memory),
            over: control.over().clone(),
        })
    }

    /// The limits of parse transforms where the front alone sees to time, so that a transform is
    /// stopped no earlier than the front knows of it, and tells.
    pub(crate) fn limits_of_transforms(&self, control: &Control) -> Result<Limits, Error> {
        Ok(Limits { real_time: None, ..self.limits(control)? })
    }

    /// What the program may reach: its own files, OTP's, and what the user allows.
    pub(crate) fn permissions(
        &self,
        paths: &[PathBuf],
        reader: &Reader,
    ) -> Result<Permissions, Error> {
        let mut permissions = Permissions::default();
        for path in paths {
            let dir = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
            let dir = dir.filter(|dir| !dir.as_os_str().is_empty());
            permissions.allow_read(dir.unwrap_or(Path::new(".")));
        }
        if let Some(otp) = reader.library.otp() {
            permissions.allow_read(&otp.root);
        }
        for what in &self.allowed {
            permissions.parse(what).map_err(|message| Error::Permission(message.to_string()))?;
        }
        Ok(permissions)
    }

    /// As what was recorded was run: with the contracts that were checked then.
    pub(crate) fn as_recorded(&self, witness: &Witness) -> Running {
        let recorded = witness.contracts.map(|checked| Contracting {
            without_specs: checked == Checked::Declared,
            wall_time: false,
        });
        Running { contracts: self.contracts.or(recorded), ..self.clone() }
    }

    /// Which contracts are checked, as witnesses say it.
    pub(crate) fn checked(&self) -> Option<Checked> {
        self.contracts.map(|contracting| match contracting.without_specs {
            true => Checked::Declared,
            false => Checked::All,
        })
    }

    pub(crate) fn scheduler(&self, delivery: Delivery) -> Box<dyn Scheduler> {
        match self.seed {
            Some(seed) => Box::new(Shuffled::new(seed)),
            None if delivery == Delivery::Any => Box::new(Shuffled::new(0)),
            None => Box::new(InTurn),
        }
    }

    pub(crate) fn prefer(&self) -> Prefer {
        if self.prefer_otp { Prefer::Otp } else { Prefer::Embedded }
    }
}
