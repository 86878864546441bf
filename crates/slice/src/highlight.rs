//! The original text with what is in the slice told apart from what is not.

use std::ops::Range;

use atom::Atom;
use syntax::ast::Kind;
use syntax::source::FileId;

use crate::slice::Slice;

impl Slice<'_> {
    /// The ranges of a module's text that are in the slice, in order: the tokens of the expressions
    /// and patterns that are kept, and all forms that are no functions.
    pub fn ranges(&self, module: Atom) -> Option<Vec<Range<usize>>> {
        let modules = &self.graph.flow.modules;
        let module = modules.position(|known| known.name == module)?;
        let tree = &modules[module].tree;
        let kept = self.kept(module);
        // The innermost node of each token: children have smaller numbers than their parents.
        const NOBODY: u32 = u32::MAX;
        let mut owners = vec![NOBODY; tree.tokens.len()];
        let mut is_function = vec![false; tree.tokens.len()];
        for &form in &tree.forms {
            if !matches!(tree.kind(form), Kind::Function { .. }) {
                continue;
            }
            let mut below = Vec::new();
            tree.for_each_below(form, |node| below.push(node));
            below.sort_unstable();
            for node in below {
                for token in tree[node].first.0..=tree[node].last.0 {
                    let owner = &mut owners[token as usize];
                    if *owner == NOBODY {
                        *owner = node.0;
                    }
                    is_function[token as usize] = true;
                }
            }
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for index in 0..tree.tokens.len() {
            let owner = owners[index];
            let is_in = match owner {
                NOBODY => !is_function[index],
                node => kept.get(node as usize).copied().unwrap_or(false),
            };
            let span = tree.written(syntax::token::TokenId(index as u32));
            if is_in && span.file == FileId::MAIN {
                ranges.push(span.start as usize..span.end as usize);
            }
        }
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        Some(joined)
    }

    /// The modules of which some function is in the slice.
    pub fn modules(&self) -> Vec<Atom> {
        let modules = self.graph.flow.modules.enumerate();
        let with_code = modules.filter(|(id, _)| self.kept(*id).contains(&true));
        with_code.map(|(_, module)| module.name).collect()
    }
}
