//! Limits that hold whatever the command is doing: time, memory, and the user's patience.
//!
//! Those who work look from time to time whether they are to stop ([`bound`]) and then tell what
//! they know. Whoever does not look for longer than [`GRACE`] (in a builtin that takes minutes, in
//! a grammar of macros that grows without end, while a story of a million steps is told) or stops
//! for lack of memory (`allocator`) is not waited for: the thread that watches tells in its place,
//! and ends the process. So a limit takes effect within a second, in every phase of every command.
//!
//! What that thread tells is the *will* of the command ([`leave`]): a document that is complete and
//! says that it was cut, with what is known so far; where nothing was left, a document that only
//! says so. Documents are written at once ([`document`]), and either by the command or by the
//! thread that watches, never by both.
//!
//! Cost: a thread that looks fifty times a second, and what `allocator` says.

mod allocator;

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use session::{Bound, default_memory, resident};

use crate::exit::Exit;
use crate::output;

pub(crate) use allocator::Counted;

/// How long after a limit the command has for telling what it knows.
const GRACE: Duration = Duration::from_millis(800);

/// How long the process waits for whoever reads its output, once it is to end.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The most time that is kept for what comes after a search.
const AFTERWARDS: Duration = Duration::from_secs(1);

const LOOK: Duration = Duration::from_millis(20);

/// As a shell reports a process that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// The limits of a command.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Limits {
    pub(crate) timeout: Option<Duration>,
    /// In bytes.
    pub(crate) memory: Option<u64>,
}

/// What is told in place of a command that does not stop by itself.
#[derive(Debug)]
pub(crate) struct Told {
    /// What is written to standard output.
    pub(crate) text: String,
    pub(crate) exit: Exit,
}

type Will = Box<dyn Fn(&str) -> Told + Send>;

struct Guard {
    began: Instant,
    timeout: Option<Duration>,
    memory: u64,
    /// When time began to count, in milliseconds since the beginning.
    since: AtomicU64,
}

static GUARD: OnceLock<Guard> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Which limit was reached: 0 for none.
static OVER: AtomicU8 = AtomicU8::new(0);
/// Whether there is a thread that does nothing but write.
static WRITES: AtomicBool = AtomicBool::new(false);
static WILL: Mutex<Option<Will>> = Mutex::new(None);
/// Held by whoever writes to standard output; says whether the document is there.
static OUTPUT: Mutex<bool> = Mutex::new(false);

const TIME: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPT: u8 = 3;

/// Begins to watch. `cut` makes the document that says no more than that it was cut, and why.
pub(crate) fn begin(limits: Limits, cut: impl Fn(&str) -> String + Send + 'static) {
    let memory = limits.memory.or_else(default_memory).unwrap_or(u64::MAX);
    let guard =
        Guard { began: Instant::now(), timeout: limits.timeout, memory, since: AtomicU64::new(0) };
    if GUARD.set(guard).is_err() {
        return;
    }
    leave(move |why| Told { text: cut(why), exit: Exit::Incomplete });
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
    // Without a thread that watches nobody may wait for it.
    let watch = || {
        allocator::exempt();
        if let Some(guard) = GUARD.get() {
            guard.watch();
        }
    };
    if std::thread::Builder::new().name("guard".to_owned()).spawn(watch).is_ok() {
        allocator::set_limit(far_beyond(memory));
    }
}

/// What a command passes only if it does not look in time.
fn far_beyond(memory: u64) -> u64 {
    memory.saturating_add(memory / 8)
}

/// The limit that is reached, if one is.
pub(crate) fn bound() -> Option<Bound> {
    let guard = GUARD.get()?;
    match OVER.load(Ordering::Relaxed) {
        // Time may count anew since it was looked at.
        TIME => guard.timeout.filter(|_| guard.is_late()).map(Bound::RealTime),
        MEMORY if allocator::is_refused() => Some(Bound::NoMoreMemory(allocator::allocated())),
        MEMORY => Some(Bound::Memory(guard.memory)),
        INTERRUPT => Some(Bound::Interrupted),
        _ if INTERRUPTED.load(Ordering::Relaxed) => Some(Bound::Interrupted),
        _ => None,
    }
}

/// The same, but time is over a little earlier: what is left is for what comes after the search,
/// such as running again what it found.
pub(crate) fn bound_of_search() -> Option<Bound> {
    let guard = GUARD.get()?;
    let late = guard.timeout.filter(|&most| guard.is_past(most - (most / 8).min(AFTERWARDS)));
    bound().or(late.map(Bound::RealTime))
}

/// Tells that a limit is reached and ends the process, if one is.
pub(crate) fn end_if_over() {
    if bound().is_some() {
        end();
    }
}

/// Time counts from now on: of several searches each has its own.
pub(crate) fn restart() {
    if let Some(guard) = GUARD.get() {
        let now = guard.began.elapsed().as_millis();
        guard.since.store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// What is told should the command not stop by itself; `will` gets the limit in words.
pub(crate) fn leave(will: impl Fn(&str) -> Told + Send + 'static) {
    *WILL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(will));
}

/// From now on this thread does nothing but write the document, and looks in time whether it is to
/// end it: memory is not denied to it, and nobody else writes.
pub(crate) fn write_alone() {
    allocator::exempt();
    WRITES.store(true, Ordering::Relaxed);
    leave(|_| Told { text: String::new(), exit: Exit::Incomplete });
}

/// Writes a part of the output, or something beside it. Nobody ends the process meanwhile.
pub(crate) fn piece<T>(write: impl FnOnce() -> T) -> T {
    let _held = held();
    write()
}

/// Writes the document, after which there is no more to be told.
pub(crate) fn document<T>(write: impl FnOnce() -> T) -> T {
    let mut is_written = held();
    let result = write();
    *is_written = true;
    result
}

fn held() -> MutexGuard<'static, bool> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guard {
    fn watch(&self) {
        let mut since = None;
        loop {
            std::thread::sleep(LOOK);
            let reached = self.reached();
            OVER.store(reached, Ordering::Relaxed);
            if reached == 0 {
                since = None; // time counts anew
                continue;
            }
            let since = *since.get_or_insert_with(Instant::now);
            let far = far_beyond(far_beyond(self.memory));
            let is_far = || resident().is_some_and(|bytes| bytes > far);
            // Whoever writes by itself is not the one that has stopped, and looks in time.
            let waits = || !WRITES.load(Ordering::Relaxed);
            let is_stuck = || waits() && (allocator::is_exhausted() || is_far());
            if since.elapsed() > GRACE || is_stuck() {
                end();
            }
        }
    }

    /// The limit that is reached now.
    fn reached(&self) -> u8 {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return INTERRUPT;
        }
        let is_much = allocator::allocated() > self.memory
            || resident().is_some_and(|bytes| bytes > self.memory);
        if is_much || allocator::is_exhausted() {
            return MEMORY;
        }
        if self.is_late() { TIME } else { 0 }
    }

    fn is_late(&self) -> bool {
        self.timeout.is_some_and(|most| self.is_past(most))
    }

    fn is_past(&self, most: Duration) -> bool {
        let since = Duration::from_millis(self.since.load(Ordering::Relaxed));
        self.began.elapsed().saturating_sub(since) > most
    }
}

/// Tells in place of the command, and ends the process.
fn end() -> ! {
    let began = Instant::now();
    let mut is_written = loop {
        match OUTPUT.try_lock() {
            Ok(held) => break held,
            Err(TryLockError::Poisoned(held)) => break held.into_inner(),
            Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => exit(Exit::Incomplete),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
        }
    };
    if *is_written {
        // The command is about to end by itself.
        drop(is_written);
        std::thread::sleep(GRACE);
        exit(Exit::Incomplete);
    }
    *is_written = true;
    let why = bound().map(|bound| report::endings::bound(&bound)).unwrap_or_default();
    let will = match WILL.try_lock() {
        Ok(will) => will.as_ref().map(|will| will(&why)),
        _ => None,
    };
    let Told { text, exit: code } =
        will.unwrap_or(Told { text: String::new(), exit: Exit::Incomplete });
    write(&text);
    output::complain(&why);
    exit(code)
}

/// Whoever stopped may hold the lock of standard output.
#[cfg(unix)]
fn write(text: &str) {
    use std::os::fd::AsFd;
    if let Ok(stdout) = io::stdout().as_fd().try_clone_to_owned() {
        let _ = std::fs::File::from(stdout).write_all(text.as_bytes());
    }
}

#[cfg(not(unix))]
fn write(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

fn exit(code: Exit) -> ! {
    std::process::exit(i32::from(code.code()))
}
