//! What a node lives in, and what whoever runs it wants to know: the World and all that is reached
//! through it, what it was started with, who watches, and what came out of the run.
//!
//! Programs see this only through builtins that ask for the outside. What is here has no part in
//! the order of events: where it matters to several processes (files, devices), the builtins say
//! so by their footprints.

use std::rc::Rc;

use term::{Pid, Term};

use crate::builtins::crypto::Cells;
use crate::builtins::re::PatternCache;
use crate::builtins::zlib::Streams;
use crate::contract::Book;
use crate::exception::Crash;
use crate::io_service::Devices;
use crate::observe::Watch;
use crate::outside::Outside;
use crate::sparse::Sparse;
use crate::unsupported::Unsupported;
use crate::world::World;

/// What a node was started with, as `init:get_arguments/0` and `init:get_plain_arguments/0` say it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Arguments {
    pub(crate) flags: Vec<(String, Vec<String>)>,
    pub(crate) plain: Vec<String>,
}

#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) world: Rc<dyn World>,
    pub(crate) devices: Devices,
    /// Files, environment, current directory.
    pub(crate) outside: Outside,
    /// What the node was started with.
    pub(crate) arguments: Rc<Arguments>,
    /// The directories that are searched for code, once they were changed.
    pub(crate) code_path: Option<Term>,
    /// What the logger was configured with.
    pub(crate) logger_config: Option<Term>,
    /// Regular expressions that were compiled.
    pub(crate) patterns: PatternCache,
    /// Compression in progress.
    pub(crate) streams: Streams,
    /// Ciphers in progress.
    pub(crate) cells: Cells,
    /// How many nanoseconds pass when a program reads a clock. None, unless whoever runs the
    /// Machine lets time pass: then work between two readings has taken some, as programs expect.
    pub(crate) reading_time: u64,
    /// Who watches.
    pub(crate) watch: Watch,
    /// Contracts, and which of them did not hold.
    pub(crate) book: Book,
    /// The last process that ended by an exception.
    pub(crate) crash: Option<Rc<Crash>>,
    /// The process whose crash is told by whoever runs the Machine, not by the logger.
    pub(crate) quiet: Option<Pid>,
    /// Why that process has ended.
    pub(crate) quiet_end: Option<Term>,
    /// What the program's main call returned.
    pub(crate) result: Option<Term>,
    /// What tests have reported and nobody has taken yet.
    pub(crate) test_events: Vec<Term>,
    /// The status with which the node has halted.
    pub(crate) halted: Option<i32>,
    /// Set when something was asked for that is not supported.
    pub(crate) unsupported: Option<Unsupported>,
    /// What is not supported fails in the process that asked for it, and the others go on. Whoever
    /// sets this takes what was noted in `unsupported` into account.
    pub(crate) unsupported_fails: bool,
    /// Lists that a builtin makes may have so many elements: more are not supported.
    pub(crate) longest: usize,
    /// Native functions that were called and are not there, for who tells why something failed.
    pub(crate) missed_natives: Sparse<Vec<Unsupported>>,
}

impl Host {
    pub(super) fn new(world: Rc<dyn World>) -> Host {
        Host {
            outside: Outside::new(&*world),
            world,
            devices: Devices::default(),
            arguments: Rc::default(),
            code_path: None,
            logger_config: None,
            patterns: PatternCache::default(),
            streams: Streams::new(),
            cells: Cells::new(),
            reading_time: 0,
            watch: Watch::default(),
            book: Book::default(),
            crash: None,
            quiet: None,
            quiet_end: None,
            result: None,
            test_events: Vec::new(),
            halted: None,
            unsupported: None,
            unsupported_fails: false,
            longest: 1 << 31,
            missed_natives: Sparse::default(),
        }
    }

    /// Becomes a copy of another, in the memory that it has.
    pub(super) fn become_like(&mut self, other: &Host) {
        let Host {
            world,
            devices,
            outside,
            arguments,
            code_path,
            logger_config,
            patterns,
            streams,
            cells,
            reading_time,
            watch,
            book,
            crash,
            quiet,
            quiet_end,
            result,
            test_events,
            halted,
            unsupported,
            unsupported_fails,
            longest,
            missed_natives,
        } = other;
        self.world.clone_from(world);
        self.devices.clone_from(devices);
        self.outside.clone_from(outside);
        self.arguments.clone_from(arguments);
        self.code_path.clone_from(code_path);
        self.logger_config.clone_from(logger_config);
        self.patterns.clone_from(patterns);
        self.streams.clone_from(streams);
        self.cells.clone_from(cells);
        (self.reading_time, self.halted) = (*reading_time, *halted);
        self.watch.clone_from(watch);
        self.book.become_like(book);
        self.crash.clone_from(crash);
        self.quiet = *quiet;
        self.quiet_end.clone_from(quiet_end);
        self.result.clone_from(result);
        self.test_events.clone_from(test_events);
        self.unsupported.clone_from(unsupported);
        (self.unsupported_fails, self.longest) = (*unsupported_fails, *longest);
        self.missed_natives.clone_from(missed_natives);
    }

    /// Whether a process has something of the outside that its end gives back: files, a device, a
    /// stream.
    pub(super) fn holds_anything(&self, pid: Pid) -> bool {
        self.devices.of(pid).is_some()
            || self.outside.has_files_of(pid)
            || (!self.streams.is_empty() && self.streams.values().any(|it| it.owner == pid))
    }

    /// A process has ended: its files, its device and its streams with it.
    pub(crate) fn release(&mut self, pid: Pid) {
        self.devices.detach(pid);
        self.outside.close_of(pid);
        self.streams.retain(|_, stream| stream.owner != pid);
    }
}
