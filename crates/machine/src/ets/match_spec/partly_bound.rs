//! Keys of which a specification knows only the beginning, such as `{a, '_'}`.
//!
//! Terms are ordered from the left: tuples of one size by their elements, lists by head and tail.
//! So the keys that agree with a pattern up to its first variable are neighbours in an ordered
//! table, and a search looks only there. A map in a head matches larger maps, too, which are
//! elsewhere in the order: it counts as a variable.

use std::cmp::Ordering;

use term::{Term, View, order};

use super::{is_any, variable};

/// How the keys that a pattern may match compare with a key: equal, if it may be one of them.
///
/// Takes the time of what is compared, and does not recurse over the depth of a term.
pub(crate) fn compare(pattern: &Term, key: &Term) -> Ordering {
    let mut pending = vec![(pattern, key)];
    while let Some((pattern, key)) = pending.pop() {
        match (pattern.view(), key.view()) {
            (View::Atom(_), _) if is_any(pattern) || variable(pattern).is_some() => break,
            (View::Map(_), _) => break,
            (View::Tuple(patterns), View::Tuple(elements)) if patterns.len() == elements.len() => {
                pending.extend(patterns.iter().zip(elements).rev());
            }
            (View::Cons(pattern), View::Cons(key)) => {
                pending.extend([(&pattern.tail, &key.tail), (&pattern.head, &key.head)]);
            }
            _ => {
                let ordering = order::compare(pattern, key);
                if ordering.is_ne() {
                    return ordering;
                }
            }
        }
    }
    Ordering::Equal
}
