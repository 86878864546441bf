//! What a reader takes for one character: grapheme clusters, as `string:next_grapheme/1` of OTP 25
//! finds them (Unicode 14).
//!
//! An automaton that sees one code point at a time: [`State::start`] with the first of a cluster,
//! then [`State::join`] says whether the next one still belongs to it. Two quirks of OTP are kept:
//! the signs © and ® are not pictographs, and what follows a pictograph and a joiner belongs to the
//! cluster only if it is a pictograph.

mod tables;

/// What a code point means for the ends of clusters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Other,
    Control,
    /// Marks that belong to what precedes them.
    Extend,
    Zwj,
    Prepend,
    Regional,
    Pictograph,
    /// Hangul: leading consonants, vowels, trailing consonants, and syllables of two and three.
    L,
    V,
    T,
    Lv,
    Lvt,
}

fn class(code: u32) -> Class {
    const SYLLABLES: std::ops::RangeInclusive<u32> = 0xAC00..=0xD7A3;
    const TRAILING: u32 = 28;
    if SYLLABLES.contains(&code) {
        return if (code - SYLLABLES.start()).is_multiple_of(TRAILING) {
            Class::Lv
        } else {
            Class::Lvt
        };
    }
    let found = tables::RANGES.binary_search_by(|&(first, last, _)| {
        if code < first {
            std::cmp::Ordering::Greater
        } else if code > last {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Equal
        }
    });
    found.map_or(Class::Other, |at| tables::RANGES[at].2)
}

/// Where in a cluster we are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing joins.
    Closed,
    CarriageReturn,
    /// Marks join.
    Open,
    Prepend,
    HangulL,
    HangulV,
    HangulT,
    Regional,
    Pictograph,
    /// After a pictograph and a joiner.
    Joined,
}

impl State {
    /// A cluster begins.
    pub fn start(code: u32) -> State {
        match code {
            0x0D => State::CarriageReturn,
            0x20..=0x7E | 0xA0..=0xAC | 0xAE..=0xFF => State::Open,
            _ => match class(code) {
                Class::Control => State::Closed,
                Class::Prepend => State::Prepend,
                Class::Regional => State::Regional,
                Class::Pictograph => State::Pictograph,
                Class::L => State::HangulL,
                Class::V | Class::Lv => State::HangulV,
                Class::T | Class::Lvt => State::HangulT,
                Class::Extend | Class::Zwj | Class::Other => State::Open,
            },
        }
    }

    /// The state after `code`, if it belongs to the cluster.
    pub fn join(self, code: u32) -> Option<State> {
        if code < 0x100 && self != State::CarriageReturn && self != State::Prepend {
            return None;
        }
        let class = class(code);
        let extends = matches!(class, Class::Extend | Class::Zwj);
        match (self, class) {
            (State::CarriageReturn, _) => (code == 0x0A).then_some(State::Closed),
            (State::Prepend, Class::Control) => None,
            (State::Prepend, _) => Some(State::start(code)),
            (State::HangulL, Class::L) => Some(State::HangulL),
            (State::HangulL, Class::V | Class::Lv) | (State::HangulV, Class::V) => {
                Some(State::HangulV)
            }
            (State::HangulL, Class::Lvt) | (State::HangulV | State::HangulT, Class::T) => {
                Some(State::HangulT)
            }
            (State::Regional, Class::Regional) => Some(State::Open),
            (State::Pictograph, Class::Zwj) => Some(State::Joined),
            (State::Pictograph, Class::Extend) | (State::Joined, Class::Pictograph) => {
                Some(State::Pictograph)
            }
            (State::Closed | State::Joined, _) => None,
            _ => extends.then_some(State::Open),
        }
    }
}

/// How many clusters a text has.
pub fn count(text: impl IntoIterator<Item = u32>) -> usize {
    let mut clusters = 0;
    let mut state: Option<State> = None;
    for code in text {
        state = Some(match state.and_then(|state| state.join(code)) {
            Some(state) => state,
            None => {
                clusters += 1;
                State::start(code)
            }
        });
    }
    clusters
}

/// How many code points the first `clusters` clusters have.
pub fn prefix_len(text: impl IntoIterator<Item = u32>, clusters: usize) -> usize {
    let mut left = clusters;
    let mut state: Option<State> = None;
    let mut len = 0;
    for code in text {
        state = Some(match state.and_then(|state| state.join(code)) {
            Some(state) => state,
            None if left == 0 => break,
            None => {
                left -= 1;
                State::start(code)
            }
        });
        len += 1;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[usize]) {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let mut lengths = Vec::new();
        let mut rest = codes.as_slice();
        while !rest.is_empty() {
            let len = prefix_len(rest.iter().copied(), 1);
            lengths.push(len);
            rest = &rest[len..];
        }
        assert_eq!(lengths, expected, "{text:?}");
        assert_eq!(count(codes), expected.len());
    }

    #[test]
    fn clusters() {
        check("", &[]);
        check("a\r\nb\n", &[1, 2, 1, 1]);
        check("e\u{301}\u{302}x", &[3, 1]);
        check("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}!", &[5, 1]);
        check("\u{1F1E9}\u{1F1EA}\u{1F1EB}", &[2, 1]);
        check("\u{1100}\u{1161}\u{11A8}\u{AC00}\u{11A8}", &[3, 2]);
        check("\u{0915}\u{094D}\u{0937}", &[2, 1]);
        check("\u{600}a\u{301}", &[3]);
        check("\u{231A}\u{200D}\u{300}", &[2, 1]);
    }
}
