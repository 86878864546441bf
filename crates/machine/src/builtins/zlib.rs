//! Streams of compressed data, as the library's `zlib` module uses them.
//!
//! The C library's state cannot be copied, but a Machine can. So a stream is the list of what was
//! done with it; the state that belongs to that list is kept beside it and shared by clones.
//! Whoever finds that another clone has moved it on makes a new one by doing everything again, and
//! keeps that for itself. Without clones nothing is done twice; what was put in is held until the
//! stream is closed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use term::{Atom, Pid, Ref, Term};

use super::data::iolist;
use super::{Builtin, Control, Ctx, Return, Stop, badarg, builtins};
use crate::builtins::row::HIDDEN;
use crate::exception::Exception;

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "zlib_open"/0 => open,
    "zlib_close"/1 => close,
    "zlib_give"/2 => give,
    "zlib_deflate_init"/3 => deflate_init,
    "zlib_inflate_init"/3 => inflate_init,
    "zlib_end"/1 => end,
    "zlib_reset"/1 => |cx, a| with(cx, &a[0], |stream| stream.simple(Op::Reset)),
    "zlib_deflate"/3 => deflate,
    "zlib_inflate"/2 => inflate,
    "zlib_dictionary"/2 => dictionary,
    "zlib_level"/2 => set_level,
);

/// The streams of a node.
pub(crate) type Streams = BTreeMap<Ref, Stream>;

#[derive(Clone)]
pub(crate) struct Stream {
    pub(crate) owner: Pid,
    setting: Option<Setting>,
    log: imbl::Vector<Op>,
    live: Rc<RefCell<Option<Live>>>,
    /// Input that was not used: it waits for a dictionary, or comes after the end.
    pending: Vec<u8>,
    /// Whether there is something that the end would lose.
    unfinished: bool,
    /// Whether the end of compressed data was written.
    finished: bool,
}

#[derive(Clone, Copy)]
enum Setting {
    Deflate { level: u32, format: Format },
    Inflate { format: Format, at_end: AtEnd },
}

/// What is around the compressed data.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Raw(u8),
    Zlib(u8),
    Gzip(u8),
    /// Zlib or gzip, as the data say.
    Either,
}

/// What to do with data after the end.
#[derive(Clone, Copy, PartialEq)]
enum AtEnd {
    Fail,
    /// It is the start of another stream.
    Reset,
    Leave,
}

#[derive(Clone)]
enum Op {
    Deflate(Rc<[u8]>, FlushCompress),
    Inflate(Rc<[u8]>),
    Dictionary(Rc<[u8]>),
    Reset,
}

struct Live {
    /// How many operations of the log it has seen.
    done: usize,
    native: Native,
}

enum Native {
    Deflate(Compress),
    /// With whether the end was reached.
    Inflate(Option<Decompress>, bool),
}

/// What an operation gave.
#[derive(Default)]
struct Done {
    output: Vec<u8>,
    /// Input that was not used.
    rest: Vec<u8>,
    ended: bool,
    dictionary: Option<u32>,
    error: Option<&'static str>,
    adler: u32,
}

fn raise<T>(reason: &str) -> Result<T, Box<Stop>> {
    Err(Exception::atom(Atom::new(reason)).into())
}

impl Format {
    /// By the number of bits of the window, in the way of the C library.
    fn from_bits(bits: i64) -> Option<Format> {
        let size = |bits: i64| Some(u8::try_from(bits).ok()?.max(9));
        match bits {
            8..=15 => Some(Format::Zlib(size(bits)?)),
            -15..=-8 => Some(Format::Raw(size(-bits)?)),
            // The size of the window is in the data.
            16 => Some(Format::Gzip(15)),
            32 => Some(Format::Either),
            24..=31 => Some(Format::Gzip(size(bits - 16)?)),
            40..=47 => Some(Format::Either),
            _ => None,
        }
    }
}

impl Native {
    fn new(setting: Setting) -> Native {
        match setting {
            Setting::Deflate { level, format } => {
                let level = Compression::new(level);
                Native::Deflate(match format {
                    Format::Raw(bits) => Compress::new_with_window_bits(level, false, bits),
                    Format::Gzip(bits) => Compress::new_gzip(level, bits),
                    Format::Zlib(bits) => Compress::new_with_window_bits(level, true, bits),
                    Format::Either => Compress::new_with_window_bits(level, true, 15),
                })
            }
            Setting::Inflate { format, .. } => Native::Inflate(decoder(format, &[]), false),
        }
    }

    fn apply(&mut self, setting: Setting, op: &Op) -> Done {
        match (self, op) {
            (Native::Deflate(stream), Op::Deflate(input, flush)) => compress(stream, input, *flush),
            (Native::Deflate(stream), Op::Dictionary(bytes)) => {
                match stream.set_dictionary(bytes) {
                    Ok(adler) => Done { adler, ..Done::default() },
                    Err(_) => Done { error: Some("stream_error"), ..Done::default() },
                }
            }
            (Native::Inflate(Some(stream), _), Op::Dictionary(bytes)) => {
                let set = stream.set_dictionary(bytes);
                Done { error: set.is_err().then_some("data_error"), ..Done::default() }
            }
            (Native::Inflate(stream, ended), Op::Inflate(input)) => {
                let Setting::Inflate { format, at_end } = setting else { return Done::default() };
                decompress(stream, ended, format, at_end, input)
            }
            (native, Op::Reset) => {
                *native = Native::new(setting);
                Done::default()
            }
            // It was set up for the other direction.
            _ => Done { error: Some("not_initialized"), ..Done::default() },
        }
    }
}

/// A decoder; of either format none before the data have started.
fn decoder(format: Format, start: &[u8]) -> Option<Decompress> {
    match format {
        Format::Raw(bits) => Some(Decompress::new_with_window_bits(false, bits)),
        Format::Zlib(bits) => Some(Decompress::new_with_window_bits(true, bits)),
        Format::Gzip(bits) => Some(Decompress::new_gzip(bits)),
        Format::Either => match start.first() {
            Some(0x1F) => Some(Decompress::new_gzip(15)),
            Some(_) => Some(Decompress::new_with_window_bits(true, 15)),
            None => None,
        },
    }
}

/// Room that is added to the output at a time.
const ROOM: usize = 16 * 1024;

fn compress(stream: &mut Compress, input: &[u8], flush: FlushCompress) -> Done {
    let mut done = Done::default();
    let start = stream.total_in();
    loop {
        let used = (stream.total_in() - start) as usize;
        done.output.reserve(ROOM);
        let (before, room) = (done.output.len(), done.output.capacity() - done.output.len());
        match stream.compress_vec(&input[used..], &mut done.output, flush) {
            Ok(Status::StreamEnd) => done.ended = true,
            Ok(_) => {}
            Err(_) => done.error = Some("stream_error"),
        }
        // There is room left: everything was said.
        if done.ended || done.error.is_some() || done.output.len() - before < room {
            return done;
        }
    }
}

fn decompress(
    stream: &mut Option<Decompress>,
    ended: &mut bool,
    format: Format,
    at_end: AtEnd,
    input: &[u8],
) -> Done {
    let mut done = Done::default();
    let mut at = 0;
    loop {
        if *ended {
            done.ended = true;
            match at_end {
                _ if at == input.len() => return done,
                AtEnd::Fail => done.error = Some("data_error"),
                AtEnd::Leave => done.rest = input[at..].to_vec(),
                AtEnd::Reset => (*stream, *ended, done.ended) = (None, false, false),
            }
            if at_end != AtEnd::Reset {
                return done;
            }
        }
        if stream.is_none() {
            *stream = decoder(format, &input[at..]);
        }
        let Some(decoder) = stream else { return done };
        done.output.reserve(ROOM);
        let (before, room) = (done.output.len(), done.output.capacity() - done.output.len());
        let used = decoder.total_in();
        let status = decoder.decompress_vec(&input[at..], &mut done.output, FlushDecompress::None);
        at += (decoder.total_in() - used) as usize;
        match status {
            Ok(Status::StreamEnd) => *ended = true,
            Ok(_) => {
                let is_full = done.output.len() - before == room;
                if at == input.len() && !is_full {
                    return done;
                }
                // Neither input nor output moved.
                if decoder.total_in() == used && done.output.len() == before && !is_full {
                    done.rest = input[at..].to_vec();
                    return done;
                }
            }
            Err(error) => {
                match error.needs_dictionary() {
                    Some(adler) => {
                        done.dictionary = Some(adler);
                        done.rest = input[at..].to_vec();
                    }
                    None => done.error = Some("data_error"),
                }
                return done;
            }
        }
    }
}

impl Stream {
    fn set_up(&mut self, setting: Setting) {
        self.setting = Some(setting);
        self.log = imbl::Vector::new();
        self.live = Rc::new(RefCell::new(Some(Live { done: 0, native: Native::new(setting) })));
        self.pending.clear();
        self.finished = false;
        self.unfinished = matches!(setting, Setting::Inflate { .. });
    }

    /// Does something with the state that belongs to the log.
    fn run(&mut self, op: Op) -> Result<Done, Box<Stop>> {
        let Some(setting) = self.setting else { return raise("not_initialized") };
        let is_mine = self.live.borrow().as_ref().is_some_and(|live| live.done == self.log.len());
        if !is_mine {
            let mut native = Native::new(setting);
            for op in &self.log {
                native.apply(setting, op);
            }
            let live = Live { done: self.log.len(), native };
            self.live = Rc::new(RefCell::new(Some(live)));
        }
        let mut live = self.live.borrow_mut();
        let Some(live) = live.as_mut() else { return raise("stream_error") };
        let done = live.native.apply(setting, &op);
        live.done += 1;
        self.log.push_back(op);
        match done.error {
            Some(reason) => raise(reason),
            None => Ok(done),
        }
    }

    fn simple(&mut self, op: Op) -> Return {
        if matches!(op, Op::Reset) {
            self.pending.clear();
            self.finished = false;
            self.unfinished = matches!(self.setting, Some(Setting::Inflate { .. }));
        }
        self.run(op).map(|_| Term::OK)
    }
}

fn open(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let handle = cx.s.new_ref();
    let stream = Stream {
        owner: cx.p.pid,
        setting: None,
        log: imbl::Vector::new(),
        live: Rc::default(),
        pending: Vec::new(),
        unfinished: false,
        finished: false,
    };
    cx.s.host.streams.insert(handle, stream);
    Ok(Term::from(handle))
}

/// Does something with an open stream of the calling process.
fn with(cx: &mut Ctx<'_>, handle: &Term, action: impl FnOnce(&mut Stream) -> Return) -> Return {
    let Some(handle) = handle.as_ref() else { return badarg() };
    let me = cx.p.pid;
    match cx.s.host.streams.get_mut(&handle) {
        None => raise("not_initialized"),
        Some(stream) if stream.owner != me => raise("not_on_controlling_process"),
        Some(stream) => action(stream),
    }
}

/// The same with a stream for which nothing is set up; one that is closed counts as used, too.
fn with_new(cx: &mut Ctx<'_>, handle: &Term, action: impl FnOnce(&mut Stream) -> Return) -> Return {
    let known = handle.as_ref().is_none_or(|handle| cx.s.host.streams.contains_key(&handle));
    if !known {
        return raise("already_initialized");
    }
    with(cx, handle, |stream| match stream.setting {
        Some(_) => raise("already_initialized"),
        None => action(stream),
    })
}

fn close(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |_| Ok(Term::OK))?;
    if let Some(handle) = args[0].as_ref() {
        cx.s.host.streams.remove(&handle);
    }
    Ok(Term::OK)
}

fn give(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(owner) = args[1].as_pid() else { return badarg() };
    with(cx, &args[0], |stream| {
        stream.owner = owner;
        Ok(Term::OK)
    })
}

fn deflate_init(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(level), Some(bits)) = (args[1].as_int(), args[2].as_int()) else { return badarg() };
    let level = if level == -1 { 6 } else { level };
    let format = Format::from_bits(bits).filter(|format| *format != Format::Either && bits != 16);
    let Some(format) = format else { return raise("stream_error") };
    let Ok(level) = u32::try_from(level) else { return badarg() };
    with_new(cx, &args[0], |stream| {
        stream.set_up(Setting::Deflate { level: level.min(9), format });
        Ok(Term::OK)
    })
}

fn inflate_init(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(bits) = args[1].as_int() else { return badarg() };
    let at_end = match args[2].as_atom().map(Atom::as_str) {
        Some("error") => AtEnd::Fail,
        Some("reset") => AtEnd::Reset,
        Some("cut") => AtEnd::Leave,
        _ => return badarg(),
    };
    let Some(format) = Format::from_bits(bits) else { return raise("stream_error") };
    with_new(cx, &args[0], |stream| {
        stream.set_up(Setting::Inflate { format, at_end });
        Ok(Term::OK)
    })
}

fn end(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |stream| {
        if stream.setting.take().is_none() {
            return raise("not_initialized");
        }
        stream.live = Rc::default();
        stream.log = imbl::Vector::new();
        if std::mem::take(&mut stream.unfinished) { raise("data_error") } else { Ok(Term::OK) }
    })
}

fn deflate(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let flush = match args[2].as_atom().map(Atom::as_str) {
        Some("none") => FlushCompress::None,
        Some("sync") => FlushCompress::Sync,
        Some("full") => FlushCompress::Full,
        Some("finish") => FlushCompress::Finish,
        _ => return badarg(),
    };
    let Some(input) = iolist::bytes(&args[1]) else { return badarg() };
    with(cx, &args[0], |stream| {
        if stream.finished && !input.is_empty() {
            return raise("stream_error");
        }
        let done = stream.run(Op::Deflate(Rc::from(input), flush))?;
        (stream.unfinished, stream.finished) = (!done.ended, done.ended);
        Ok(Term::binary(done.output))
    })
}

/// What came out; `{need_dictionary, Adler, Output}` if it cannot go on without.
fn inflate(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(input) = iolist::bytes(&args[1]) else { return badarg() };
    with(cx, &args[0], |stream| {
        let mut all = std::mem::take(&mut stream.pending);
        all.extend(input);
        let done = stream.run(Op::Inflate(Rc::from(all)))?;
        stream.pending = done.rest;
        stream.unfinished = !done.ended;
        let output = Term::binary(done.output);
        Ok(match done.dictionary {
            Some(adler) => Term::tuple([Term::atom("need_dictionary"), Term::from(adler), output]),
            None => output,
        })
    })
}

fn dictionary(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(bytes) = iolist::bytes(&args[1]) else { return badarg() };
    with(cx, &args[0], |stream| {
        // Nobody has asked for one.
        if matches!(stream.setting, Some(Setting::Inflate { .. })) && stream.pending.is_empty() {
            return raise("stream_error");
        }
        stream.run(Op::Dictionary(Rc::from(bytes))).map(|done| Term::from(done.adler))
    })
}

/// Only before anything was compressed.
fn set_level(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let level = args[1].as_int().map(|level| if level == -1 { 6 } else { level });
    let Some(level) = level.and_then(|level| u32::try_from(level).ok()) else { return badarg() };
    with(cx, &args[0], |stream| match stream.setting {
        Some(Setting::Deflate { format, .. }) if stream.log.is_empty() => {
            stream.set_up(Setting::Deflate { level: level.min(9), format });
            Ok(Term::OK)
        }
        Some(Setting::Deflate { .. }) => {
            let what = "zlib:deflateParams/3 after something was compressed";
            Err(Control::Unsupported(what.to_owned()).into())
        }
        Some(Setting::Inflate { .. }) => raise("stream_error"),
        None => raise("not_initialized"),
    })
}
