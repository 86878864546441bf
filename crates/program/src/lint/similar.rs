//! Suggestions for names that were probably misspelt.
//!
//! Distance of Damerau and Levenshtein restricted to adjacent swaps, on characters. A name is
//! suggested if at most a third of its characters (and at least one) differ.

use atom::Atom;

/// The candidate nearest to `name`; of several as near, the first in alphabetical order.
pub fn nearest(name: Atom, candidates: impl IntoIterator<Item = Atom>) -> Option<Atom> {
    let wanted: Vec<char> = name.as_str().chars().collect();
    let limit = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .filter(|&candidate| candidate != name)
        .filter_map(|candidate| {
            let text: Vec<char> = candidate.as_str().chars().collect();
            if text.len().abs_diff(wanted.len()) > limit {
                return None;
            }
            let distance = distance(&wanted, &text);
            // With one letter, everything is one letter away.
            (distance <= limit && distance < wanted.len()).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(previous[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let nearest = |name: &str, candidates: &[&str]| {
            nearest(Atom::new(name), candidates.iter().map(|c| Atom::new(c))).map(|a| a.to_string())
        };
        assert_eq!(nearest("lenght", &["length", "size"]), Some("length".into()));
        assert_eq!(nearest("X", &["Y", "Z"]), None);
        assert_eq!(nearest("Statte", &["State", "Stat"]), Some("State".into()));
        assert_eq!(nearest("foo", &["bar"]), None);
    }
}
