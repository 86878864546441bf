//! Things by id, those of one id side by side: where they begin, and all of them in one array.

use std::marker::PhantomData;

use ids::Id;

/// A row of things for each id of a table.
#[derive(Clone, Debug)]
pub struct Rows<I, T> {
    /// By id, and one more: where its row begins.
    starts: Vec<u32>,
    all: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I, T> Default for Rows<I, T> {
    fn default() -> Rows<I, T> {
        Rows { starts: Vec::new(), all: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T: Copy> Rows<I, T> {
    /// Rows for so many ids, by counting; the things of one id stay in their order.
    pub fn new(count: usize, all: impl Iterator<Item = (I, T)> + Clone) -> Rows<I, T> {
        let mut starts = vec![0u32; count + 1];
        for (id, _) in all.clone() {
            starts[id.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut ordered = Vec::new();
        if let Some((_, first)) = all.clone().next() {
            let mut next = starts.clone();
            ordered.resize(starts[count] as usize, first);
            for (id, thing) in all {
                ordered[next[id.index()] as usize] = thing;
                next[id.index()] += 1;
            }
        }
        Rows { starts, all: ordered, ids: PhantomData }
    }

    #[inline]
    pub fn of(&self, id: I) -> &[T] {
        &self.all[self.starts[id.index()] as usize..self.starts[id.index() + 1] as usize]
    }

    /// The same; nothing for ids that the table does not have.
    pub fn get(&self, id: I) -> &[T] {
        if id.index() + 1 < self.starts.len() { self.of(id) } else { &[] }
    }

    /// How many things there are in all rows.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.all.iter_mut()
    }

    /// Keeps one of things that are the same and follow each other in a row.
    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        self.squeeze(|_| {});
    }

    /// Orders each row, and keeps one of those that are the same.
    pub fn order(&mut self)
    where
        T: Ord,
    {
        self.squeeze(<[T]>::sort_unstable);
    }

    fn squeeze(&mut self, prepare: impl Fn(&mut [T]))
    where
        T: PartialEq,
    {
        let Rows { starts, all, .. } = self;
        let mut kept = 0;
        for row in 0..starts.len().saturating_sub(1) {
            let range = starts[row] as usize..starts[row + 1] as usize;
            prepare(&mut all[range.clone()]);
            let first = kept;
            for index in range {
                if kept == first || all[kept - 1] != all[index] {
                    all[kept] = all[index];
                    kept += 1;
                }
            }
            starts[row] = first as u32;
        }
        if let Some(last) = starts.last_mut() {
            *last = kept as u32;
        }
        all.truncate(kept);
    }
}
