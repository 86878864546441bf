//! Why a type is wider than dialyzer's: by what it holds that the other does not.

use types::Type;

/// What one type has beside another, told by the kinds of its terms.
pub(super) fn beside(ours: &Type, theirs: &Type) -> Option<&'static str> {
    if ours.is_within(theirs) {
        return None;
    }
    if ours.opened().is_any() {
        return Some("any()");
    }
    let lists = Type::nil().join(&Type::cell(&Type::Any, &Type::Any));
    let kinds = [
        ("references: dialyzer does not know that they can be sent to", Type::reference()),
        ("numbers", Type::number()),
        ("lists, or their ends", lists.clone()),
        ("tuples, or their elements", Type::any_tuple()),
        ("atoms", Type::atom()),
        ("funs", Type::any_fun()),
        ("maps", Type::any_map()),
        ("bit strings", Type::bitstring()),
        ("lists and tuples", lists.join(&Type::any_tuple())),
    ];
    let found = kinds.iter().find(|(_, kind)| ours.is_within(&theirs.join(kind)));
    Some(found.map_or("several kinds", |(text, _)| text))
}
