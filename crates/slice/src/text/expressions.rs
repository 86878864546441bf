//! Expressions: each is printed as itself, or as those of its parts that are in the slice, or not
//! at all.
//!
//! An expression *stands* if its value is asked for or what it does counts: then its own text is
//! printed, and what is in the text for a part is what is left of that part, `sliced` if nothing is
//! ([`Left`]). If it does not stand, its parts are evaluated one after the other in its place. A
//! list, tuple, map or record keeps its shape as far as that is asked for: elements that are left
//! out are `sliced`, the end of a list becomes one tail, fields of maps go with their keys if they
//! are not needed.
//!
//! The text between parts is the user's, with comments and layout; what a macro made is printed as
//! it was written. Cost: each node is visited once, and its text is copied once for each expression
//! around it. What may look odd: a part that was bound more loosely than its place asks for is put
//! between `begin` and `end`.

use syntax::ast::{BinaryOp, ComprehensionKind, Kind, NodeId, NodeList, RecordName};
use syntax::token::TokenKind;

use super::items::Item;
use super::{MARKER, Printer};
use dependence::Node;

/// What is left of an expression.
pub(crate) enum Left {
    Nothing,
    Itself(String),
    /// Expressions that are evaluated one after the other; its value is not asked for.
    Parts(Vec<String>),
}

impl Printer<'_> {
    /// What is printed where an expression stands.
    pub(crate) fn operand(&mut self, node: NodeId) -> String {
        match self.expr(node) {
            Left::Nothing => MARKER.to_string(),
            Left::Itself(text) => text,
            Left::Parts(parts) if parts.len() == 1 && is_simple(&parts[0]) => parts[0].clone(),
            Left::Parts(parts) => format!("begin {} end", parts.join(", ")),
        }
    }

    /// What is printed where an expression of a body stands.
    pub(crate) fn statement(&mut self, node: NodeId) -> Option<String> {
        match self.expr(node) {
            Left::Nothing => None,
            Left::Itself(text) => Some(text),
            Left::Parts(parts) => Some(parts.join(", ")),
        }
    }

    pub(crate) fn expr(&mut self, node: NodeId) -> Left {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(node))
    }

    fn expr_here(&mut self, node: NodeId) -> Left {
        if !self.has(node) {
            return Left::Nothing;
        }
        if self.nodes.is_rigid(node) {
            return Left::Itself(self.verbatim(node));
        }
        let tree = self.tree;
        let stands = self.has_value(node) || self.has_effect(node);
        match tree.kind(node) {
            Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value } => {
                if stands || self.has(pattern) || self.has_test(node) {
                    let parts =
                        vec![(pattern, self.pattern(pattern)), (value, self.operand(value))];
                    return Left::Itself(self.splice(node, parts));
                }
                // What is evaluated for what it does is still a match, with anything.
                match self.expr(value) {
                    Left::Itself(text) => {
                        let parts = vec![(pattern, "_".to_string()), (value, text)];
                        Left::Itself(self.splice(node, parts))
                    }
                    other => other,
                }
            }
            Kind::Case { subject, clauses } => {
                if stands || self.any_has(tree.list(clauses)) {
                    return Left::Itself(self.case(node, Some(subject), clauses));
                }
                self.parts(&[subject])
            }
            Kind::If { clauses } => Left::Itself(self.case(node, None, clauses)),
            Kind::Receive { clauses, after } => Left::Itself(self.receive(node, clauses, after)),
            Kind::Try { .. } => Left::Itself(self.attempt(node)),
            Kind::Catch { body } => {
                let body_text = self.operand(body);
                Left::Itself(self.splice(node, vec![(body, body_text)]))
            }
            Kind::Fun { clauses, .. } => Left::Itself(self.fun(node, clauses)),
            Kind::Comprehension { exprs, qualifiers, .. } => {
                self.comprehension(node, exprs, qualifiers, stands)
            }
            Kind::Block { body } => {
                let (_, open) = self.token_span(tree[node].first.0);
                let (close, _) = self.token_span(tree[node].last.0);
                let body = self.body_between(open, body, close);
                self.keep(node);
                let (start, end) = (self.start(node), self.end(node));
                let text = [self.slice_of(start, open), &body, self.slice_of(close, end)].concat();
                Left::Itself(text)
            }
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, left, right } => {
                // Where the left side has to be a boolean, it is looked at whether it is one.
                if stands || self.has(right) || self.has_value(left) {
                    let parts = vec![(left, self.operand(left)), (right, self.operand(right))];
                    return Left::Itself(self.splice(node, parts));
                }
                self.parts(&[left])
            }
            // What `_ = E` evaluates is evaluated where the first field that is not given stands.
            Kind::Record { fields, .. }
                if tree
                    .list(fields)
                    .iter()
                    .any(|&field| self.is_rest(field) && self.has(field)) =>
            {
                Left::Itself(self.standing(node))
            }
            _ if stands => Left::Itself(self.standing(node)),
            _ => {
                let children = tree.children(node);
                self.parts(&children)
            }
        }
    }

    fn parts(&mut self, nodes: &[NodeId]) -> Left {
        let mut parts = Vec::new();
        for &node in nodes {
            match self.expr(node) {
                Left::Nothing => {}
                Left::Itself(text) => parts.push(text),
                Left::Parts(more) => parts.extend(more),
            }
        }
        if parts.is_empty() { Left::Nothing } else { Left::Parts(parts) }
    }

    /// An expression that is in the slice itself.
    fn standing(&mut self, node: NodeId) -> String {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::List { elements, tail } => {
                let parts: Vec<(NodeId, String)> = tree
                    .list(elements)
                    .iter()
                    .chain(tail.as_ref())
                    .map(|&part| (part, self.operand(part)))
                    .collect();
                self.cut_list(node, elements.len as usize, tail.is_none(), parts, MARKER)
            }
            Kind::Map { base, fields } => {
                let is_new = base.is_some_and(|base| !self.has(base));
                let items = self.map_items(fields, is_new);
                self.structure(node, base, items)
            }
            Kind::Record { base, name, fields } => {
                let list = tree.list(fields);
                // `_ = E` is evaluated once for each field that is not given.
                let has_rest = list.iter().any(|&field| self.is_rest(field) && self.has(field));
                // Where a native record is built every field needs a value.
                let all = has_rest || base.is_none() && self.may_be_native(name);
                let items: Vec<Item> =
                    list.iter().map(|&field| self.record_item(field, all)).collect();
                self.structure(node, base, items)
            }
            Kind::RecordAccess { base, .. } => {
                let base_text = self.operand(base);
                self.splice(node, vec![(base, base_text)])
            }
            Kind::Call { callee, args } => {
                self.mention(node);
                let mut parts: Vec<(NodeId, String)> = Vec::new();
                match tree.kind(callee) {
                    Kind::Atom(_) => self.keep(callee),
                    Kind::Remote { module, name } => {
                        self.keep(callee);
                        for part in [module, name] {
                            if matches!(tree.kind(part), Kind::Atom(_)) {
                                self.keep(part);
                            } else {
                                parts.push((part, self.operand(part)));
                            }
                        }
                    }
                    _ => parts.push((callee, self.operand(callee))),
                }
                parts.extend(tree.list(args).iter().map(|&arg| (arg, self.operand(arg))));
                self.splice(node, parts)
            }
            Kind::FunName { .. } | Kind::FunRemote { .. } | Kind::RecordIndex { .. } => {
                self.verbatim(node)
            }
            Kind::Binary { elements } => {
                let list = tree.list(elements);
                let parts = list.iter().map(|&element| (element, self.segment(element))).collect();
                self.splice(node, parts)
            }
            _ => {
                let parts = tree.children(node);
                let parts = parts.iter().map(|&part| (part, self.operand(part))).collect();
                self.splice(node, parts)
            }
        }
    }

    /// A segment of a binary is there with its size and type; a number that is not asked for is 0.
    fn segment(&mut self, node: NodeId) -> String {
        let Kind::BinElement { value, size, specs } = self.tree.kind(node) else {
            return self.operand(node);
        };
        let text = match self.statement(value) {
            Some(text) if self.has_value(value) => text,
            Some(text) => format!("(begin {text}, 0 end)"),
            None => "0".to_string(),
        };
        let mut parts = vec![(value, text)];
        parts.extend(size.map(|size| (size, self.operand(size))));
        for &spec in self.tree.list(specs.unwrap_or_default()) {
            self.verbatim(spec);
        }
        self.splice(node, parts)
    }

    /// A list, up to its last cell that is in the slice.
    pub(crate) fn cut_list(
        &mut self,
        node: NodeId,
        elements: usize,
        is_proper: bool,
        parts: Vec<(NodeId, String)>,
        rest: &str,
    ) -> String {
        let count = elements + usize::from(is_proper);
        let cells = self.nodes.cells.get(&node).copied();
        let is_in = |index: usize| {
            index == 0
                || cells.is_some_and(|first| {
                    self.reached.get(Node::new(first.index() + index - 1)).copied().unwrap_or(false)
                })
        };
        // Elements that have something to evaluate are there, too.
        let last_cell = (0..count).rev().find(|&index| is_in(index)).unwrap_or(0);
        let needed = parts.iter().take(elements).rposition(|(part, _)| self.has(*part));
        let last = last_cell.max(needed.unwrap_or(0));
        if last + 1 >= count || last >= elements {
            return self.splice(node, parts);
        }
        let (start, end) = (self.start(node), self.end_with_parentheses(parts[last].0));
        let parts = parts.into_iter().take(last + 1);
        let changes = parts.map(|(part, text)| (self.start(part), self.end(part), text)).collect();
        self.keep(node);
        let inside = self.replaced(start, end, changes);
        format!("{inside}|{rest}]")
    }

    /// Where an element ends, parentheses around it included.
    fn end_with_parentheses(&self, node: NodeId) -> usize {
        let mut end = self.end(node);
        let behind = self.tree.tokens.iter().skip(self.tree[node].last.0 as usize + 1);
        for token in behind.take_while(|token| token.kind == TokenKind::RParen && token.is_plain())
        {
            end = end.max(token.span.end as usize);
        }
        end
    }

    /// Where an element begins, parentheses around it included.
    fn start_with_parentheses(&self, node: NodeId) -> usize {
        let mut start = self.start(node);
        let before = self.tree.tokens.iter().take(self.tree[node].first.0 as usize).rev();
        for token in before.take_while(|token| token.kind == TokenKind::LParen && token.is_plain())
        {
            start = start.min(token.span.start as usize);
        }
        start
    }

    /// The fields of a map; of one that `is_new` none is there to be changed.
    fn map_items(&mut self, fields: NodeList, is_new: bool) -> Vec<Item> {
        let tree = self.tree;
        let mut items = Vec::new();
        for &field in tree.list(fields) {
            let mut text = None;
            if let Kind::MapField { key, value, .. } = tree.kind(field)
                && self.has(field)
            {
                let is_literal =
                    tree.children(key).is_empty() && !matches!(tree.kind(key), Kind::Var(_));
                let key_text = if is_literal { self.verbatim(key) } else { self.operand(key) };
                let value_text = self.operand(value);
                text = Some(match is_new {
                    true => {
                        self.keep(field);
                        format!("{key_text} => {value_text}")
                    }
                    false => self.splice(field, vec![(key, key_text), (value, value_text)]),
                });
            }
            items.push(Item { start: self.start(field), end: self.end(field), text });
        }
        items
    }

    /// Whether a field of a record stands for all that are not given.
    fn is_rest(&self, field: NodeId) -> bool {
        match self.tree.kind(field) {
            Kind::RecordField { name, .. } => matches!(self.tree.kind(name), Kind::Var(_)),
            _ => false,
        }
    }

    /// Whether a record may be a native one.
    fn may_be_native(&self, name: RecordName) -> bool {
        self.tree.has_native_records || !matches!(name, RecordName::Local(_))
    }

    fn record_item(&mut self, field: NodeId, all: bool) -> Item {
        let mut text = None;
        if let Kind::RecordField { name, value } = self.tree.kind(field)
            && (self.has(value) || all)
        {
            self.keep(name);
            let value_text = self.operand(value);
            text = Some(self.splice(field, vec![(value, value_text)]));
        }
        Item { start: self.start(field), end: self.end(field), text }
    }

    /// A map or a record, or an update of one: without any field left, what it is an update of.
    fn structure(&mut self, node: NodeId, base: Option<NodeId>, items: Vec<Item>) -> String {
        let Some(base) = base else { return self.braced(node, items) };
        let base_text = self.operand(base);
        if items.iter().all(|item| item.text.is_none()) {
            return base_text;
        }
        let (start, end) = (self.start(base), self.end(base));
        let whole = self.braced(node, items);
        let native =
            matches!(self.tree.kind(node), Kind::Record { name, .. } if self.may_be_native(name));
        if !self.has(base) && !native {
            // Nothing of what it is an update of is in the slice: it is made anew.
            let behind = &whole[end - self.start(node)..];
            return behind[behind.find('#').unwrap_or(0)..].to_string();
        }
        // Where the base is written nothing has changed so far.
        let offset = start - self.start(node);
        let mut out = whole[..offset].to_string();
        out.push_str(&base_text);
        out.push_str(&whole[offset + (end - start)..]);
        out
    }

    /// A node that ends with things in braces.
    pub(crate) fn braced(&mut self, node: NodeId, items: Vec<Item>) -> String {
        self.keep(node);
        let fields = match self.tree.kind(node) {
            Kind::Map { fields, .. } | Kind::Record { fields, .. } => fields,
            _ => NodeList::EMPTY,
        };
        let first_token =
            self.tree.list(fields).first().map_or(0, |&field| self.tree[field].first.0);
        let (start, end) = (self.start(node), self.end(node));
        let (close, _) = self.token_span(self.tree[node].last.0);
        let Some(first) = items.first() else { return self.slice_of(start, end).to_string() };
        // The brace before the first thing: of those that are written, not of those that macros
        // make.
        let is_brace = |&index: &u32| {
            let token = &self.tree.tokens[index as usize];
            token.kind == TokenKind::LBrace && (token.span.end as usize) <= first.start
        };
        let own = self.tree[node].first.0;
        let written = own..first_token.max(own);
        let open = written.rev().find(is_brace).unwrap_or(own);
        let (_, open) = self.token_span(open);
        let inside = self.items(open, &items, close);
        [self.slice_of(start, open), &inside, self.slice_of(close, end)].concat()
    }

    fn comprehension(
        &mut self,
        node: NodeId,
        exprs: NodeList,
        qualifiers: NodeList,
        stands: bool,
    ) -> Left {
        let tree = self.tree;
        let list = tree.list(qualifiers);
        let mut is_inside = stands || self.has_choice(node) || self.any_has(tree.list(exprs));
        for &qualifier in list {
            is_inside |= self.has_choice(qualifier) || self.pattern_has(qualifier);
        }
        if !is_inside {
            let sources: Vec<NodeId> =
                list.iter().flat_map(|&qualifier| self.sources(qualifier)).collect();
            return self.parts(&sources);
        }
        self.keep(node);
        let mut changes = Vec::new();
        for &expr in tree.list(exprs) {
            match tree.kind(expr) {
                Kind::MapField { key, value, .. } => {
                    self.keep(expr);
                    for part in [key, value] {
                        changes.push((self.start(part), self.end(part), self.operand(part)));
                    }
                }
                _ => changes.push((self.start(expr), self.end(expr), self.template(node, expr))),
            }
        }
        let items: Vec<Item> = list.iter().map(|&qualifier| self.qualifier(qualifier)).collect();
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return Left::Itself(self.verbatim(node));
        };
        let (start, end) = (self.start(node), self.end(node));
        let (from, to) = (first.start, last.end);
        if items.iter().all(|item| item.text.is_none()) {
            // In a slice of a run it is there and was not come to.
            let nothing = match tree.kind(node) {
                Kind::Comprehension { which: ComprehensionKind::Binary, .. } => "<<>>",
                Kind::Comprehension { which: ComprehensionKind::Map, .. } => "#{}",
                _ => "[]",
            };
            return Left::Itself(nothing.to_owned());
        }
        let head = self.replaced(start, from, changes);
        let inside = self.items(from, &items, to);
        Left::Itself([head.as_str(), &inside, self.slice_of(to, end)].concat())
    }

    /// What a comprehension makes for each element. A part of a binary has to be one.
    fn template(&mut self, node: NodeId, expr: NodeId) -> String {
        let is_binary = matches!(
            self.tree.kind(node),
            Kind::Comprehension { which: ComprehensionKind::Binary, .. }
        );
        if !is_binary || self.has_value(expr) {
            return self.operand(expr);
        }
        match self.statement(expr) {
            Some(text) => format!("begin {text}, <<>> end"),
            None => "<<>>".to_string(),
        }
    }

    /// The expressions that a qualifier evaluates.
    fn sources(&self, qualifier: NodeId) -> Vec<NodeId> {
        match self.tree.kind(qualifier) {
            Kind::Generator { source, .. } => vec![source],
            Kind::ZipGenerator { generators } => {
                let list = self.tree.list(generators);
                list.iter().flat_map(|&generator| self.sources(generator)).collect()
            }
            _ => vec![qualifier],
        }
    }

    fn pattern_has(&self, qualifier: NodeId) -> bool {
        match self.tree.kind(qualifier) {
            Kind::Generator { pattern, .. } => self.has(pattern) || self.has_test(qualifier),
            Kind::ZipGenerator { generators } => {
                self.tree.list(generators).iter().any(|&generator| self.pattern_has(generator))
            }
            _ => false,
        }
    }

    fn qualifier(&mut self, qualifier: NodeId) -> Item {
        let (start, end) = (self.start(qualifier), self.end(qualifier));
        let text = match self.tree.kind(qualifier) {
            _ if !self.has(qualifier) => None,
            Kind::Generator { .. } => Some(self.generator(qualifier)),
            Kind::ZipGenerator { generators } => {
                let list = self.tree.list(generators);
                let parts = list.iter().map(|&part| (part, self.generator(part))).collect();
                Some(self.splice(qualifier, parts))
            }
            _ if self.has_value(qualifier) => Some(self.operand(qualifier)),
            // What it evaluates is wanted, not how it decides.
            _ => self.statement(qualifier).map(|text| format!("begin {text}, true end")),
        };
        if text.is_none() {
            let start = self.start_with_parentheses(qualifier);
            return Item { start, end: self.end_with_parentheses(qualifier), text };
        }
        Item { start, end, text }
    }

    fn generator(&mut self, generator: NodeId) -> String {
        let Kind::Generator { pattern, source, .. } = self.tree.kind(generator) else {
            return self.verbatim(generator);
        };
        if !self.has_choice(generator) && !self.has_value(source) {
            // Its source is evaluated, but what it gives is not asked for.
            return format!("_ <- [{}]", self.operand(source));
        }
        let pattern_text = match self.tree.kind(pattern) {
            Kind::MapField { .. } => self.verbatim(pattern),
            _ => self.pattern(pattern),
        };
        let parts = vec![(pattern, pattern_text), (source, self.operand(source))];
        self.splice(generator, parts)
    }
}

/// Whether a text can stand anywhere without parentheses: a word.
fn is_simple(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@')
}
