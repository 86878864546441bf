//! What a program sees of the outside.

use std::cell::RefCell;
use std::io::{BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use machine::world::World;

/// The real input, output, environment and day.
#[derive(Debug, Default)]
pub struct RealWorld {
    /// The lines that were read so far: they may be asked for again.
    input: RefCell<Vec<String>>,
}

impl World for RealWorld {
    fn print(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        // A reader that went away is not the program's business.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    fn print_error(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    fn input_line(&self, number: usize) -> Option<String> {
        let mut input = self.input.borrow_mut();
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
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}
