//! What a program sees of the outside.
//!
//! * [`permissions`]: what it may reach.
//! * [`explored`]: what programs see that are run under many schedules.
//! * `disk`: files (Unix only; elsewhere programs get a file system in memory).
//! * `programs`: programs of the system, where they are allowed.
//! * `scratch`: a directory for the files of a test run.
//! * `zone`: local time.

#[cfg(unix)]
mod disk;
pub mod explored;
pub mod permissions;
mod programs;
pub mod reads;
mod scratch;
mod zone;

use std::cell::{OnceCell, RefCell};
use std::io::{BufRead, IsTerminal, Write};
use std::mem::take;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use machine::world::{Command, Files, UtcOffset, World};

use permissions::{Permissions, Programs, Variables};

/// The real input, output, environment, files and day.
#[derive(Debug)]
pub struct RealWorld {
    /// The lines that were read so far: they may be asked for again.
    input: RefCell<Vec<String>>,
    variables: Variables,
    programs: Programs,
    #[cfg(unix)]
    disk: disk::Disk,
    zone: zone::Zone,
    scratch: OnceCell<Option<scratch::Scratch>>,
    seed: u64,
    /// What was written, if it is kept instead of shown.
    kept: Option<Kept>,
    /// Whether the standard output is for somebody else.
    aside: bool,
    /// Whether somebody watches the output as it comes.
    is_terminal: bool,
    /// Whether the day and the number of our own process are always the same.
    fixed: bool,
}

/// When a run begins that is to be the same every time: 2023-11-14, 22:13:20 UTC.
const FIXED_START: u64 = 1_700_000_000_000_000_000;
const FIXED_PID: u32 = 4711;

/// Output that is part of a report. Another thread may report it, if this one cannot.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    output: Arc<Mutex<String>>,
    error_output: Arc<Mutex<String>>,
}

impl Kept {
    /// What was written so far, to the standard output and to the standard error output; nothing of
    /// what is being written just now.
    pub fn so_far(&self) -> (String, String) {
        let copy = |text: &Mutex<String>| text.try_lock().map(|t| t.clone()).unwrap_or_default();
        (copy(&self.output), copy(&self.error_output))
    }
}

fn locked(text: &Mutex<String>) -> MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for RealWorld {
    fn default() -> RealWorld {
        RealWorld::new(Permissions::default(), 0)
    }
}

impl RealWorld {
    /// `seed`: what the system's random numbers are made from.
    pub fn new(permissions: Permissions, seed: u64) -> RealWorld {
        RealWorld {
            input: RefCell::default(),
            variables: permissions.variables.clone(),
            programs: permissions.programs.clone(),
            #[cfg(unix)]
            disk: disk::Disk::new(permissions),
            zone: zone::Zone::of_environment(),
            scratch: OnceCell::new(),
            seed,
            kept: None,
            aside: false,
            is_terminal: std::io::stdout().is_terminal(),
            fixed: false,
        }
    }

    /// The same world, but what is written is kept.
    pub fn keeping_output(self) -> RealWorld {
        RealWorld { kept: Some(Kept::default()), ..self }
    }

    /// The same world, but all that is written goes to the standard error output.
    pub fn on_error_output(self) -> RealWorld {
        RealWorld { aside: true, ..self }
    }

    /// The same world, but the run begins at a fixed time: what it sees of the clock, and of the
    /// number of the process, is the same every time.
    ///
    /// It also remembers which files were read.
    pub fn at_fixed_time(self) -> RealWorld {
        #[allow(unused_mut, reason = "only changed where there is a disk")]
        let mut world = RealWorld { fixed: true, ..self };
        #[cfg(unix)]
        world.disk.remember_reads();
        world
    }

    /// Files that were read, as they were then.
    pub fn reads(&self) -> Vec<(PathBuf, reads::Content)> {
        #[cfg(unix)]
        let reads = self.disk.reads();
        #[cfg(not(unix))]
        let reads = Vec::new();
        reads
    }

    /// What was written and kept: to the standard output, and to the standard error output.
    pub fn take_output(&self) -> (String, String) {
        match &self.kept {
            Some(kept) => {
                (take(&mut *locked(&kept.output)), take(&mut *locked(&kept.error_output)))
            }
            None => Default::default(),
        }
    }

    /// Where output is kept, if it is.
    pub fn kept(&self) -> Option<Kept> {
        self.kept.clone()
    }
}

impl World for RealWorld {
    fn print(&self, text: &str) {
        if let Some(kept) = &self.kept {
            return locked(&kept.output).push_str(text);
        }
        if self.aside {
            return self.print_error(text);
        }
        let mut out = std::io::stdout().lock();
        // A reader that went away is not the program's business. Lines go out as they are ended;
        // a prompt goes out at once.
        let _ = out.write_all(text.as_bytes());
        if !text.ends_with('\n') && self.is_terminal {
            let _ = out.flush();
        }
    }

    fn print_error(&self, text: &str) {
        if let Some(kept) = &self.kept {
            return locked(&kept.error_output).push_str(text);
        }
        let _ = std::io::stdout().lock().flush();
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    fn input_line(&self, number: usize) -> Option<String> {
        let mut input = self.input.borrow_mut();
        let _ = std::io::stdout().lock().flush();
        while input.len() <= number {
            let mut line = Vec::new();
            let read = std::io::stdin().lock().read_until(b'\n', &mut line).ok()?;
            if read == 0 {
                return None;
            }
            // What is no UTF-8 is taken for Latin-1.
            input.push(String::from_utf8(line).unwrap_or_else(|error| {
                error.as_bytes().iter().map(|byte| char::from(*byte)).collect()
            }));
        }
        input.get(number).cloned()
    }

    fn start_time(&self) -> u64 {
        if self.fixed {
            return FIXED_START;
        }
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
    }

    fn scratch_dir(&self) -> Option<String> {
        let scratch = self.scratch.get_or_init(scratch::Scratch::take);
        scratch.as_ref().map(|scratch| scratch.directory.clone())
    }

    fn utc_offset(&self, at: i64) -> UtcOffset {
        self.zone.offset(at)
    }

    fn environment(&self) -> Vec<(String, String)> {
        let is_visible = |name: &String| match &self.variables {
            Variables::All => true,
            Variables::Named(names) => names.contains(name),
        };
        // What is no UTF-8 is not shown.
        let all = std::env::vars_os();
        let texts = all.filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)));
        let mut visible: Vec<_> = texts.filter(|(name, _)| is_visible(name)).collect();
        visible.sort();
        visible
    }

    fn files(&self) -> Option<&dyn Files> {
        #[cfg(unix)]
        return Some(&self.disk);
        #[cfg(not(unix))]
        None
    }

    fn current_dir(&self) -> Vec<u8> {
        let dir =
            std::env::current_dir().ok().and_then(|dir| dir.into_os_string().into_string().ok());
        dir.map_or_else(|| b"/".to_vec(), String::into_bytes)
    }

    fn host_name(&self) -> String {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        match name.trim().split('.').next() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => "localhost".to_owned(),
        }
    }

    fn os_pid(&self) -> u32 {
        if self.fixed { FIXED_PID } else { std::process::id() }
    }

    fn may_run(&self, command: &Command) -> bool {
        self.programs.allow(&command.program, command.arguments.is_none())
    }

    fn run_program(&self, command: &Command) -> Result<(i32, Vec<u8>), &'static str> {
        programs::run(command)
    }

    fn random_seed(&self) -> u64 {
        self.seed
    }
}
