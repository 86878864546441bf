//! Ctrl-C, or a polite signal to end: the first asks the work to stop so that what is known can be printed, the second ends
//! the process.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// As a shell reports a process that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// From now on Ctrl-C is noted. Where that is impossible it ends the process, as usual.
pub(crate) fn watch() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
}

pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
