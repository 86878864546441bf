//! Positions that OTP derives from several nodes: the first and the last of a tree.
//!
//! Some rules of OTP's grammar place a node where its leftmost part stands (`A = B` stands at `A`).
//! OTP finds it by walking the tree in the order of its abstract format as long as positions do not
//! increase. With macros the leftmost part need not have the smallest position, so the same walk is
//! done here, not a shortcut. It normally ends after a few steps down the left edge.

use crate::ast::{Kind, Module, NodeId, NodeList};
use crate::source::Loc;
use crate::token::{TokenId, TokenKind};

/// A position in OTP's abstract format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anno {
    pub(crate) token: TokenId,
    /// OTP gives the numbers it makes up in binary types a line but no column.
    pub(crate) line_only: bool,
}

impl Anno {
    fn loc(self, module: &Module) -> Loc {
        let loc = module.token(self.token).loc;
        if self.line_only { Loc { column: 1, ..loc } } else { loc }
    }
}

/// What is still to be visited.
enum Item {
    Node(NodeId),
    Token(TokenId),
    Line(TokenId),
    /// The `cons` cell that begins with this element.
    Cell(NodeId),
}

impl Module {
    /// The position of the leftmost part of a node.
    pub(crate) fn first_anchor(&self, node: NodeId) -> Anno {
        let at = |token| Anno { token, line_only: false };
        if self.is_leaf(node) {
            return at(self[node].anchor);
        }
        let mut items = vec![Item::Node(node)];
        let mut first: Option<Anno> = None;
        while let Some(item) = items.pop() {
            let anno = match item {
                Item::Node(node) => {
                    self.push_parts(node, &mut items);
                    self.anno(node)
                }
                Item::Token(token) => at(token),
                Item::Line(token) => Anno { token, line_only: true },
                Item::Cell(element) => self.first_anchor(element),
            };
            match first {
                Some(found) if anno.loc(self) > found.loc(self) => return found,
                _ => first = Some(anno),
            }
        }
        first.unwrap_or(at(self[node].anchor))
    }

    /// The position of the part of a pattern that stands last.
    pub(crate) fn last_anchor(&self, node: NodeId) -> TokenId {
        let mut items = vec![Item::Node(node)];
        let mut last = self[node].anchor;
        while let Some(item) = items.pop() {
            let token = match item {
                Item::Node(node) => {
                    self.push_parts(node, &mut items);
                    self[node].anchor
                }
                Item::Token(token) => token,
                // These never stand behind all others.
                Item::Line(_) | Item::Cell(_) => continue,
            };
            if self.token(token).loc > self.token(last).loc {
                last = token;
            }
        }
        last
    }

    /// The position of a node in OTP's abstract format: that of its anchor, but for types whose
    /// leftmost part has no column.
    pub(crate) fn anno(&self, node: NodeId) -> Anno {
        let mut node = node;
        loop {
            match self.kind(node) {
                Kind::RangeType { low, .. } => node = low,
                Kind::UnionType { members } => {
                    let Some(&member) = self.list(members).first() else { break };
                    if !matches!(self.kind(member), Kind::UnionType { .. }) {
                        return self.first_anchor(member);
                    }
                    node = member;
                }
                _ => break,
            }
        }
        Anno { token: self[node].anchor, line_only: false }
    }

    /// The text of an atom in quotes that would be a keyword without them where a feature is
    /// enabled. A token out of a macro's body has lost its text.
    pub(crate) fn quoted_feature_keyword(&self, token: TokenId) -> Option<&str> {
        let token = self.token(token);
        if token.kind != TokenKind::Atom || !token.is_plain() {
            return None;
        }
        TokenKind::feature_keyword(token.name()?.as_str())?;
        let text = self.text(token.span);
        text.starts_with('\'').then_some(text)
    }

    fn is_leaf(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            Kind::Atom(_)
                | Kind::Var(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Nil
                | Kind::Sigil { .. }
        )
    }

    /// Pushes the parts of a node that have positions in OTP's abstract format, the first on top.
    fn push_parts(&self, node: NodeId, items: &mut Vec<Item>) {
        let mark = items.len();
        let push = |items: &mut Vec<Item>, node: NodeId| items.push(Item::Node(node));
        let push_all = |items: &mut Vec<Item>, list: NodeList| {
            items.extend(self.list(list).iter().map(|&node| Item::Node(node)));
        };
        match self.kind(node) {
            Kind::List { elements, tail } => {
                for (index, &element) in self.list(elements).iter().enumerate() {
                    if index > 0 {
                        items.push(Item::Cell(element));
                    }
                    push(items, element);
                }
                match tail {
                    Some(tail) => push(items, tail),
                    None => items.push(Item::Token(self[node].last)),
                }
            }
            Kind::Record { base, fields, .. } => {
                items.extend(base.map(Item::Node));
                push_all(items, fields);
            }
            Kind::RecordAccess { base, field, .. } => {
                push(items, base);
                push(items, field);
            }
            Kind::RecordIndex { field, .. } => push(items, field),
            Kind::BinElement { value, size, .. } => {
                push(items, value);
                items.extend(size.map(Item::Node));
            }
            Kind::FunName { .. } | Kind::BinSpec { .. } => {}
            Kind::BinaryType { size, unit } => {
                for part in [size, unit] {
                    match part {
                        Some(part) => push(items, part),
                        None => items.push(Item::Line(self[node].anchor)),
                    }
                }
            }
            Kind::Guard { tests } => push_all(items, tests),
            _ => self.for_each_child(node, |child| items.push(Item::Node(child))),
        }
        items[mark..].reverse();
    }
}
