//! Clauses, and the constructs and functions made of them.
//!
//! A clause is printed if it or something in it is in the slice. Those that are left out are
//! replaced by one at the end that takes whatever they took and gives `sliced` (`_ -> sliced`,
//! `true -> sliced`, for functions one with variables for arguments), so that nothing fails in the
//! slice that did not fail in the program; where the last that is kept takes everything nothing is
//! added. A `receive` keeps all of its clauses: one that takes everything would take messages that
//! are to wait. Patterns and guards of a kept clause are printed as far as its test is in the
//! slice, a body as its statements that are.
//!
//! Texts are cut at the tokens between clauses (`;`, `->`, `when`), so that comments and layout
//! stay with what they belong to. Cost: as in [`super::expressions`].

use syntax::ast::{Kind, NodeId, NodeList, ReceiveAfter};
use syntax::token::TokenKind;

use super::expressions::Left;
use super::items::Item;
use super::{Change, MARKER, Printer};
use crate::erlang::match_everything;

/// How a clause is printed that stands for those that are left out.
enum Otherwise {
    /// Nothing stands for them.
    Never,
    Text(String),
}

impl Printer<'_> {
    /// `case` and `if`.
    pub(crate) fn case(
        &mut self,
        node: NodeId,
        subject: Option<NodeId>,
        clauses: NodeList,
    ) -> String {
        let otherwise = if subject.is_some() { "_ -> sliced" } else { "true -> sliced" };
        let changes: Vec<Change> = subject
            .map(|subject| (self.start(subject), self.end(subject), self.operand(subject)))
            .into_iter()
            .collect();
        self.keep(node);
        let (from, to) = self.extent(clauses);
        let head = self.replaced(self.start(node), from, changes);
        let text = self.clauses(clauses, Otherwise::Text(otherwise.to_string()), false);
        [head.as_str(), &text, self.slice_of(to, self.end(node))].concat()
    }

    /// From the start of the first clause to the end of the last one.
    fn extent(&self, clauses: NodeList) -> (usize, usize) {
        let list = self.tree.list(clauses);
        match (list.first(), list.last()) {
            (Some(&first), Some(&last)) => (self.start(first), self.clause_end(last)),
            _ => (0, 0),
        }
    }

    /// A clause ends with its body, parentheses around that included.
    fn clause_end(&self, clause: NodeId) -> usize {
        let last = &self.tree.tokens[self.tree[clause].last.0 as usize];
        // One that a macro made is elsewhere, perhaps in another file.
        let written = if last.is_plain() { last.span.end as usize } else { 0 };
        written.max(self.end(clause))
    }

    /// Clauses with semicolons between them.
    fn clauses(&mut self, clauses: NodeList, otherwise: Otherwise, all: bool) -> String {
        let list = self.tree.list(clauses);
        let mut items = Vec::new();
        let mut is_left_out = false;
        let mut last_kept = None;
        for &clause in list {
            let is_in = all || self.has(clause);
            is_left_out |= !is_in && !self.nodes.unreachable.contains(&clause);
            let text = is_in.then(|| self.clause(clause));
            if is_in {
                last_kept = Some(clause);
            }
            items.push(Item { start: self.start(clause), end: self.clause_end(clause), text });
        }
        let (start, end) = self.extent(clauses);
        let mut out = self.items(start, &items, end);
        let Otherwise::Text(otherwise) = otherwise else { return out };
        match last_kept {
            None => otherwise,
            Some(last) if is_left_out && !self.is_always_chosen(last) => {
                let column = self.indentation(self.start(last));
                match column {
                    Some(column) => out.push_str(&format!(";\n{column}{otherwise}")),
                    None => out.push_str(&format!("; {otherwise}")),
                }
                out
            }
            Some(_) => out,
        }
    }

    /// What is before a place on its line, if it is white space only.
    pub(crate) fn indentation(&self, at: usize) -> Option<&str> {
        let before = self.slice_of(0, at);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let before = &before[line..];
        before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
    }

    fn is_always_chosen(&self, clause: NodeId) -> bool {
        let Kind::Clause { patterns, guards, .. } = self.tree.kind(clause) else { return false };
        guards.is_empty()
            && !patterns.is_empty()
            && match_everything(self.tree, self.bindings, patterns)
    }

    fn clause(&mut self, clause: NodeId) -> String {
        let tree = self.tree;
        let Kind::Clause { patterns, guards, body } = tree.kind(clause) else {
            return self.verbatim(clause);
        };
        if self.nodes.is_rigid(clause) {
            return self.verbatim(clause);
        }
        self.keep(clause);
        let (patterns, guards) = (tree.list(patterns), tree.list(guards));
        let start = self.start(clause);
        let behind = |nodes: &[NodeId]| nodes.last().map(|&node| tree[node].last.0);
        let from = behind(guards).or(behind(patterns)).unwrap_or(tree[clause].first.0);
        let arrow = self.token_from(from, tree[clause].last.0, TokenKind::Arrow);
        let Some(arrow) = arrow else { return self.verbatim(clause) };
        let (arrow_start, arrow_end) = self.token_span(arrow);
        let change = |&node| (self.start(node), self.end(node), self.pattern(node));
        let changes: Vec<Change> = patterns.iter().map(change).collect();
        let keeps_guard = patterns.is_empty() || self.has_test(clause);
        let head = match guards.first() {
            Some(&first) if !keeps_guard => {
                let first_token = tree[first].first.0;
                let is_when = |&index: &u32| tree.tokens[index as usize].kind == TokenKind::When;
                let own = tree[clause].first.0;
                let when = (own..first_token).rfind(is_when).unwrap_or(own);
                let head = self.replaced(start, self.token_span(when).0, changes);
                format!("{} ->", head.trim_end())
            }
            _ => {
                guards.iter().for_each(|&node| drop(self.verbatim(node)));
                let mut head = self.replaced(start, arrow_start, changes);
                head.push_str(self.slice_of(arrow_start, arrow_end));
                head
            }
        };
        let end = self.clause_end(clause);
        head + &self.body_between(arrow_end, body, end)
    }

    /// The expressions of a body, with what is around them from `start` to `end`.
    pub(crate) fn body_between(&mut self, start: usize, body: NodeList, end: usize) -> String {
        let list = self.tree.list(body);
        let mut items = Vec::new();
        for &expr in list {
            let (from, to) = self.with_parentheses(expr);
            let text = match self.expr(expr) {
                Left::Nothing => None,
                Left::Itself(inner) => {
                    let (before, after) =
                        (self.slice_of(from, self.start(expr)), self.slice_of(self.end(expr), to));
                    Some(if before.is_empty() { inner } else { [before, &inner, after].concat() })
                }
                Left::Parts(parts) => Some(parts.join(", ")),
            };
            items.push(Item { start: from, end: to, text });
        }
        if items.iter().all(|item| item.text.is_none()) {
            let (Some(first), Some(last)) = (items.first(), items.last()) else {
                return self.slice_of(start, end).to_string();
            };
            let lead = self.slice_of(start, first.start);
            let lead = if lead.contains('%') { " " } else { lead };
            let rest = self.slice_of(last.end, end);
            return [lead, MARKER, rest].concat();
        }
        self.items(start, &items, end)
    }

    /// Where an expression of a body begins and ends, parentheses around it included.
    fn with_parentheses(&self, node: NodeId) -> (usize, usize) {
        let tokens = &self.tree.tokens;
        let (mut first, mut last) =
            (self.tree[node].first.0 as usize, self.tree[node].last.0 as usize);
        let (mut start, mut end) = (self.start(node), self.end(node));
        while first > 0
            && tokens[first - 1].kind == TokenKind::LParen
            && tokens
                .get(last + 1)
                .is_some_and(|token| token.kind == TokenKind::RParen && token.is_plain())
            && tokens[first - 1].is_plain()
        {
            first -= 1;
            last += 1;
            start = tokens[first].span.start as usize;
            end = tokens[last].span.end as usize;
        }
        (start, end)
    }

    pub(crate) fn receive(
        &mut self,
        node: NodeId,
        clauses: NodeList,
        after: Option<ReceiveAfter>,
    ) -> String {
        self.keep(node);
        let tree = self.tree;
        let mut changes: Vec<Change> = Vec::new();
        if !clauses.is_empty() {
            let (from, to) = self.extent(clauses);
            changes.push((from, to, self.clauses(clauses, Otherwise::Never, true)));
        }
        if let Some(after) = after {
            let timeout = after.timeout;
            changes.push((self.start(timeout), self.end(timeout), self.operand(timeout)));
            let arrow = self.token_from(tree[timeout].last.0, tree[node].last.0, TokenKind::Arrow);
            if let Some(arrow) = arrow {
                let (_, from) = self.token_span(arrow);
                let (to, _) = self.token_span(tree[node].last.0);
                changes.push((from, to, self.body_between(from, after.body, to)));
            }
        }
        self.replaced(self.start(node), self.end(node), changes)
    }

    /// `try`. Where it is not asked for what a handler takes, it takes everything: the reason of an
    /// exception that is in the slice need not be.
    pub(crate) fn attempt(&mut self, node: NodeId) -> String {
        let tree = self.tree;
        let Kind::Try { body, of, catch, after } = tree.kind(node) else {
            return self.verbatim(node);
        };
        self.keep(node);
        let mut changes: Vec<Change> = Vec::new();
        changes.extend(self.section(body));
        if !of.is_empty() {
            let (from, to) = self.extent(of);
            let otherwise = Otherwise::Text("_ -> sliced".to_string());
            changes.push((from, to, self.clauses(of, otherwise, false)));
        }
        if !catch.is_empty() {
            let (from, to) = self.extent(catch);
            let otherwise = Otherwise::Text("_:_ -> sliced".to_string());
            changes.push((from, to, self.clauses(catch, otherwise, false)));
        }
        changes.extend(self.section(after));
        self.replaced(self.start(node), self.end(node), changes)
    }

    /// The expressions of a body as a change of the text.
    fn section(&mut self, body: NodeList) -> Option<Change> {
        let list = self.tree.list(body);
        let (&first, &last) = (list.first()?, list.last()?);
        let (from, _) = self.with_parentheses(first);
        let (_, to) = self.with_parentheses(last);
        Some((from, to, self.body_between(from, body, to)))
    }

    pub(crate) fn fun(&mut self, node: NodeId, clauses: NodeList) -> String {
        self.keep(node);
        let (from, to) = self.extent(clauses);
        let otherwise = self.any_arguments(clauses, "");
        let name = match self.tree.kind(node) {
            Kind::Fun { name: Some(name), .. } => name.as_str(),
            _ => "",
        };
        let text = self.clauses(clauses, Otherwise::Text(format!("{name}{otherwise}")), false);
        [self.slice_of(self.start(node), from), &text, self.slice_of(to, self.end(node))].concat()
    }

    /// A clause that takes anything.
    fn any_arguments(&self, clauses: NodeList, name: &str) -> String {
        let arity =
            self.tree.list(clauses).first().map_or(0, |&clause| match self.tree.kind(clause) {
                Kind::Clause { patterns, .. } => patterns.len as usize,
                _ => 0,
            });
        format!("{name}({}) -> {MARKER}", vec!["_"; arity].join(", "))
    }

    /// A function, without the full stop. One of which nothing is in the slice is a stub.
    pub(crate) fn function(&mut self, form: NodeId) -> String {
        let Kind::Function { name, clauses, .. } = self.tree.kind(form) else {
            return self.verbatim(form);
        };
        if self.nodes.is_rigid(form) {
            return self.verbatim(form);
        }
        self.keep(form);
        let otherwise = self.any_arguments(clauses, &name.to_string());
        self.clauses(clauses, Otherwise::Text(otherwise), false)
    }
}
