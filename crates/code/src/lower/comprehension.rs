//! Comprehensions.
//!
//! As OTP's compiler does it (stack traces show it): every generator becomes a function that takes
//! the rest of its source, the binary made so far if one is made, and the values that it needs of
//! its surroundings. It looks at one element and
//! * where the element does not match or a filter is false, calls itself with the rest;
//! * at the end of the qualifiers makes the value of the template and goes on with the rest: a list
//!   is made on the way back, a binary on the way forward;
//! * at a further generator, calls that one's function, which at its end calls back, or where a
//!   binary is made returns what it has made.
//!
//! What comes before the first generator is evaluated in the surrounding function, and where there
//! is no generator all of it is.

use atom::{Atom, known};
use rustc_hash::FxHashSet;
use syntax::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList, RecordName};
use syntax::builtins::{ANY_RELEASE, is_guard_function};
use term::Term;

use super::builder::Label;
use super::expr::Want;
use super::scope::{
    free_variables_of, leaks, pattern_reads, pattern_variables, variables_of_scope,
};
use super::{Lowerer, Result};
use crate::instr::{
    BitsPart, BitsSize, BitsType, Endian, Failure, Instr, Mark, Slot, TypeTest, Use,
};

/// A comprehension that is being made into functions.
struct Comprehension {
    node: NodeId,
    which: ComprehensionKind,
    exprs: Vec<NodeId>,
    qualifiers: Vec<NodeId>,
    /// The generators around the place where we are, outermost first.
    levels: Vec<Level>,
    /// Variables that are bound after it ([`leaks`]).
    leaked: Vec<Atom>,
    /// Whether its value is that of the function it is in: then the first generator is called as a
    /// function in tail position is.
    tail: bool,
    /// Whether nobody looks at its value: then nothing is made of the template's, and the functions
    /// call themselves in tail position, as OTP's compiler has it.
    unused: bool,
}

/// One generator's function, and with which variables to call it for its next element.
struct Level {
    function: u32,
    /// Names of what is left of its sources.
    tails: Vec<Atom>,
    /// Names of the other values that it takes. Where a generator, this one or one further in,
    /// binds the name of such a value anew, this is a name of our own.
    resume: Vec<Atom>,
}

/// One `Pattern <- Source`.
struct Source {
    which: GeneratorKind,
    strict: bool,
    pattern: NodeId,
    source: NodeId,
}

const ACCUMULATOR: &str = "%acc";

impl Comprehension {
    fn accumulates(&self) -> bool {
        self.which == ComprehensionKind::Binary
    }

    /// What it is when nothing was generated.
    fn empty(&self) -> Term {
        if self.accumulates() { Term::binary(Vec::new()) } else { Term::NIL }
    }
}

impl Lowerer<'_> {
    pub(super) fn comprehension(
        &mut self,
        id: NodeId,
        which: ComprehensionKind,
        exprs: NodeList,
        qualifiers: NodeList,
        want: Want,
    ) -> Result<()> {
        self.at(id);
        let mut comprehension = Comprehension {
            node: id,
            which,
            exprs: self.m.list(exprs).to_vec(),
            qualifiers: self.m.list(qualifiers).to_vec(),
            levels: Vec::new(),
            leaked: Vec::new(),
            tail: self.is_tail(want) && which != ComprehensionKind::Map,
            unused: matches!(want, Want::Effect) && which != ComprehensionKind::Binary,
        };
        let mark = self.mark();
        let bound = self.f().bound.clone();
        let slots = self.f().slots.clone();
        // What a leading filter binds is seen by what follows it, and nowhere else (but for what
        // leaks); the source of the first generator is evaluated here, too, and what it binds is
        // seen in itself. Without a generator the template is evaluated here.
        let mut generates = false;
        for &qualifier in &comprehension.qualifiers {
            let sources = match self.m.kind(qualifier) {
                Kind::Generator { .. } => self.sources(&[qualifier]),
                Kind::ZipGenerator { generators } => self.sources(self.m.list(generators)),
                _ => {
                    self.slots_for(qualifier);
                    continue;
                }
            };
            for source in sources {
                self.slots_for(source.source);
            }
            generates = true;
            break;
        }
        if !generates {
            for &expr in &comprehension.exprs {
                self.slots_for(expr);
            }
        }
        let result = self.temp();
        self.qualifier(&mut comprehension, 0, result)?;
        self.f().bound = bound;
        self.f().slots = slots;
        for name in comprehension.leaked {
            self.bind(name);
        }
        if which == ComprehensionKind::Map && !comprehension.unused {
            self.at(id);
            let at = self.temp();
            self.move_to(at, result);
            let import = self.import(Atom::new("maps"), Atom::new("from_list"), 1);
            self.emit(Instr::CallImport { import, at, len: 1 });
            self.move_to(result, at);
        }
        self.deliver(result, want);
        self.release(mark);
        Ok(())
    }

    /// Slots for the variables that occur in `id` and have none.
    fn slots_for(&mut self, id: NodeId) {
        for name in variables_of_scope(self.m, id) {
            self.var_slot(name);
        }
    }

    /// Qualifiers from `index` on. In the surrounding function the result goes to `dst`; in the
    /// function of a generator it is returned.
    fn qualifier(&mut self, c: &mut Comprehension, index: usize, dst: Slot) -> Result<()> {
        let Some(&qualifier) = c.qualifiers.get(index) else { return self.template(c, dst) };
        let sources = match self.m.kind(qualifier) {
            Kind::Generator { .. } => self.sources(&[qualifier]),
            Kind::ZipGenerator { generators } => self.sources(self.m.list(generators)),
            _ => return self.filter(c, index, qualifier, dst),
        };
        self.generator(c, index, qualifier, &sources, dst)
    }

    fn sources(&self, generators: &[NodeId]) -> Vec<Source> {
        generators
            .iter()
            .filter_map(|&generator| match self.m.kind(generator) {
                Kind::Generator { which, strict, pattern, source } => {
                    Some(Source { which, strict, pattern, source })
                }
                _ => None,
            })
            .collect()
    }

    fn filter(
        &mut self,
        c: &mut Comprehension,
        index: usize,
        filter: NodeId,
        dst: Slot,
    ) -> Result<()> {
        let (skip, end) = (self.new_label(), self.new_label());
        // Where OTP says that it is no filter; of a field that is the record.
        let place = match self.m.kind(filter) {
            Kind::RecordAccess { base, .. } => self.leftmost(base),
            Kind::Record { base: Some(base), .. } => base,
            _ => filter,
        };
        self.at(place);
        if self.is_guard_expr(filter) {
            self.guard_test(filter, skip)?;
        } else {
            let bad = self.new_label();
            let go_on = self.new_label();
            let bound = self.f().bound.len();
            let value = self.operand(filter)?;
            self.keep_leaked(c, filter, bound);
            self.note_outcomes(filter, skip, bad, |this, other, fail| {
                this.emit(Instr::IsBoolean { a: Use::of(value), other, fail });
            });
            self.jump(go_on);
            self.bind_label(bad);
            self.at(place);
            self.fail_with(Failure::BadFilter, value);
            self.bind_label(go_on);
        }
        self.qualifier(c, index + 1, dst)?;
        self.jump(end);
        self.bind_label(skip);
        match c.levels.last() {
            Some(_) => self.next_round(c, c.levels.len() - 1),
            None => self.load(dst, c.empty()),
        }
        self.bind_label(end);
        Ok(())
    }

    /// Part of the comprehension was evaluated in the surrounding function: keeps what it bound, if
    /// that stays.
    fn keep_leaked(&mut self, c: &mut Comprehension, part: NodeId, bound: usize) {
        if c.levels.is_empty() && leaks(self.m, c.which, &c.qualifiers) == Some(part) {
            c.leaked = self.f().bound[bound..].to_vec();
        }
    }

    /// All qualifiers hold: the template.
    fn template(&mut self, c: &mut Comprehension, dst: Slot) -> Result<()> {
        let mark = self.mark();
        if c.unused && !c.levels.is_empty() {
            for &expr in &c.exprs {
                match self.m.kind(expr) {
                    Kind::MapField { key, value, .. } => {
                        self.effect(key)?;
                        self.effect(value)?;
                    }
                    _ => self.effect(expr)?,
                }
            }
            self.next_round(c, c.levels.len() - 1);
            self.release(mark);
            return Ok(());
        }
        let values = self.temps(c.exprs.len());
        for (i, &expr) in c.exprs.clone().iter().enumerate() {
            let slot = Slot(values.0 + i as u16);
            match self.m.kind(expr) {
                Kind::MapField { key, value, .. } => {
                    let pair = self.evaluate_all(&[key, value], 0)?;
                    self.emit(Instr::Tuple { dst: slot, at: pair, len: 2 });
                }
                _ => self.eval(expr, Want::Value(slot))?,
            }
        }
        let count = c.exprs.len() as u16;
        let inside = !c.levels.is_empty();
        if c.accumulates() {
            self.at(c.node);
            let accumulator = Atom::new(ACCUMULATOR);
            if inside {
                let slot = self.var_slot(accumulator);
                self.append_bits(slot, values, count, true);
                self.next_round(c, c.levels.len() - 1);
            } else {
                self.append_bits(dst, values, count, false);
            }
        } else {
            let rest = self.temp();
            if inside {
                let level = c.levels.len() - 1;
                let (at, len) = self.round_arguments(c, level);
                let function = c.levels[level].function;
                self.emit(Instr::Call { function, at, len });
                self.move_to(rest, at);
            } else {
                self.emit(Instr::LoadNil { dst: rest });
            }
            let list = self.temps(c.exprs.len() + 1);
            for i in 0..count {
                self.move_to(Slot(list.0 + i), Slot(values.0 + i));
            }
            self.move_to(Slot(list.0 + count), rest);
            let result = if inside { rest } else { dst };
            self.emit(Instr::List { dst: result, at: list, len: count });
            if inside {
                self.emit(Instr::Return { src: Use::of(rest) });
            }
        }
        self.release(mark);
        Ok(())
    }

    /// Makes bit strings into one in `slot`, appended to what is there if there is something.
    fn append_bits(&mut self, slot: Slot, values: Slot, count: u16, inside: bool) {
        let part = self.code.bits_parts.len() as u32;
        let whole = BitsPart {
            ty: BitsType::Bits,
            signed: false,
            endian: Endian::Big,
            unit: 1,
            size: BitsSize::Rest,
        };
        let extra = u16::from(inside);
        self.code.bits_parts.extend((0..count + extra).map(|_| whole));
        let at = self.temps(usize::from(count + extra).max(1));
        if inside {
            self.move_to(at, slot);
        }
        for i in 0..count {
            self.move_to(Slot(at.0 + extra + i), Slot(values.0 + i));
        }
        let fail = crate::instr::RAISE;
        self.emit(Instr::BitsBuild { at, part, len: count + extra, sizes: 0, fail });
        self.move_to(slot, at);
    }

    /// Puts in place the arguments with which a level's function takes its next element.
    fn round_arguments(&mut self, c: &Comprehension, level: usize) -> (Slot, u8) {
        let level = &c.levels[level];
        let mut names = level.tails.clone();
        if c.accumulates() {
            names.push(Atom::new(ACCUMULATOR));
        }
        names.extend(&level.resume);
        (self.gather(&names), names.len() as u8)
    }

    /// Goes on with the next element of a generator.
    fn next_round(&mut self, c: &Comprehension, level: usize) {
        let mark = self.mark();
        let (at, len) = self.round_arguments(c, level);
        let function = c.levels[level].function;
        self.slide(at, u16::from(len));
        self.emit(Instr::TailCall { function, len });
        self.release(mark);
    }

    fn generator(
        &mut self,
        c: &mut Comprehension,
        index: usize,
        node: NodeId,
        sources: &[Source],
        dst: Slot,
    ) -> Result<()> {
        let depth = c.levels.len();
        let own = sources.len() + usize::from(c.accumulates());
        // What leaks is bound before the function is made.
        let mark = self.mark();
        let mut evaluated = None;
        if let [source] = sources
            && depth == 0
            && leaks(self.m, c.which, &c.qualifiers) == Some(source.source)
        {
            let (bound, slot) = (self.f().bound.len(), self.temp());
            self.eval(source.source, Want::Value(slot))?;
            self.keep_leaked(c, source.source, bound);
            evaluated = Some(slot);
        }
        let captured = self.captured_by(c, index, sources);
        if own + captured.len() > usize::from(u8::MAX) {
            return self.unsupported(node, "a generator that needs more than 255 values");
        }
        let number = self.number_of(node);
        let kind = if c.accumulates() { "lbc" } else { "lc" };
        let part = format!("{kind}$^{number}/{own}-{}", self.lifted);
        self.lifted += 1;
        let name = self.part_name(&part);
        let function = self.reserve(name, (own + captured.len()) as u32);

        self.call_generator(c, node, (sources, evaluated), &captured, function, dst)?;
        self.release(mark);

        let tails: Vec<Atom> =
            (0..sources.len()).map(|i| Atom::new(&format!("%tail{depth}.{i}"))).collect();
        let mut rebound = Vec::new();
        for &qualifier in &c.qualifiers[index..] {
            self.generated_variables(qualifier, &mut rebound);
        }
        let resume: Vec<Atom> = captured
            .iter()
            .enumerate()
            .map(|(i, name)| match rebound.contains(name) {
                true => Atom::new(&format!("%env{depth}.{i}")),
                false => *name,
            })
            .collect();
        c.levels.push(Level { function, tails, resume });
        self.begin_part(name, own as u32, &captured, node);
        self.generator_function(c, index, sources, own)?;
        self.finish(function)?;
        c.levels.pop();
        Ok(())
    }

    /// The variables that a qualifier binds, if it is a generator.
    fn generated_variables(&self, qualifier: NodeId, names: &mut Vec<Atom>) {
        match self.m.kind(qualifier) {
            Kind::Generator { pattern, .. } => pattern_variables(self.m, pattern, names),
            Kind::ZipGenerator { generators } => {
                for &generator in self.m.list(generators) {
                    if let Kind::Generator { pattern, .. } = self.m.kind(generator) {
                        pattern_variables(self.m, pattern, names);
                    }
                }
            }
            _ => {}
        }
    }

    /// What the function of a generator needs of its surroundings.
    fn captured_by(&mut self, c: &Comprehension, index: usize, sources: &[Source]) -> Vec<Atom> {
        let mut used = FxHashSet::default();
        let mut shadowed = Vec::new();
        for source in sources {
            pattern_variables(self.m, source.pattern, &mut shadowed);
        }
        for source in sources {
            pattern_reads(self.m, source.pattern, &mut Vec::new(), &mut used);
        }
        // A later generator may hide a name only for what follows it; taking it along is harmless.
        free_variables_of(self.m, &c.qualifiers[index + 1..], &shadowed, &mut used);
        free_variables_of(self.m, &c.exprs, &shadowed, &mut used);
        // A list is made on the way back: who comes to the end of an inner generator goes on with
        // the outer one.
        for level in c.levels.iter().filter(|_| !c.accumulates()) {
            used.extend(&level.tails);
            used.extend(&level.resume);
        }
        let nodes = [&c.qualifiers[index + 1..], &c.exprs].concat();
        self.captured(&used, &nodes)
    }

    /// Calls the function of a generator for the first time. Its source may be in a slot already.
    fn call_generator(
        &mut self,
        c: &Comprehension,
        node: NodeId,
        (sources, evaluated): (&[Source], Option<Slot>),
        captured: &[Atom],
        function: u32,
        dst: Slot,
    ) -> Result<()> {
        let mark = self.mark();
        let own = sources.len() + usize::from(c.accumulates());
        let at = self.temps((own + captured.len()).max(1));
        for (i, source) in sources.iter().enumerate() {
            let slot = Slot(at.0 + i as u16);
            match evaluated {
                Some(value) => self.move_to(slot, value),
                None => self.eval(source.source, Want::Value(slot))?,
            }
            match source.which {
                GeneratorKind::Map => {
                    let pairs = self.temp();
                    self.move_to(pairs, slot);
                    let module = Atom::new("erlscope_native");
                    let import = self.import(module, Atom::new("generator_pairs"), 1);
                    self.at(source.source);
                    self.emit(Instr::CallImport { import, at: pairs, len: 1 });
                    self.move_to(slot, pairs);
                }
                // A generator of one element, as OTP's compiler makes it.
                GeneratorKind::Value => {
                    let nil = self.temp();
                    self.emit(Instr::LoadNil { dst: nil });
                    let (head, tail) = (Use::of(slot), Use::of(nil));
                    self.emit(Instr::Cons { dst: slot, head, tail });
                }
                GeneratorKind::List | GeneratorKind::Binary => {}
            }
        }
        if c.accumulates() {
            let slot = Slot(at.0 + sources.len() as u16);
            if c.levels.is_empty() {
                self.load(slot, c.empty());
            } else {
                let accumulator = self.var_slot(Atom::new(ACCUMULATOR));
                self.move_to(slot, accumulator);
            }
        }
        for (i, &name) in captured.iter().enumerate() {
            let slot = self.var_slot(name);
            self.move_to(Slot(at.0 + (own + i) as u16), slot);
        }
        // Where OTP's stack traces see the call.
        self.at(if c.accumulates() { c.node } else { node });
        let len = (own + captured.len()) as u8;
        if c.levels.is_empty() && !c.tail {
            self.emit(Instr::Call { function, at, len });
            self.move_to(dst, at);
        } else if !c.levels.is_empty() && c.accumulates() {
            self.emit(Instr::Call { function, at, len });
            let accumulator = self.var_slot(Atom::new(ACCUMULATOR));
            self.move_to(accumulator, at);
            self.next_round(c, c.levels.len() - 1);
        } else {
            self.slide(at, u16::from(len));
            self.emit(Instr::TailCall { function, len });
        }
        self.release(mark);
        Ok(())
    }

    /// The body of a generator's function. Its parameters: the sources, the accumulator, the
    /// captured variables.
    fn generator_function(
        &mut self,
        c: &mut Comprehension,
        index: usize,
        sources: &[Source],
        own: usize,
    ) -> Result<()> {
        let depth = c.levels.len() - 1;
        self.emit(Instr::Enter { size: 0 });
        // The captured values under names that nothing hides.
        for (i, &name) in c.levels[depth].resume.clone().iter().enumerate() {
            if !self.is_bound(name) {
                self.f().slots.insert(name, Slot((own + i) as u16));
                self.bind(name);
            }
        }
        if c.accumulates() {
            let accumulator = Atom::new(ACCUMULATOR);
            self.f().slots.insert(accumulator, Slot(sources.len() as u16));
            self.bind(accumulator);
        }
        let mut new = Vec::new();
        for source in sources {
            pattern_variables(self.m, source.pattern, &mut new);
        }
        self.forget(&new);
        for &tail in &c.levels[depth].tails.clone() {
            self.var_slot(tail);
        }
        for source in sources {
            self.slots_for(source.pattern);
        }
        for &node in c.qualifiers[index + 1..].iter().chain(&c.exprs) {
            self.slots_for(node);
        }

        let (exhausted, skip) = (self.new_label(), self.new_label());
        let tails = c.levels[depth].tails.clone();
        let mut elements = Vec::new();
        for (i, source) in sources.iter().enumerate() {
            let slot = Slot(i as u16);
            elements.push(self.next_element(source, slot, tails[i], exhausted)?);
        }
        for &tail in &tails {
            self.bind(tail);
        }
        for (source, element) in sources.iter().zip(elements) {
            self.match_element(source, element, skip)?;
        }
        self.end_of_head();
        self.note(c.qualifiers[index], Mark::Chosen);
        let patterns: Vec<NodeId> = sources.iter().map(|source| source.pattern).collect();
        self.show_bound(&patterns);
        let result = self.temp();
        self.qualifier(c, index + 1, result)?;
        self.bind_label(skip);
        self.next_round(c, depth);
        self.bind_label(exhausted);
        self.exhausted(c, sources)
    }

    /// Takes one element from a source: a list cell's head, or the bit string itself (its pattern
    /// says how much to take). Goes to `exhausted` if there is none.
    fn next_element(
        &mut self,
        source: &Source,
        slot: Slot,
        tail: Atom,
        exhausted: Label,
    ) -> Result<Slot> {
        let tail = self.var_slot(tail);
        match source.which {
            GeneratorKind::List | GeneratorKind::Map | GeneratorKind::Value => {
                let head = self.temp();
                let a = Use::of(slot);
                self.emit(Instr::GetCons { a, head, tail, fail: exhausted });
                Ok(head)
            }
            GeneratorKind::Binary => {
                let Kind::Binary { elements } = self.m.kind(source.pattern) else {
                    return self
                        .unsupported(source.pattern, "a binary generator needs a binary pattern");
                };
                // Is there enough for one element, whatever its value?
                self.bits_skeleton(elements, slot, tail, exhausted)?;
                Ok(slot)
            }
        }
    }

    fn match_element(&mut self, source: &Source, element: Slot, skip: Label) -> Result<()> {
        let mismatch = if source.strict { self.new_label() } else { skip };
        match (source.which, self.m.kind(source.pattern)) {
            (GeneratorKind::Binary, Kind::Binary { elements }) => {
                self.bits_prefix(elements, element, mismatch)?;
            }
            (GeneratorKind::Map, Kind::MapField { key, value, .. }) => {
                let (k, v) = (self.temp(), self.temp());
                self.emit(Instr::GetElement { dst: k, a: Use::of(element), index: 0 });
                self.emit(Instr::GetElement { dst: v, a: Use::of(element), index: 1 });
                self.pattern(key, k, mismatch)?;
                self.pattern(value, v, mismatch)?;
            }
            _ => self.pattern(source.pattern, element, mismatch)?,
        }
        if source.strict {
            let matched = self.new_label();
            self.jump(matched);
            self.bind_label(mismatch);
            self.fail_with(Failure::BadMatch, element);
            self.bind_label(matched);
        }
        Ok(())
    }

    /// A source gave no element: the end, or no source at all.
    fn exhausted(&mut self, c: &Comprehension, sources: &[Source]) -> Result<()> {
        let bad = self.new_label();
        for (i, source) in sources.iter().enumerate() {
            let a = Use::of(Slot(i as u16));
            match source.which {
                GeneratorKind::List | GeneratorKind::Map | GeneratorKind::Value => {
                    self.emit(Instr::IsNil { a, fail: bad })
                }
                GeneratorKind::Binary => {
                    self.emit(Instr::TypeTest { test: TypeTest::Bitstring, a, fail: bad });
                    if source.strict {
                        self.nothing_left(Slot(i as u16));
                    }
                }
            }
        }
        let depth = c.levels.len() - 1;
        if depth > 0 && !c.accumulates() {
            self.next_round(c, depth - 1);
        } else if c.accumulates() {
            let slot = self.var_slot(Atom::new(ACCUMULATOR));
            self.emit(Instr::Return { src: Use::of(slot) });
        } else {
            let slot = self.temp();
            self.emit(Instr::LoadNil { dst: slot });
            self.emit(Instr::Return { src: Use::of(slot) });
        }
        self.bind_label(bad);
        if let Some(source) = sources.first() {
            self.at(self.place_of_value(source.source));
        }
        if sources.len() == 1 {
            self.fail_with(Failure::BadGenerator, Slot(0));
        } else {
            let at = self.temps(2);
            self.load_atom(at, Atom::new("bad_generators"));
            let parts = self.temps(sources.len());
            for i in 0..sources.len() as u16 {
                self.move_to(Slot(parts.0 + i), Slot(i));
            }
            let all = Slot(at.0 + 1);
            self.emit(Instr::Tuple { dst: all, at: parts, len: sources.len() as u16 });
            self.emit(Instr::Tuple { dst: at, at, len: 2 });
            self.fail_with(Failure::Plain, at);
        }
        Ok(())
    }

    /// A strict generator goes through all of its bits: what is left over does not match.
    fn nothing_left(&mut self, rest: Slot) {
        let (left, none) = (self.new_label(), self.new_label());
        let index = self.const_index(Term::binary(Vec::new()));
        self.emit(Instr::IsConst { a: Use::of(rest), index, fail: left });
        self.jump(none);
        self.bind_label(left);
        self.fail_with(Failure::BadMatch, rest);
        self.bind_label(none);
    }

    /// The default values of a record's fields.
    fn defaults_of(&self, name: RecordName) -> impl Iterator<Item = NodeId> {
        let record = match name {
            RecordName::Local(name) => match self.m.kind(name) {
                Kind::Atom(name) => self.records.get(&name),
                _ => None,
            },
            _ => None,
        };
        record
            .into_iter()
            .flat_map(|record| record.fields.iter().filter_map(|(_, default)| *default))
    }

    /// Whether a filter is a guard expression: then a failure in it means false.
    pub(super) fn is_guard_expr(&self, id: NodeId) -> bool {
        let m = self.m;
        let mut fine = true;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match m.kind(id) {
                Kind::Call { callee, args } => {
                    let name = match m.kind(callee) {
                        Kind::Atom(name)
                            if !self.local.contains_key(&(name, args.len))
                                && !self.imported.contains_key(&(name, args.len)) =>
                        {
                            Some(name)
                        }
                        Kind::Remote { module, name } => match (m.kind(module), m.kind(name)) {
                            (Kind::Atom(known::ERLANG), Kind::Atom(name)) => Some(name),
                            _ => None,
                        },
                        _ => None,
                    };
                    fine &=
                        name.is_some_and(|name| is_guard_function((name, args.len), ANY_RELEASE));
                    pending.extend(m.list(args));
                }
                Kind::BinaryOp { op, left, right } => {
                    use syntax::ast::BinaryOp as B;
                    fine &= !matches!(op, B::Append | B::Subtract | B::Send);
                    pending.extend([left, right]);
                }
                Kind::Atom(_)
                | Kind::Var(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Sigil { .. }
                | Kind::Nil
                | Kind::RecordIndex { .. } => {}
                Kind::UnaryOp { .. }
                | Kind::List { .. }
                | Kind::Tuple { .. }
                | Kind::Map { .. }
                | Kind::MapField { .. }
                | Kind::Binary { .. }
                | Kind::BinElement { .. } => m.for_each_child(id, |child| pending.push(child)),
                Kind::BinSpec { .. } => {}
                Kind::Record { base: None, name, fields } if self.native(name).is_none() => {
                    for &field in m.list(fields) {
                        if let Kind::RecordField { value, .. } = m.kind(field) {
                            pending.push(value);
                        }
                    }
                    pending.extend(self.defaults_of(name));
                }
                Kind::RecordAccess { base, .. } => pending.push(base),
                _ => fine = false,
            }
            if !fine {
                return false;
            }
        }
        true
    }
}
