//! The progress line: on standard error, only if that is a terminal and the work takes long.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows no line.
const PATIENCE: Duration = Duration::from_millis(700);

/// How many of the modules are done.
#[derive(Default)]
pub(crate) struct Bar(OnceLock<(ProgressBar, Instant)>);

impl Bar {
    pub(crate) fn begin(&self, total: usize) {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{pos}/{len} modules {wide_bar} {eta}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let _ = self.0.set((bar, Instant::now()));
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let Some((bar, began)) = self.0.get() else { return };
        if bar.is_hidden() && began.elapsed() > PATIENCE {
            // Stays hidden where standard error is no terminal.
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.inc(1);
    }

    /// Does something that writes to the terminal without mixing it up with the line.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.0.get() {
            Some((bar, _)) => bar.suspend(write),
            None => write(),
        }
    }

    pub(crate) fn clear(&self) {
        if let Some((bar, _)) = self.0.get() {
            bar.finish_and_clear();
        }
    }
}

/// A line that says how far something has come whose end is not known.
pub(crate) struct Counting {
    bar: ProgressBar,
    began: Instant,
}

impl Counting {
    pub(crate) fn new() -> Counting {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        Counting { bar, began: Instant::now() }
    }

    /// Whether there is anybody to see it.
    pub(crate) fn is_shown(&self) -> bool {
        use std::io::IsTerminal as _;
        std::io::stderr().is_terminal()
    }

    /// Says how far it is, if there is a line.
    pub(crate) fn show(&self, told: impl FnOnce() -> String) {
        if !self.is_shown() || self.began.elapsed() < PATIENCE {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(told());
        self.bar.tick();
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
