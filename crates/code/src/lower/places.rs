//! Where OTP says that something fails, which stack traces show, if that is not where it is
//! written.

use syntax::ast::{ComprehensionKind, Kind, NodeId, NodeList, RecordName};

use super::Lowerer;

impl Lowerer<'_> {
    /// Where OTP says that a value cannot be run over: of a block, that is its last expression, and
    /// so on.
    pub(super) fn place_of_value(&self, source: NodeId) -> NodeId {
        let m = self.m;
        let mut place = source;
        loop {
            place = match m.kind(place) {
                Kind::Block { body } => match m.list(body).last() {
                    Some(&last) => last,
                    None => return place,
                },
                Kind::Match { value, .. } => value,
                Kind::RecordAccess { base, .. } => return self.leftmost(base),
                Kind::Record { base: Some(base), name, fields } => {
                    return self.place_of_update(base, name, fields);
                }
                Kind::Comprehension { which, qualifiers, .. } => {
                    let &first = m.list(qualifiers).first().unwrap_or(&place);
                    let is_generator = matches!(m.kind(first), Kind::Generator { .. });
                    let own = is_generator && which == ComprehensionKind::Binary;
                    return if own { place } else { first };
                }
                _ => return place,
            };
        }
    }

    /// Where OTP says that what is updated is no such record: if few fields change, at the first of
    /// them.
    pub(super) fn place_of_update(
        &self,
        base: NodeId,
        name: RecordName,
        fields: NodeList,
    ) -> NodeId {
        let given = self.m.list(fields);
        let all = self.record(base, name).map_or(0, |(_, definition)| definition.len());
        match given.first() {
            Some(&first) if 2 * given.len() <= all => first,
            _ => base,
        }
    }

    /// The part of an expression with which its text begins: where OTP says that it is no record.
    pub(super) fn leftmost(&self, mut id: NodeId) -> NodeId {
        loop {
            id = match self.m.kind(id) {
                Kind::BinaryOp { left, .. } => left,
                Kind::Match { pattern, .. } => pattern,
                Kind::Call { callee, .. } => callee,
                Kind::Remote { module, .. } => module,
                Kind::RecordAccess { base, .. }
                | Kind::Record { base: Some(base), .. }
                | Kind::Map { base: Some(base), .. } => base,
                _ => return id,
            };
        }
    }
}
