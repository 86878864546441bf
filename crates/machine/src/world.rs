//! The door to everything outside the Machine: files, environment, clock, output.
//!
//! A World is real, virtual or recorded. The Machine asks it and nobody else, so a run is
//! reproducible from the answers. What changes while a program runs and is not the outside's own
//! (the current directory, variables that were set, positions in files) is kept in the Machine's
//! state.

pub mod files;
pub(crate) mod memory;
mod overlay;

pub use files::Files;
pub(crate) use memory::MemoryFiles;

/// What the Machine may ask of the outside.
pub trait World {
    /// Writes to the standard output (`user` in Erlang's terms).
    fn print(&self, text: &str);

    /// Writes to the standard error output.
    fn print_error(&self, text: &str) {
        self.print(text);
    }

    /// A line of the standard input, by its number from 0, with its line break; `None` at the end.
    /// The same line may be asked for again: by a run that starts from an earlier state.
    fn input_line(&self, _number: usize) -> Option<String> {
        None
    }

    /// Wall clock at the start of the run, in nanoseconds since 1970. Time then advances virtually.
    fn start_time(&self) -> u64;

    /// An existing directory for the files of test runs.
    fn scratch_dir(&self) -> Option<String> {
        None
    }

    /// How local time differs from UTC at a time (seconds since 1970, UTC).
    fn utc_offset(&self, _at: i64) -> UtcOffset {
        UtcOffset::default()
    }

    /// The environment at the start, in the order of the names.
    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The file system outside; `None` if the program gets one in memory.
    fn files(&self) -> Option<&dyn Files> {
        None
    }

    /// Whether what a program changes in [`World::files`] is changed in the Machine's state only,
    /// as if it were outside.
    fn keeps_changes(&self) -> bool {
        false
    }

    /// What the file system in memory holds at the start.
    fn memory_files(&self) -> MemoryFiles {
        MemoryFiles::default()
    }

    /// The current directory at the start.
    fn current_dir(&self) -> Vec<u8> {
        b"/".to_vec()
    }

    fn host_name(&self) -> String {
        "localhost".to_owned()
    }

    /// The number of the operating system's process (`os:getpid/0`).
    fn os_pid(&self) -> u32 {
        1
    }

    /// Whether a program of the system may be started.
    fn may_run(&self, _command: &Command) -> bool {
        false
    }

    /// Runs a program of the system to its end, with nothing on its standard input: its status,
    /// and what it wrote. An error is a name as `enoent`.
    fn run_program(&self, _command: &Command) -> Result<(i32, Vec<u8>), &'static str> {
        Err("eacces")
    }

    /// What random numbers of the system are made from (`crypto:strong_rand_bytes/1`).
    fn random_seed(&self) -> u64 {
        0
    }
}

/// A program of the system that a program asks for.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Command {
    /// A file, or a line for the shell.
    pub program: String,
    /// `None`: `program` is a line for the shell.
    pub arguments: Option<Vec<String>>,
    pub directory: Vec<u8>,
    pub environment: Vec<(String, String)>,
    /// Whether what it writes to its standard error output counts as output; otherwise it is lost.
    pub with_errors: bool,
}

/// How local time differs from UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UtcOffset {
    /// Seconds that local time is ahead.
    pub seconds: i64,
    /// Whether it is summer time.
    pub is_dst: bool,
}

/// A World with nothing in it: output is collected, time starts at a fixed day, files are in
/// memory.
#[derive(Default, Debug)]
pub struct Sealed {
    pub output: std::cell::RefCell<String>,
    pub(crate) files: MemoryFiles,
    pub(crate) environment: Vec<(String, String)>,
}

impl World for Sealed {
    fn print(&self, text: &str) {
        self.output.borrow_mut().push_str(text);
    }

    fn start_time(&self) -> u64 {
        1_700_000_000_000_000_000
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.environment.clone()
    }

    fn scratch_dir(&self) -> Option<String> {
        Some("/tmp".to_owned())
    }

    fn memory_files(&self) -> MemoryFiles {
        let mut files = self.files.clone();
        // It may be there already.
        let _ = files.make_dir(b"/tmp", 0);
        files
    }
}
