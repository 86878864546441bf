//! The format of trace files.
//!
//! ```text
//! erlscope trace 1
//! path: /home/me/bank.erl
//! call: bank:main()
//! seed: 7
//!
//! (a zlib stream of records)
//! ```
//!
//! Lines of text that say how the run was made, an empty line, then a compressed stream of records.
//! A record is a tag, then its fields: numbers in 7-bit groups (the last has the high bit clear),
//! terms in Erlang's external format after their length. Names and places are numbered: a
//! definition stands before the first record that uses it. The last record is [`What::End`]: a file
//! without it was cut off, and is read up to there.
//!
//! Why binary, and not a line of JSON for each event: terms come back exactly as they were (a pid
//! is a pid, a fun a fun), and a file is about thirty times smaller; `erlscope trace --format json`
//! makes lines of it. Why compressed: most of a trace is the same few shapes again and again.
//!
//! A change of the format changes the number in the first line. A reader refuses numbers that it
//! does not know.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

use atom::Atom;
use code::module::Mfa;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use machine::exception::Class;
use machine::observe::{Mark, MessageId, Place, Sender};
use rustc_hash::FxHashMap;
use term::etf::{self, Closures, Reading};
use term::{Pid, Ref, Term};

use crate::event::{AccessKind, Owner, Record, Shared, TurnEnd, Value, What};

/// The first line of a file.
pub const FIRST_LINE: &str = "erlscope trace 1";

/// How the run was made.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Header {
    /// Keys and values: `path` (several), `call`, `test`, `filter`, `finding`, `seed`, `delivery`,
    /// `runs`, `pids`.
    pub entries: Vec<(String, String)>,
}

impl Header {
    pub fn add(&mut self, key: &str, value: impl fmt::Display) {
        // One line each.
        let value = value.to_string().replace(['\n', '\r'], " ");
        self.entries.push((key.to_owned(), value));
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    pub fn all<'h>(&'h self, key: &'static str) -> impl Iterator<Item = &'h str> {
        self.entries.iter().filter(move |(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// Why a file cannot be read, or not further.
#[derive(Debug)]
pub enum Problem {
    Io(io::Error),
    /// It is no trace.
    NoTrace,
    /// It is one of another version.
    Version(String),
    /// It ends before its end.
    CutOff,
    Damaged(&'static str),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => error.fmt(f),
            Problem::NoTrace => {
                write!(f, "this is no trace: the first line must be `{FIRST_LINE}`")
            }
            Problem::Version(line) => {
                write!(f, "`{line}` is another version, this program reads `{FIRST_LINE}`")
            }
            Problem::CutOff => f.write_str("the trace was cut off: the run did not end by itself"),
            Problem::Damaged(what) => write!(f, "the trace is damaged: {what}"),
        }
    }
}

impl std::error::Error for Problem {}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Problem::CutOff,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                Problem::Damaged("its compressed part cannot be read")
            }
            _ => Problem::Io(error),
        }
    }
}

mod tag {
    pub(super) const ATOM: u8 = 1;
    pub(super) const PLACE: u8 = 2;
    /// Tags of records begin here.
    pub(super) const RECORD: u8 = 16;
}

// ---- writing -----------------------------------------------------------------------------------

/// Writes a trace.
pub struct Writer<W: Write> {
    out: ZlibEncoder<W>,
    /// What is not handed to `out` yet.
    buffer: Vec<u8>,
    atoms: FxHashMap<Atom, u64>,
    places: FxHashMap<Place, u64>,
    time: u64,
}

/// So much is gathered before it is compressed.
const BUFFER: usize = 1 << 16;

impl<W: Write> Writer<W> {
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        writeln!(out, "{FIRST_LINE}")?;
        for (key, value) in &header.entries {
            writeln!(out, "{key}: {value}")?;
        }
        writeln!(out)?;
        Ok(Writer {
            out: ZlibEncoder::new(out, Compression::new(3)),
            buffer: Vec::with_capacity(2 * BUFFER),
            atoms: FxHashMap::default(),
            places: FxHashMap::default(),
            time: 0,
        })
    }

    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        // Definitions come before what uses them: the record is made apart.
        let mut bytes = Vec::with_capacity(64);
        self.record(record, &mut bytes);
        self.buffer.extend_from_slice(&bytes);
        if self.buffer.len() >= BUFFER { self.flush_buffer() } else { Ok(()) }
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// The end of the file.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush_buffer()?;
        let mut out = self.out.finish()?;
        out.flush()?;
        Ok(out)
    }

    fn atom(&mut self, atom: Atom) -> u64 {
        if let Some(&number) = self.atoms.get(&atom) {
            return number;
        }
        let number = self.atoms.len() as u64;
        self.atoms.insert(atom, number);
        self.buffer.push(tag::ATOM);
        text(atom.as_str(), &mut self.buffer);
        number
    }

    /// 0 for none.
    fn place(&mut self, place: Option<Place>) -> u64 {
        let Some(place) = place else { return 0 };
        if let Some(&number) = self.places.get(&place) {
            return number;
        }
        let module = self.atom(place.module);
        let number = self.places.len() as u64 + 1;
        self.places.insert(place, number);
        self.buffer.push(tag::PLACE);
        for field in [module, u64::from(place.line), u64::from(place.column)] {
            varint(field, &mut self.buffer);
        }
        number
    }

    fn mfa(&mut self, mfa: Mfa, out: &mut Vec<u8>) {
        let (module, name) = (self.atom(mfa.module), self.atom(mfa.name));
        numbers(&[module, name, u64::from(mfa.arity)], out);
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let (place, own) = (self.place(record.place), self.place(record.own));
        out.push(tag::RECORD + number_of(&record.what));
        let passed = record.time.wrapping_sub(self.time);
        self.time = record.time;
        let pid = record.pid.map_or(0, |pid| pid.0 + 1);
        numbers(&[passed, pid, u64::from(record.depth), place, own], out);
        self.what(&record.what, out);
    }

    fn what(&mut self, what: &What, out: &mut Vec<u8>) {
        match what {
            What::Call { callee, args, tail, builtin } => {
                self.mfa(*callee, out);
                numbers(&[u64::from(*tail), u64::from(*builtin)], out);
                values(args, out);
            }
            What::Return { value: returned } => value(returned, out),
            What::Raise { class, reason, again } => {
                numbers(&[class_number(*class), u64::from(*again)], out);
                value(reason, out);
            }
            What::Catch { at } => varint(self.place(*at), out),
            What::Spawn { child, entry, fun, args } => {
                varint(child.0, out);
                self.mfa(*entry, out);
                varint(u64::from(*fun), out);
                values(args, out);
            }
            What::Exit { pid, reason } => {
                varint(pid.0, out);
                value(reason, out);
            }
            What::Send { id, sender, to, message } => {
                let (kind, pid) = sender_numbers(*sender);
                numbers(&[id.0, kind, pid, to.0], out);
                value(message, out);
            }
            What::Deliver { id, to, lost } => numbers(&[id.0, to.0, u64::from(*lost)], out),
            What::Receive { id, message, receive } => {
                varint(id.0, out);
                varint(self.place(*receive), out);
                value(message, out);
            }
            What::GiveUp => {}
            What::Flush { id } => varint(id.0, out),
            What::Link { a, b } | What::Unlink { a, b } => numbers(&[a.0, b.0], out),
            What::Monitor { watcher, reference, target } => {
                numbers(&[watcher.0, reference.0, target.map_or(0, |pid| pid.0 + 1)], out);
            }
            What::Demonitor { watcher, reference } => numbers(&[watcher.0, reference.0], out),
            What::ExitSignal { from, to, reason, linked } => {
                numbers(&[from.0, to.0, u64::from(*linked)], out);
                value(reason, out);
            }
            What::TimerSet { reference, at } => numbers(&[reference.0, *at], out),
            What::TimerCancelled { reference } | What::TimerFired { reference } => {
                varint(reference.0, out);
            }
            What::Output { device, text: shown } => {
                text(device, out);
                text(shown, out);
            }
            What::Access { kind, object } => {
                let class = self.atom(object.class);
                let (sort, owner) = match object.owner {
                    Owner::All => (0, 0),
                    Owner::Name(name) => (1, self.atom(name)),
                    Owner::Number(number) => (2, number),
                };
                numbers(&[*kind as u64, class, sort, owner, object.part], out);
            }
            What::Node { mark } => varint(*mark as u64, out),
            What::Turn { calls, end } => numbers(&[*calls, *end as u64], out),
            What::Arrive { from, to } => numbers(&[from.0, to.0], out),
            What::End { how } => text(how, out),
            What::Signal { number } => varint(number.0, out),
            What::Step { timer, gives_up, takes } => {
                let timer = timer.map_or(0, |timer| timer.0 + 1);
                let takes = takes.map_or(0, |place| u64::from(place) + 1);
                numbers(&[timer, u64::from(*gives_up), takes], out);
            }
        }
    }
}

/// The number of a kind of record. New kinds are added at the end.
fn number_of(what: &What) -> u8 {
    match what {
        What::Call { .. } => 0,
        What::Return { .. } => 1,
        What::Raise { .. } => 2,
        What::Catch { .. } => 3,
        What::Spawn { .. } => 4,
        What::Exit { .. } => 5,
        What::Send { .. } => 6,
        What::Deliver { .. } => 7,
        What::Receive { .. } => 8,
        What::GiveUp => 9,
        What::Flush { .. } => 10,
        What::Link { .. } => 11,
        What::Unlink { .. } => 12,
        What::Monitor { .. } => 13,
        What::Demonitor { .. } => 14,
        What::ExitSignal { .. } => 15,
        What::TimerSet { .. } => 16,
        What::TimerCancelled { .. } => 17,
        What::TimerFired { .. } => 18,
        What::Output { .. } => 19,
        What::Access { .. } => 20,
        What::Node { .. } => 21,
        What::Turn { .. } => 22,
        What::Arrive { .. } => 23,
        What::End { .. } => 24,
        What::Step { .. } => 25,
        What::Signal { .. } => 26,
    }
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn numbers(all: &[u64], out: &mut Vec<u8>) {
    all.iter().for_each(|&number| varint(number, out));
}

fn text(text: &str, out: &mut Vec<u8>) {
    varint(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

fn value(value: &Value, out: &mut Vec<u8>) {
    let mut bytes = Vec::new();
    etf::encode(&value.term, 2, &mut bytes);
    varint((bytes.len() as u64) << 1 | u64::from(value.cut), out);
    out.extend_from_slice(&bytes);
}

fn values(all: &[Value], out: &mut Vec<u8>) {
    varint(all.len() as u64, out);
    all.iter().for_each(|each| value(each, out));
}

fn class_number(class: Class) -> u64 {
    match class {
        Class::Error => 0,
        Class::Exit => 1,
        Class::Throw => 2,
    }
}

fn sender_numbers(sender: Sender) -> (u64, u64) {
    match sender {
        Sender::Process(pid) => (0, pid.0),
        Sender::Down(pid) => (1, pid.0),
        Sender::Exit(pid) => (2, pid.0),
        Sender::Timer => (3, 0),
        Sender::Device(pid) => (4, pid.0),
        Sender::Outside => (5, 0),
    }
}

// ---- reading -----------------------------------------------------------------------------------

/// Reads a trace, record by record.
pub struct Reader<R: Read> {
    pub header: Header,
    input: BufReader<ZlibDecoder<BufReader<R>>>,
    atoms: Vec<Atom>,
    places: Vec<Place>,
    time: u64,
    ended: bool,
}

/// Funs of a trace are only looked at: their code is nowhere.
struct NoCode;

impl Closures for NoCode {
    fn find(&self, _: Atom, _: u32, _: u32) -> Option<(Atom, u32)> {
        None
    }
}

/// More bytes than any term or text of a trace has: a length above is damage.
const LONGEST: u64 = 1 << 32;

impl<R: Read> Reader<R> {
    pub fn new(input: R) -> Result<Reader<R>, Problem> {
        let mut input = BufReader::new(input);
        let first = line(&mut input)?.ok_or(Problem::NoTrace)?;
        if first != FIRST_LINE {
            let known = first.starts_with("erlscope trace ");
            return Err(if known { Problem::Version(first) } else { Problem::NoTrace });
        }
        let mut header = Header::default();
        loop {
            let line = line(&mut input)?.ok_or(Problem::CutOff)?;
            if line.is_empty() {
                break;
            }
            let (key, value) =
                line.split_once(": ").ok_or(Problem::Damaged("a line of the header"))?;
            header.entries.push((key.to_owned(), value.to_owned()));
        }
        let input = BufReader::new(ZlibDecoder::new(input));
        Ok(Reader { header, input, atoms: Vec::new(), places: Vec::new(), time: 0, ended: false })
    }

    fn next_record(&mut self) -> Result<Record, Problem> {
        loop {
            match self.byte()? {
                tag::ATOM => {
                    let text = self.text()?;
                    self.atoms.push(Atom::new(&text));
                }
                tag::PLACE => {
                    let module = self.atom()?;
                    let (line, column) = (self.small()?, self.small()?);
                    self.places.push(Place { module, line, column });
                }
                kind if kind >= tag::RECORD => return self.record(kind - tag::RECORD),
                _ => return Err(Problem::Damaged("an unknown kind of record")),
            }
        }
    }

    fn record(&mut self, kind: u8) -> Result<Record, Problem> {
        let passed = self.number()?;
        self.time = self.time.wrapping_add(passed);
        let pid = self.number()?.checked_sub(1).map(Pid);
        let depth = self.small()?;
        let (place, own) = (self.place()?, self.place()?);
        let what = self.what(kind)?;
        Ok(Record { time: self.time, pid, depth, place, own, what })
    }

    fn what(&mut self, kind: u8) -> Result<What, Problem> {
        Ok(match kind {
            0 => {
                let callee = self.mfa()?;
                let (tail, builtin) = (self.flag()?, self.flag()?);
                What::Call { callee, args: self.values()?, tail, builtin }
            }
            1 => What::Return { value: self.value()? },
            2 => {
                let class = match self.number()? {
                    0 => Class::Error,
                    1 => Class::Exit,
                    2 => Class::Throw,
                    _ => return Err(Problem::Damaged("an unknown class of exceptions")),
                };
                let again = self.flag()?;
                What::Raise { class, reason: self.value()?, again }
            }
            3 => What::Catch { at: self.place()? },
            4 => {
                let child = self.pid()?;
                let entry = self.mfa()?;
                let fun = self.flag()?;
                What::Spawn { child, entry, fun, args: self.values()? }
            }
            5 => What::Exit { pid: self.pid()?, reason: self.value()? },
            6 => self.send()?,
            7 => What::Deliver { id: self.id()?, to: self.pid()?, lost: self.flag()? },
            8 => {
                let (id, receive) = (self.id()?, self.place()?);
                What::Receive { id, message: self.value()?, receive }
            }
            9 => What::GiveUp,
            10 => What::Flush { id: self.id()? },
            11 => What::Link { a: self.pid()?, b: self.pid()? },
            12 => What::Unlink { a: self.pid()?, b: self.pid()? },
            13 => What::Monitor {
                watcher: self.pid()?,
                reference: self.reference()?,
                target: self.number()?.checked_sub(1).map(Pid),
            },
            14 => What::Demonitor { watcher: self.pid()?, reference: self.reference()? },
            15 => {
                let (from, to, linked) = (self.pid()?, self.pid()?, self.flag()?);
                What::ExitSignal { from, to, reason: self.value()?, linked }
            }
            16 => What::TimerSet { reference: self.reference()?, at: self.number()? },
            17 => What::TimerCancelled { reference: self.reference()? },
            18 => What::TimerFired { reference: self.reference()? },
            19 => What::Output { device: self.text()?, text: self.text()? },
            20 => self.access()?,
            21 => What::Node { mark: self.mark()? },
            22 => {
                let calls = self.number()?;
                let end = match self.number()? {
                    0 => TurnEnd::Yielded,
                    1 => TurnEnd::Waits,
                    2 => TurnEnd::Ended,
                    _ => return Err(Problem::Damaged("an unknown end of a turn")),
                };
                What::Turn { calls, end }
            }
            23 => What::Arrive { from: self.pid()?, to: self.pid()? },
            24 => What::End { how: self.text()? },
            25 => What::Step {
                timer: self.number()?.checked_sub(1).map(Ref),
                gives_up: self.flag()?,
                takes: self.small()?.checked_sub(1),
            },
            26 => What::Signal { number: Ref(self.number()?) },
            _ => return Err(Problem::Damaged("an unknown kind of event")),
        })
    }

    fn send(&mut self) -> Result<What, Problem> {
        let id = self.id()?;
        let (kind, pid) = (self.number()?, self.pid()?);
        let sender = match kind {
            0 => Sender::Process(pid),
            1 => Sender::Down(pid),
            2 => Sender::Exit(pid),
            3 => Sender::Timer,
            4 => Sender::Device(pid),
            5 => Sender::Outside,
            _ => return Err(Problem::Damaged("an unknown sender")),
        };
        Ok(What::Send { id, sender, to: self.pid()?, message: self.value()? })
    }

    fn access(&mut self) -> Result<What, Problem> {
        let kind = match self.number()? {
            0 => AccessKind::Read,
            1 => AccessKind::Add,
            2 => AccessKind::Write,
            _ => return Err(Problem::Damaged("an unknown kind of access")),
        };
        let class = self.atom()?;
        let sort = self.number()?;
        let owner = match sort {
            1 => Owner::Name(self.atom()?),
            _ => {
                let number = self.number()?;
                if sort == 0 { Owner::All } else { Owner::Number(number) }
            }
        };
        let object = Shared { class, owner, part: self.number()? };
        Ok(What::Access { kind, object })
    }

    fn mark(&mut self) -> Result<Mark, Problem> {
        let all = [Mark::Reached, Mark::Chosen, Mark::Matched, Mark::True, Mark::False];
        let number = self.number()? as usize;
        all.get(number).copied().ok_or(Problem::Damaged("an unknown mark"))
    }

    fn byte(&mut self) -> Result<u8, Problem> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn number(&mut self) -> Result<u64, Problem> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Problem::Damaged("a number without an end"))
    }

    fn small(&mut self) -> Result<u32, Problem> {
        u32::try_from(self.number()?).map_err(|_| Problem::Damaged("a number that is too large"))
    }

    fn flag(&mut self) -> Result<bool, Problem> {
        Ok(self.number()? != 0)
    }

    fn pid(&mut self) -> Result<Pid, Problem> {
        self.number().map(Pid)
    }

    fn id(&mut self) -> Result<MessageId, Problem> {
        self.number().map(MessageId)
    }

    fn reference(&mut self) -> Result<Ref, Problem> {
        self.number().map(Ref)
    }

    fn bytes(&mut self, len: u64) -> Result<Vec<u8>, Problem> {
        if len > LONGEST {
            return Err(Problem::Damaged("a length that cannot be"));
        }
        let mut bytes = Vec::new();
        (&mut self.input).take(len).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == len { Ok(bytes) } else { Err(Problem::CutOff) }
    }

    fn text(&mut self) -> Result<String, Problem> {
        let len = self.number()?;
        let bytes = self.bytes(len)?;
        String::from_utf8(bytes).map_err(|_| Problem::Damaged("text that is no UTF-8"))
    }

    fn atom(&mut self) -> Result<Atom, Problem> {
        let number = self.number()? as usize;
        self.atoms.get(number).copied().ok_or(Problem::Damaged("a name without a definition"))
    }

    fn place(&mut self) -> Result<Option<Place>, Problem> {
        let Some(number) = self.number()?.checked_sub(1) else { return Ok(None) };
        let place = self.places.get(number as usize).copied();
        place.map(Some).ok_or(Problem::Damaged("a place without a definition"))
    }

    fn mfa(&mut self) -> Result<Mfa, Problem> {
        Ok(Mfa { module: self.atom()?, name: self.atom()?, arity: self.small()? })
    }

    fn value(&mut self) -> Result<Value, Problem> {
        let header = self.number()?;
        let bytes = self.bytes(header >> 1)?;
        let reading = Reading { safe: false, closures: &NoCode };
        let term: Option<(Term, usize)> = etf::decode(&bytes, &reading);
        match term {
            Some((term, used)) if used == bytes.len() => Ok(Value { term, cut: header & 1 == 1 }),
            _ => Err(Problem::Damaged("a term that cannot be read")),
        }
    }

    fn values(&mut self) -> Result<Vec<Value>, Problem> {
        let count = self.number()?;
        (0..count).map(|_| self.value()).collect()
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, Problem>;

    /// The next record; a problem is the last item.
    fn next(&mut self) -> Option<Result<Record, Problem>> {
        if self.ended {
            return None;
        }
        let record = self.next_record();
        self.ended = !matches!(&record, Ok(record) if !matches!(record.what, What::End { .. }));
        Some(record)
    }
}

/// A line without its end.
fn line(input: &mut impl BufRead) -> Result<Option<String>, Problem> {
    /// No line of a header is longer.
    const LONGEST_LINE: u64 = 1 << 20;
    let mut bytes = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    match bytes.pop() {
        Some(b'\n') => String::from_utf8(bytes).map(Some).map_err(|_| Problem::NoTrace),
        Some(_) | None => Ok(None),
    }
}
