//! Maps: made, and changed.

use syntax::ast::{Kind, NodeId};
use term::Term;
use term::order::{compare_exact, exact_eq};

use super::expr::Want;
use super::{Lowerer, Result};
use crate::instr::{Failure, Instr, RAISE, Slot, TypeTest, Use};

impl Lowerer<'_> {
    pub(super) fn map(&mut self, base: Option<NodeId>, fields: &[NodeId], dst: Slot) -> Result<()> {
        let mark = self.mark();
        let fail = self.on_failure();
        match base {
            None => {
                let at = self.temps(fields.len() * 2);
                for (i, &field) in fields.iter().enumerate() {
                    let Kind::MapField { key, value, .. } = self.m.kind(field) else { continue };
                    self.eval(key, Want::Value(Slot(at.0 + 2 * i as u16)))?;
                    self.eval(value, Want::Value(Slot(at.0 + 2 * i as u16 + 1)))?;
                }
                for (i, &field) in fields.iter().enumerate() {
                    if let Kind::MapField { key, .. } = self.m.kind(field) {
                        self.show(key, Slot(at.0 + 2 * i as u16));
                    }
                }
                self.emit(Instr::MapNew { dst, at, len: fields.len() as u16 });
            }
            Some(base) => {
                let map = self.temp();
                self.eval(base, Want::Value(map))?;
                let mut pairs = Vec::new();
                let mut keys = Vec::new();
                for &field in fields {
                    let Kind::MapField { exact, key, value } = self.m.kind(field) else { continue };
                    let literal = self.constant(key);
                    let slot = self.operand(key)?;
                    keys.push((key, slot));
                    pairs.push((literal, exact, slot, self.operand(value)?));
                }
                self.show(base, map);
                for (key, slot) in keys {
                    self.show(key, slot);
                }
                let pairs = in_order_of_update(pairs);
                if pairs.is_empty() {
                    // `M#{}` still insists on a map.
                    let (bad, fine) = (self.new_label(), self.new_label());
                    let otherwise = if fail == RAISE { bad } else { fail };
                    self.emit(Instr::TypeTest {
                        test: TypeTest::Map,
                        a: Use::of(map),
                        fail: otherwise,
                    });
                    self.jump(fine);
                    self.bind_label(bad);
                    self.fail_with(Failure::BadMap, map);
                    self.bind_label(fine);
                }
                for (exact, key, value) in pairs {
                    let (used, key, value) = (Use::of(map), Use::of(key), Use::of(value));
                    self.emit(if exact {
                        Instr::MapUpdate { dst: map, map: used, key, value, fail }
                    } else {
                        Instr::MapPut { dst: map, map: used, key, value, fail }
                    });
                }
                self.move_to(dst, map);
            }
        }
        self.release(mark);
        Ok(())
    }
}

/// A field of a map update: its key if that is a constant, whether the key must be there, and the
/// slots of key and value.
type Update = (Option<Term>, bool, Slot, Slot);

/// The fields of a map update in the order in which OTP performs them, which shows in the key that
/// is said to be missing: of neighbouring constant keys, those that need not be there come first,
/// then the others sorted; of several fields for one key the last value counts.
fn in_order_of_update(fields: Vec<Update>) -> Vec<(bool, Slot, Slot)> {
    let mut ordered = Vec::new();
    let mut group: Vec<(Term, bool, Slot, Slot)> = Vec::new();
    let flush = |group: &mut Vec<(Term, bool, Slot, Slot)>, ordered: &mut Vec<_>| {
        group.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| compare_exact(&a.0, &b.0)));
        ordered.extend(group.drain(..).map(|(_, exact, key, value)| (exact, key, value)));
    };
    for (literal, exact, key, value) in fields {
        let Some(literal) = literal else {
            flush(&mut group, &mut ordered);
            ordered.push((exact, key, value));
            continue;
        };
        match group.iter_mut().find(|field| exact_eq(&field.0, &literal)) {
            Some(field) => field.3 = value,
            None => group.push((literal, exact, key, value)),
        }
    }
    flush(&mut group, &mut ordered);
    ordered
}
