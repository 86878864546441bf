//! Whatever the bytes, a reader ends, with records or with a problem.

use atom::Atom;
use code::module::Mfa;
use machine::observe::{MessageId, Place, Sender};
use term::{Pid, Term};
use trace::event::{Record, Value, What};
use trace::file::{Header, Reader, Writer};

fn records() -> Vec<Record> {
    let place = |line| Some(Place { module: Atom::new("m"), line, column: 1 });
    let record = |time, line, what| Record {
        time,
        pid: Some(Pid(80)),
        depth: 3,
        place: place(line),
        own: place(line / 2),
        what,
    };
    let value = |term| Value { term, cut: false };
    let big = Term::list((0..300).map(Term::int).collect::<Vec<_>>());
    let callee = Mfa { module: Atom::new("m"), name: Atom::new("f"), arity: 1 };
    let call = What::Call { callee, args: vec![value(big.clone())], tail: true, builtin: false };
    let sender = Sender::Down(Pid(81));
    let send = What::Send { id: MessageId(1 << 40), sender, to: Pid(80), message: value(big) };
    let end = What::End { how: "returned".to_owned() };
    vec![record(5, 10, call), record(5, 11, send), record(u64::MAX, 10, end)]
}

fn written() -> Vec<u8> {
    let mut header = Header::default();
    header.add("call", "m:f()\n");
    let mut writer = Writer::new(Vec::new(), &header).expect("memory can be written");
    for record in &records() {
        writer.write(record).expect("memory can be written");
    }
    writer.finish().expect("memory can be written")
}

#[test]
fn what_was_written_is_read() {
    let bytes = written();
    let mut reader = Reader::new(&bytes[..]).expect("a trace");
    assert_eq!(reader.header.get("call"), Some("m:f() "));
    let read: Vec<Record> = reader.by_ref().map(|record| record.expect("a record")).collect();
    assert_eq!(read, records());
}

#[test]
fn damaged_files_are_read_to_an_end() {
    let whole = written();
    arbtest::arbtest(|u| {
        let mut bytes = whole.clone();
        for _ in 0..u.int_in_range(0..=4)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        bytes.truncate(u.int_in_range(0..=bytes.len())?);
        if let Ok(reader) = Reader::new(&bytes[..]) {
            let items: Vec<_> = reader.take(100).collect();
            let early = items.iter().position(|item| item.is_err());
            assert!(early.is_none_or(|at| at + 1 == items.len()), "a problem is the last");
        }
        Ok(())
    });
}
