//! States that wait for their turn, by number: round and round from the largest to the smallest, or
//! the other way.
//!
//! A front end numbers what depends on something behind it, mostly, so going against the
//! dependences a state has its turn when those before it on the ways to it had theirs, unless there
//! is a cycle. In the order in which they come, states have three to five times as many turns.

use std::marker::PhantomData;

use ids::Id;

/// Ids that wait, as bits.
#[derive(Clone, Debug)]
pub(crate) struct Queue<I> {
    words: Vec<u64>,
    count: usize,
    /// The word to go on with.
    at: usize,
    is_rising: bool,
    ids: PhantomData<fn(I) -> I>,
}

impl<I> Default for Queue<I> {
    fn default() -> Queue<I> {
        Queue { words: Vec::new(), count: 0, at: 0, is_rising: false, ids: PhantomData }
    }
}

impl<I: Id> Queue<I> {
    pub(crate) fn reset(&mut self, numbers: usize, is_rising: bool) {
        self.words.clear();
        self.words.resize(numbers.div_ceil(64), 0);
        self.count = 0;
        self.is_rising = is_rising;
        self.at = if is_rising { 0 } else { self.words.len().saturating_sub(1) };
    }

    /// Becomes the same as another one, and does not give up its memory.
    pub(crate) fn copy_from(&mut self, other: &Queue<I>) {
        self.words.clone_from(&other.words);
        (self.count, self.at, self.is_rising) = (other.count, other.at, other.is_rising);
    }

    pub(crate) fn push(&mut self, id: I) {
        let (word, bit) = (id.index() / 64, id.index() % 64);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << bit;
        self.count += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    pub(crate) fn pop(&mut self) -> Option<I> {
        if self.count == 0 {
            return None;
        }
        loop {
            let word = self.words[self.at];
            if word != 0 {
                let bit =
                    if self.is_rising { word.trailing_zeros() } else { 63 - word.leading_zeros() };
                self.words[self.at] &= !(1 << bit);
                self.count -= 1;
                return Some(I::new(self.at * 64 + bit as usize));
            }
            self.at = match (self.is_rising, self.at) {
                (true, at) => (at + 1) % self.words.len(),
                (false, 0) => self.words.len() - 1,
                (false, at) => at - 1,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use crate::Node;

    #[test]
    fn goes_round() {
        let mut queue: Queue<Node> = Queue::default();
        queue.reset(100, false);
        [5, 70, 5, 130].into_iter().for_each(|number| queue.push(Node::new(number)));
        assert_eq!(queue.pop(), Some(Node::new(70)));
        queue.push(Node::new(80));
        let rest: Vec<usize> = std::iter::from_fn(|| queue.pop()).map(Node::index).collect();
        assert_eq!(rest, [80, 5, 130]);
    }
}
