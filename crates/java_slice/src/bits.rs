//! Sets of small numbers as words of 64 bits.
//!
//! Cost: a word for each 64 numbers up to the largest one in the set.

/// A set of numbers. Its last word is never empty, so that equal sets are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many words it takes.
    pub(crate) fn words(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether the number is new.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        let word = &mut self.0[number / 64];
        let before = *word;
        *word |= 1 << (number % 64);
        *word != before
    }

    /// Adds all of another set, and to a third what of that is new; whether anything is.
    pub(crate) fn join(&mut self, other: &Bits, news: &mut Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (index, (word, &other)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let new = other & !*word;
            if new != 0 {
                changed = true;
                *word |= new;
                if news.0.len() <= index {
                    news.0.resize(index + 1, 0);
                }
                news.0[index] |= new;
            }
        }
        changed
    }

    /// Adds all of another set; whether anything of that is new.
    pub(crate) fn add(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            changed |= other & !*word != 0;
            *word |= other;
        }
        changed
    }

    /// What of it is not in another set.
    pub(crate) fn without(&self, other: &Bits) -> Bits {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        let mut words: Vec<u64> = self.0.iter().zip(others).map(|(&one, two)| one & !two).collect();
        let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        words.truncate(used);
        Bits(words)
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let rests =
                std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
            let rests = rests.take_while(|&rest| rest != 0);
            rests.map(move |rest| index * 64 + rest.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Bits;

    fn bits(numbers: &BTreeSet<usize>) -> Bits {
        let mut bits = Bits::default();
        for &number in numbers {
            assert!(!bits.has(number));
            assert!(bits.insert(number));
            assert!(bits.has(number));
        }
        bits
    }

    #[test]
    fn as_sets_of_numbers() {
        let sets = [vec![], vec![0], vec![63, 64], vec![1, 64, 200], vec![0, 1, 63, 200, 900]];
        let sets = sets.map(|set| set.into_iter().collect::<BTreeSet<usize>>());
        for one in &sets {
            for two in &sets {
                let mut joined = bits(one);
                let mut news = Bits::default();
                let less: BTreeSet<usize> = two.difference(one).copied().collect();
                assert_eq!(joined.join(&bits(two), &mut news), !less.is_empty());
                assert_eq!(news, bits(&less));
                assert_eq!(news.iter().collect::<BTreeSet<_>>(), less);
                assert_eq!(joined, bits(&one.union(two).copied().collect()));
                assert_eq!(bits(two).without(&bits(one)), bits(&less));
            }
        }
    }
}
