//! A persistent array: a copy shares everything, and a change copies the nodes on the way to it
//! that are shared.
//!
//! A tree in which every node has [`WIDTH`] parts; which part an index is in, its digits say, the
//! highest first. Parts in which nothing was ever changed are not there. Nodes are small: an
//! explorer copies the tables of a node at every state to which it may come back, so that most
//! changes are the first after a copy.
//!
//! Cost: reading walks a node for each four bits of the largest index; a change after a copy copies
//! as many nodes.

use std::rc::Rc;

/// Bits of a digit.
const BITS: u32 = 4;

/// How many parts a node has.
const WIDTH: usize = 1 << BITS;

#[derive(Clone, Debug)]
pub(super) struct Trie<T> {
    root: Link<T>,
    /// Levels of nodes.
    height: u32,
}

type Link<T> = Option<Rc<Node<T>>>;

#[derive(Clone, Debug)]
enum Node<T> {
    Items([T; WIDTH]),
    Nodes([Link<T>; WIDTH]),
}

impl<T> Default for Trie<T> {
    fn default() -> Trie<T> {
        Trie { root: None, height: 1 }
    }
}

/// The digit of an index that says which part of a node on this level it is in.
fn digit(index: usize, level: u32) -> usize {
    index >> (BITS * level) & (WIDTH - 1)
}

impl<T: Clone + Default> Trie<T> {
    fn has_room_for(&self, index: usize) -> bool {
        BITS * self.height >= usize::BITS || index >> (BITS * self.height) == 0
    }

    /// What is at an index; nothing if that was never changed.
    pub(super) fn get(&self, index: usize) -> Option<&T> {
        if !self.has_room_for(index) {
            return None;
        }
        let (mut node, mut level) = (self.root.as_ref()?, self.height);
        loop {
            level -= 1;
            match &**node {
                Node::Items(items) => return items.get(digit(index, 0)),
                Node::Nodes(nodes) => node = nodes[digit(index, level)].as_ref()?,
            }
        }
    }

    /// What is at an index, to be changed.
    pub(super) fn get_mut(&mut self, index: usize) -> &mut T {
        while !self.has_room_for(index) {
            if let Some(root) = self.root.take() {
                let mut nodes: [Link<T>; WIDTH] = Default::default();
                nodes[0] = Some(root);
                self.root = Some(Rc::new(Node::Nodes(nodes)));
            }
            self.height += 1;
        }
        let (mut link, mut level) = (&mut self.root, self.height);
        loop {
            level -= 1;
            let node = link.get_or_insert_with(|| {
                Rc::new(match level {
                    0 => Node::Items(Default::default()),
                    _ => Node::Nodes(Default::default()),
                })
            });
            match Rc::make_mut(node) {
                Node::Items(items) => return &mut items[digit(index, 0)],
                Node::Nodes(nodes) => link = &mut nodes[digit(index, level)],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Trie;

    /// The same changes of a trie and of a map, with copies in between that stay as they were.
    #[test]
    fn like_a_map() {
        let mut seed: u64 = 7;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut trie, mut map) = (Trie::<u64>::default(), BTreeMap::new());
        let mut copies = Vec::new();
        for step in 0..4_000 {
            let below = [20, 300, 5_000, 70_000][step / 1_000];
            let (index, value) = (random(below) as usize, random(1_000) + 1);
            *trie.get_mut(index) = value;
            map.insert(index, value);
            if step % 500 == 0 {
                copies.push((trie.clone(), map.clone()));
            }
        }
        copies.push((trie, map));
        for (trie, map) in copies {
            for index in 0..70_001 {
                let there = trie.get(index).copied().filter(|value| *value != 0);
                assert_eq!(there, map.get(&index).copied(), "at {index}");
            }
        }
    }
}
