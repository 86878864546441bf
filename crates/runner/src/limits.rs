//! How far a run may go: calls, virtual time, real time, memory, and the user's patience.
//!
//! Calls and virtual time are properties of the run: it ends at the same place every time. Real
//! time and memory are those of our own process and are looked at between time slices; memory is
//! what the system says is resident, so everything counts (terms, code, tables), and nothing has to
//! be counted while the program runs. One builtin can take long or allocate much before the next
//! look: who cannot wait looks from another thread ([`Limits::over`] is what that says), and ends
//! the process when a bound is passed by far.

use std::fmt;
use std::io::Read as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use machine::Bound;
use machine::Machine;

/// The bounds of a run. Steps and virtual time count from where it starts.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub steps: Option<u64>,
    pub virtual_time: Option<Duration>,
    pub real_time: Option<Duration>,
    pub memory: Option<u64>,
    /// What somebody else finds that ends the run: the user wants to stop, say.
    pub over: Over,
}

/// What somebody else finds that ends a piece of work; by default nothing does. Asked often, so
/// the answer has to be cheap.
#[derive(Clone, Default)]
pub struct Over(Option<Arc<dyn Fn() -> Option<Bound> + Send + Sync>>);

impl Over {
    pub fn new(reached: impl Fn() -> Option<Bound> + Send + Sync + 'static) -> Over {
        Over(Some(Arc::new(reached)))
    }

    /// The bound that is reached, if one is.
    pub fn reached(&self) -> Option<Bound> {
        self.0.as_ref().and_then(|reached| reached())
    }
}

impl fmt::Debug for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Over").field(&self.reached()).finish()
    }
}

/// Limits with the point from which they count.
pub(crate) struct Meter<'a> {
    limits: &'a Limits,
    first_step: u64,
    first_time: u64,
    began: Instant,
    looks: u32,
}

/// Memory and the clock are asked about once in this many time slices.
const SLICES_PER_LOOK: u32 = 16;

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &'a Limits, machine: &Machine) -> Meter<'a> {
        Meter {
            limits,
            first_step: machine.steps(),
            first_time: machine.now(),
            began: Instant::now(),
            looks: 0,
        }
    }

    /// How many calls are left.
    pub(crate) fn steps_left(&self, machine: &Machine) -> u64 {
        match self.limits.steps {
            Some(most) => most.saturating_sub(machine.steps() - self.first_step),
            None => u64::MAX,
        }
    }

    /// The bound that is reached.
    pub(crate) fn reached(&mut self, machine: &Machine) -> Option<Bound> {
        if let Some(most) = self.limits.steps
            && self.steps_left(machine) == 0
        {
            return Some(Bound::Steps(most));
        }
        if let Some(most) = self.limits.virtual_time
            && u128::from(machine.now() - self.first_time) > most.as_nanos()
        {
            return Some(Bound::VirtualTime(most));
        }
        if let Some(bound) = self.limits.over.reached() {
            return Some(bound);
        }
        self.looks += 1;
        if !self.looks.is_multiple_of(SLICES_PER_LOOK) {
            return None;
        }
        if let Some(most) = self.limits.real_time
            && self.began.elapsed() > most
        {
            return Some(Bound::RealTime(most));
        }
        let most = self.limits.memory?;
        (resident()? > most).then_some(Bound::Memory(most))
    }
}

/// Bytes of memory that this process has; `None` where the system does not tell.
pub fn resident() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Three quarters of the memory of this machine: more would make everything else on it wait.
pub fn default_memory() -> Option<u64> {
    // It is the first line; what comes after it takes time to find out.
    let mut start = [0; 64];
    let size = std::fs::File::open("/proc/meminfo").ok()?.read(&mut start).ok()?;
    let text = String::from_utf8_lossy(&start[..size]);
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 4 * 3 * 1024)
}
