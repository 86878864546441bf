//! Code as bytes: modules that are lowered and finished when the program is built.
//!
//! Reading, lowering and finishing a module of the library takes longer than most programs need of
//! it. [`pack`] makes bytes of a finished module, which [`unpack`] takes apart only as far as a
//! module is looked at from outside: names, exports, attributes. The instructions of a function and
//! the constants in them are read when it is finished ([`Function::finish`]), at its first call.
//! Lines for stack traces are among the bytes, too, so the tree is needed only by who asks for
//! nodes.
//!
//! A packed module is read by the build that wrote it: the format has no version, and is not
//! checked.
//!
//! The bytes: the names that occur; the head of the module; for each function its name, the lengths
//! of what follows, and where it is; the instructions of each function with their nodes and tables;
//! the lines of each function. See `instructions.rs` for instructions. Terms are in the external
//! format.
//!
//! Not packed are modules that define native records (the library has none): [`pack`] says so.

mod bytes;
mod instructions;

use std::rc::Rc;

use atom::Atom;
use syntax::ast::{Module, NodeId};
use term::{Term, etf};

use crate::instr::Instr;
use crate::module::{Function, ModuleCode, Switch};
use bytes::{Names, Reader, Writer};
use instructions::{In, Operand, Out};

/// Where the instructions of a function are that was packed.
#[derive(Clone, Debug)]
pub struct PackedBody {
    /// The names of its module.
    names: Rc<[Atom]>,
    /// Its instructions, and what comes after them.
    body: &'static [u8],
    /// The line of each instruction.
    lines: &'static [u8],
    /// How many instructions there are.
    pub(crate) len: usize,
    /// The node of the first.
    pub(crate) origin: NodeId,
}

// ---- writing -----------------------------------------------------------------------------------

/// A module, finished, as bytes. `source` is the tree it was made from. `None` if that cannot be
/// done.
pub fn pack(mut code: ModuleCode, source: &Module) -> Option<Vec<u8>> {
    if !code.records.is_empty() {
        return None;
    }
    code.finish();
    let mut names = Names::default();
    let (mut head, mut bodies, mut lines) =
        (Writer::default(), Writer::default(), Writer::default());
    let mut out = Out { writer: &mut head, names: &mut names };
    write_head(&code, &mut out);
    out.writer.size(code.functions.len());
    for function in &code.functions {
        let (body_at, lines_at) = (bodies.bytes.len(), lines.bytes.len());
        let mut out = Out { writer: &mut bodies, names: &mut names };
        write_body(function, &code, &mut out);
        write_lines(function, source, &mut lines);
        let mut out = Out { writer: &mut head, names: &mut names };
        (function.name, function.arity).write(&mut out);
        function.frame_size.write(&mut out);
        out.writer.size(function.instrs.len());
        function.origin().0.write(&mut out);
        out.writer.size(bodies.bytes.len() - body_at);
        out.writer.size(lines.bytes.len() - lines_at);
    }
    let mut packed = Writer::default();
    packed.size(names.list.len());
    names.list.iter().for_each(|name| packed.text(name.as_str()));
    packed.size(head.bytes.len());
    packed.size(bodies.bytes.len());
    for part in [head, bodies, lines] {
        packed.bytes.extend(part.bytes);
    }
    Some(packed.bytes)
}

fn write_head(code: &ModuleCode, out: &mut Out<'_>) {
    code.name.write(out);
    code.digest.write(out);
    out.writer.size(code.renamed.len());
    for (form, file) in &code.renamed {
        form.0.write(out);
        out.writer.text(file);
    }
    code.on_load.is_some().write(out);
    code.on_load.unwrap_or(atom::known::EMPTY).write(out);
    write_all(&code.imports, out);
    write_all(&code.exports, out);
    write_all(&code.closures, out);
    write_all(&code.bits_parts, out);
    out.writer.size(code.switches.len());
    out.writer.size(code.consts.len());
    out.writer.size(code.attributes.len());
    for (name, value) in &code.attributes {
        name.write(out);
        write_term(value, out);
    }
}

fn write_all<T: Operand>(list: &[T], out: &mut Out<'_>) {
    out.writer.size(list.len());
    list.iter().for_each(|one| one.write(out));
}

fn write_term(term: &Term, out: &mut Out<'_>) {
    etf::encode(term, 2, &mut out.writer.bytes);
}

/// Instructions, each with the distance to its node from that of the one before, and the table or
/// the constant that it uses.
fn write_body(function: &Function, code: &ModuleCode, out: &mut Out<'_>) {
    let mut before = function.origin();
    for (instr, origin) in function.instrs.iter().zip(&function.origins) {
        instr.write(out);
        out.writer.signed(i64::from(origin.0) - i64::from(before.0));
        before = *origin;
        match *instr {
            Instr::SwitchAtom { index, .. } | Instr::SwitchInt { index, .. } => {
                match &code.switches[index as usize] {
                    Switch::Atoms(entries) => write_all(entries, out),
                    Switch::Ints(entries) => write_all(entries, out),
                }
            }
            Instr::LoadConst { index, .. } | Instr::IsConst { index, .. } => {
                write_term(&code.consts[index as usize], out);
            }
            _ => {}
        }
    }
}

fn write_lines(function: &Function, source: &Module, lines: &mut Writer) {
    let mut before = 0;
    for &origin in &function.origins {
        let line = i64::from(source.loc(origin).line);
        lines.signed(line - before);
        before = line;
    }
}

// ---- reading -----------------------------------------------------------------------------------

/// The module that was packed. Its functions are still to be finished.
pub fn unpack(packed: &'static [u8]) -> ModuleCode {
    let mut reader = Reader::new(packed);
    let count = reader.size();
    let names: Rc<[Atom]> = (0..count).map(|_| Atom::of_static(reader.text())).collect();
    let (head_size, bodies_size) = (reader.size(), reader.size());
    let head = reader.clone();
    reader.skip(head_size);
    let mut bodies = reader.clone();
    reader.skip(bodies_size);
    let mut lines = reader;

    let mut from = In { reader: head, names: &names };
    let mut code = read_head(&mut from);
    let count = from.reader.size();
    code.functions.reserve(count);
    for _ in 0..count {
        let (name, arity) = Operand::read(&mut from);
        let frame_size = Operand::read(&mut from);
        let len = from.reader.size();
        let origin = NodeId(Operand::read(&mut from));
        let (body_size, lines_size) = (from.reader.size(), from.reader.size());
        let packed = PackedBody {
            names: Rc::clone(&names),
            body: bodies.rest(),
            lines: lines.rest(),
            len,
            origin,
        };
        bodies.skip(body_size);
        lines.skip(lines_size);
        code.functions.push(Function::packed(name, arity, frame_size, packed));
    }
    code
}

fn read_head(from: &mut In<'_>) -> ModuleCode {
    let mut code = ModuleCode::new(Operand::read(from));
    code.digest = Operand::read(from);
    let count = from.reader.size();
    code.renamed =
        (0..count).map(|_| (NodeId(Operand::read(from)), from.reader.text().into())).collect();
    let has_on_load = bool::read(from);
    let on_load = Atom::read(from);
    code.on_load = has_on_load.then_some(on_load);
    code.imports = read_all(from);
    code.exports = read_all(from);
    code.closures = read_all(from);
    code.bits_parts = read_all(from);
    // These are filled when their functions are finished.
    code.switches = vec![Switch::Ints(Vec::new()); from.reader.size()];
    code.consts = vec![Term::NIL; from.reader.size()];
    let count = from.reader.size();
    code.attributes = (0..count).map(|_| (Operand::read(from), read_term(from))).collect();
    code
}

fn read_all<T: Operand>(from: &mut In<'_>) -> Vec<T> {
    (0..from.reader.size()).map(|_| T::read(from)).collect()
}

fn read_term(from: &mut In<'_>) -> Term {
    /// No function is part of a constant.
    struct NoFuns;

    impl etf::Closures for NoFuns {
        fn find(&self, _: Atom, _: u32, _: u32) -> Option<(Atom, u32)> {
            None
        }
    }

    let reading = etf::Reading { safe: false, closures: &NoFuns };
    // What was written is a term.
    let (term, size) = etf::decode(from.reader.rest(), &reading).unwrap_or((Term::NIL, 0));
    from.reader.skip(size);
    term
}

impl PackedBody {
    /// Instructions and their nodes. Tables and constants go to their places among those of the
    /// module.
    pub(crate) fn unpack(
        &self,
        switches: &mut [Switch],
        consts: &mut [Term],
    ) -> (Vec<Instr>, Vec<NodeId>) {
        let mut from = In { reader: Reader::new(self.body), names: &self.names };
        let (mut instrs, mut origins) =
            (Vec::with_capacity(self.len), Vec::with_capacity(self.len));
        let mut origin = self.origin.0;
        for _ in 0..self.len {
            let instr = Instr::read(&mut from);
            origin = origin.wrapping_add_signed(from.reader.signed() as i32);
            match instr {
                Instr::SwitchAtom { index, .. } => {
                    switches[index as usize] = Switch::Atoms(read_all(&mut from));
                }
                Instr::SwitchInt { index, .. } => {
                    switches[index as usize] = Switch::Ints(read_all(&mut from));
                }
                Instr::LoadConst { index, .. } | Instr::IsConst { index, .. } => {
                    consts[index as usize] = read_term(&mut from);
                }
                _ => {}
            }
            instrs.push(instr);
            origins.push(NodeId(origin));
        }
        (instrs, origins)
    }

    /// The line of the node of an instruction.
    pub(crate) fn line(&self, index: usize) -> Option<u32> {
        if index >= self.len {
            return None;
        }
        let mut lines = Reader::new(self.lines);
        let line: i64 = (0..=index).map(|_| lines.signed()).sum();
        u32::try_from(line).ok()
    }
}

#[cfg(test)]
mod tests {
    use syntax::options::Options;

    use super::{pack, unpack};
    use crate::lower::lower;
    use crate::print;

    /// Everything of a module that is seen from outside, and its code.
    fn shown(mut code: crate::module::ModuleCode) -> String {
        code.finish();
        let text = print::module(&code);
        let origins: Vec<_> = code.functions.iter().map(|function| &function.origins).collect();
        format!("{text}\n{origins:?}\n{:?}", ModuleView(&code))
    }

    struct ModuleView<'a>(&'a crate::module::ModuleCode);

    impl std::fmt::Debug for ModuleView<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let code = self.0;
            let outlines: Vec<_> =
                code.functions.iter().map(|function| function.frame_size).collect();
            f.debug_list()
                .entry(&(code.name, code.digest, &code.renamed, code.on_load))
                .entry(&(&code.consts, &code.attributes, &code.exports, &code.imports))
                .entry(&(&code.closures, &code.bits_parts, &code.switches, outlines))
                .finish()
        }
    }

    const TEXT: &str = r#"
-module(m).
-vsn("1").
-on_load(init/0).
-export([a/1, b/1, c/2]).
init() -> ok.
a(one) -> 1; a(two) -> 2; a(three) -> 3; a(four) -> 4; a(five) -> [1.5, <<"x">>, 1 bsl 100, #{}];
a(X) -> fun() -> {X, "text", 'ä', fun lists:map/2, fun b/1} end.
b(1) -> a; b(2) -> b; b(3) -> c; b(4) -> d; b(-5) -> e; b(100000) -> f;
b(L) -> [Y || {Y, _} <- L, Y > 3].
c(<<A:8, B:A/binary, C/utf8, D:16/signed-little, E/float, R/bits>>, M) ->
    try M#{A => B, c := C} of #{d := Z} -> {Z, <<D:3, E/float, R/bits>>}
    catch error:{badkey, K}:S -> {K, S}; throw:_ -> receive M -> self() ! M after 10 -> ok end
    end.
"#;

    #[test]
    fn a_module_is_read_as_it_was_packed() {
        let files = syntax::source::NoFiles;
        let source = syntax::read_module_bytes(
            "src/m.erl".as_ref(),
            TEXT.as_bytes().to_vec(),
            &files,
            &Options::default(),
        );
        let lowered = || lower(&source).unwrap();
        let packed = pack(lowered(), &source).unwrap();
        let unpacked = unpack(packed.leak());
        for (function, direct) in unpacked.functions.iter().zip(&lowered().functions) {
            assert_eq!(function.origin(), direct.origin());
        }
        let mut direct = lowered();
        direct.finish();
        for (function, direct) in unpacked.functions.iter().zip(&direct.functions) {
            let lines = direct.origins.iter().map(|&origin| Some(source.loc(origin).line));
            let read = (0..function.len()).map(|index| function.line(index));
            assert!(lines.eq(read));
        }
        assert_eq!(shown(unpacked), shown(lowered()));
    }

    #[test]
    fn native_records_are_not_packed() {
        let text = "-module(m).\n-export([f/0]).\n-record #r{a}.\nf() -> #r{a = 1}.\n";
        let source = syntax::read_module_bytes(
            "m.erl".as_ref(),
            text.as_bytes().to_vec(),
            &syntax::source::NoFiles,
            &Options { release: 29, ..Options::default() },
        );
        let code = lower(&source).unwrap();
        assert!(!code.records.is_empty());
        assert!(pack(code, &source).is_none());
    }
}
