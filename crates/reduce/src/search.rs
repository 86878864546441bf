//! In which order parts are tried: hierarchical delta debugging.
//!
//! All that may go is tried from the largest to the smallest, so parents come before their parts
//! (Misherghi and Su 2006), in passes, until a pass changes nothing: then every single change of
//! the text that is left was judged and refused. Where several in a row could go, more and more are
//! tried at once, as delta debugging does (Zeller and Hildebrandt 2002); where one may not, they
//! are tried one by one again. A text that was refused once is not judged again.
//!
//! The judge gets several changes at a time, each of which it may look at in a thread of its own,
//! and says which is the first that it accepts: so the result does not depend on threads.
//!
//! Cost: the judge's; a pass judges each part once.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use atom::Atom;
use rustc_hash::{FxHashSet, FxHasher};
use syntax::ast::Module;

use crate::edit::Edit;

/// A module of the program that is made small.
#[derive(Clone, Debug)]
pub struct Text {
    pub name: Atom,
    pub text: String,
    pub tree: Arc<Module>,
    /// Stretches that must stay, in bytes; what is in them may change.
    pub kept: Vec<(u32, u32)>,
}

/// Who says what may go.
pub trait Judge {
    /// A text as a tree; `None` if OTP's compiler would reject it.
    fn read(&self, module: usize, text: &str) -> Option<Arc<Module>>;

    /// The first of some changes, each of which is made alone, after which the program is as it is
    /// wanted.
    fn first(&mut self, texts: &[Text], edits: &[Edit]) -> Option<usize>;

    /// Whether the work is to end.
    fn is_over(&self) -> bool;

    /// How many changes are given at a time at most.
    fn at_once(&self) -> usize;
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    pub texts: Vec<Text>,
    /// Whether every single change was refused.
    pub is_minimal: bool,
    /// How many passes there were.
    pub passes: usize,
}

/// How far it goes.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// Whether pairs are tried when no single part can go.
    pub pairs: bool,
}

/// Makes the changes that the judge accepts, until there are no more.
pub fn search(
    texts: Vec<Text>,
    judge: &mut dyn Judge,
    options: Options,
    changes: &dyn Fn(&Text, usize) -> Vec<Edit>,
) -> Found {
    let refused = FxHashSet::default();
    let mut search = Search { texts, judge, changes, refused, accepted: 0 };
    let mut passes = 0;
    let is_minimal = loop {
        passes += 1;
        let before = search.accepted;
        if !search.pass() {
            break false;
        }
        if search.accepted > before {
            continue;
        }
        if !options.pairs {
            break true;
        }
        match search.pairs() {
            Some(true) => {}
            Some(false) => break true,
            None => break false,
        }
    };
    Found { texts: search.texts, is_minimal, passes }
}

struct Search<'a> {
    texts: Vec<Text>,
    judge: &'a mut dyn Judge,
    changes: &'a dyn Fn(&Text, usize) -> Vec<Edit>,
    /// Hashes of programs that were judged.
    refused: FxHashSet<u64>,
    accepted: usize,
}

/// At most so many are tried at once where several in a row could go.
const MOST_TOGETHER: usize = 64;

impl Search<'_> {
    fn all(&self) -> VecDeque<Edit> {
        let texts = self.texts.iter().enumerate();
        let found = texts.flat_map(|(module, text)| (self.changes)(text, module)).collect();
        crate::deletions::ordered(found).into()
    }

    /// Tries all changes of the text as it is, and of what is left of it; whether it came to its
    /// end.
    fn pass(&mut self) -> bool {
        let mut queue = self.all();
        let (mut in_a_row, mut at_once) = (0u32, 1);
        while !queue.is_empty() {
            if self.judge.is_over() {
                return false;
            }
            if in_a_row >= 2 {
                let count = (1usize << in_a_row.min(8)).min(MOST_TOGETHER);
                if self.together(&mut queue, count) {
                    in_a_row += 1;
                } else {
                    in_a_row = 0;
                }
                continue;
            }
            let mut batch = Vec::new();
            while batch.len() < at_once
                && let Some(edit) = queue.pop_front()
            {
                if !self.refused.contains(&self.hash_after(&edit)) {
                    batch.push(edit);
                }
            }
            let Some(found) = self.judge.first(&self.texts, &batch) else {
                if self.judge.is_over() {
                    return false;
                }
                batch.iter().for_each(|edit| self.note(edit));
                (in_a_row, at_once) = (0, (at_once * 2).min(self.judge.at_once().max(1)));
                continue;
            };
            batch[..found].iter().for_each(|edit| self.note(edit));
            batch.drain(found + 1..).rev().for_each(|edit| queue.push_front(edit));
            let edit = &batch[found];
            in_a_row = if found == 0 { in_a_row + 1 } else { 1 };
            if self.make(edit) {
                queue = queue.iter().filter_map(|other| other.after(edit)).collect();
            }
            at_once = (at_once / 2).max(1);
        }
        true
    }

    /// Tries the next few at once; those that cannot be made with the others wait.
    fn together(&mut self, queue: &mut VecDeque<Edit>, count: usize) -> bool {
        let mut rest: VecDeque<Edit> = queue.iter().skip(count).cloned().collect();
        let next: Vec<Edit> = queue.iter().take(count).cloned().collect();
        let Some(first) = next.first() else { return false };
        let mut all = first.clone();
        let mut alone = Vec::new();
        for edit in &next[1..] {
            match all.with(edit) {
                Some(both) => all = both,
                None => alone.push(edit.clone()),
            }
        }
        if all == *first || self.refused.contains(&self.hash_after(&all)) {
            return false;
        }
        if self.judge.first(&self.texts, std::slice::from_ref(&all)).is_none() {
            self.note(&all);
            return false;
        }
        if !self.make(&all) {
            return false;
        }
        alone.into_iter().rev().for_each(|edit| rest.push_front(edit));
        *queue = rest.iter().filter_map(|other| other.after(&all)).collect();
        true
    }

    /// Tries two at a time: whether some could go; `None` if the work was ended.
    fn pairs(&mut self) -> Option<bool> {
        let edits: Vec<Edit> = self.all().into();
        let mut batch = Vec::new();
        for (place, one) in edits.iter().enumerate() {
            for other in &edits[place + 1..] {
                batch.extend(one.with(other));
                if batch.len() < self.judge.at_once() {
                    continue;
                }
                if let Some(found) = self.judge.first(&self.texts, &batch) {
                    return Some(self.make(&batch[found]));
                }
                if self.judge.is_over() {
                    return None;
                }
                batch.clear();
            }
        }
        match self.judge.first(&self.texts, &batch) {
            Some(found) => Some(self.make(&batch[found])),
            None if self.judge.is_over() => None,
            None => Some(false),
        }
    }

    /// Makes a change for good.
    fn make(&mut self, edit: &Edit) -> bool {
        let text = &self.texts[edit.module];
        let changed = edit.apply(&text.text);
        let Some(tree) = self.judge.read(edit.module, &changed) else { return false };
        let kept = text.kept.iter().filter_map(|&(from, to)| edit.moved_range(from, to)).collect();
        self.texts[edit.module] = Text { name: text.name, text: changed, tree, kept };
        self.accepted += 1;
        true
    }

    fn note(&mut self, edit: &Edit) {
        let hash = self.hash_after(edit);
        self.refused.insert(hash);
    }

    /// The program after a change, as a number.
    fn hash_after(&self, edit: &Edit) -> u64 {
        let mut hasher = FxHasher::default();
        for (module, text) in self.texts.iter().enumerate() {
            match module == edit.module {
                true => edit.apply(&text.text).hash(&mut hasher),
                false => text.text.hash(&mut hasher),
            }
        }
        hasher.finish()
    }
}
