//! What a program sees of the outside.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use machine::world::World;

/// The real output, environment and day.
#[derive(Debug, Default)]
pub struct RealWorld;

impl World for RealWorld {
    fn print(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        // A reader that went away is not the program's business.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    fn start_time(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}
