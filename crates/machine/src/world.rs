//! The door to everything outside the Machine: files, environment, clock, output.
//!
//! A World is real, virtual or recorded. The Machine asks it and nobody else, so a run is
//! reproducible from the answers.

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

    /// The value of an environment variable.
    fn env(&self, name: &str) -> Option<String>;
}

/// A World with nothing in it: output is collected, time starts at a fixed day.
#[derive(Default, Debug)]
pub struct Sealed {
    pub output: std::cell::RefCell<String>,
}

impl World for Sealed {
    fn print(&self, text: &str) {
        self.output.borrow_mut().push_str(text);
    }

    fn start_time(&self) -> u64 {
        1_700_000_000_000_000_000
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }
}
