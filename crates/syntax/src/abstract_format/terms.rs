//! Values of attributes: the terms they denote.

use std::fmt;

use crate::ast::{Kind, NodeId, NodeList, SigilKind, UnaryOp};

use super::{Work, Writer};

const COMMA: Work = Work::Text(",");

impl Writer<'_> {
    pub(super) fn term(&mut self, id: NodeId) -> fmt::Result {
        match self.module.kind(id) {
            Kind::Atom(atom) | Kind::Var(atom) => self.atom(atom),
            Kind::Integer(literal) | Kind::Float(literal) | Kind::String(literal) => {
                self.literal(literal)
            }
            Kind::Char(code) => write!(self.out, "{code}"),
            Kind::Sigil { which, text } => {
                let binary = which == SigilKind::Binary;
                self.out.write_str(if binary { "<<" } else { "" })?;
                self.literal(text)?;
                self.out.write_str(if binary { "/utf8>>" } else { "" })
            }
            Kind::Nil => self.out.write_str("[]"),
            Kind::NameArity { name, arity } => {
                self.out.write_char('{')?;
                self.then([Work::Term(name), COMMA, Work::Term(arity), Work::Close(1)]);
                Ok(())
            }
            Kind::List { elements, tail: None } => {
                self.then([Work::Terms(elements, 0)]);
                Ok(())
            }
            Kind::List { elements, tail: Some(tail) } => {
                self.out.write_char('[')?;
                self.work.push(Work::Text("]"));
                self.then([Work::Text("|"), Work::Term(tail)]);
                let elements = self.module.list(elements);
                for (index, &element) in elements.iter().enumerate().rev() {
                    self.work.push(Work::Term(element));
                    if index > 0 {
                        self.work.push(COMMA);
                    }
                }
                Ok(())
            }
            Kind::Tuple { elements } => {
                self.out.write_char('{')?;
                self.work.push(Work::Close(1));
                let elements = self.module.list(elements);
                for (index, &element) in elements.iter().enumerate().rev() {
                    self.work.push(Work::Term(element));
                    if index > 0 {
                        self.work.push(COMMA);
                    }
                }
                Ok(())
            }
            Kind::Map { fields, .. } => {
                self.out.write_str("#{")?;
                self.map_terms(fields, 0)
            }
            Kind::FunRemote { module, name, arity } => {
                let [module, name, arity] = [module, name, arity].map(Work::Term);
                let (colon, slash) = (Work::Text(":"), Work::Text("/"));
                self.then([Work::Text("fun "), module, colon, name, slash, arity]);
                Ok(())
            }
            Kind::UnaryOp { op, operand } => {
                if op == UnaryOp::Minus {
                    self.out.write_char('-')?;
                }
                self.then([Work::Term(operand)]);
                Ok(())
            }
            Kind::Binary { .. } => self.binary_term(id),
            _ => self.out.write_str("unknown"),
        }
    }

    pub(super) fn terms(&mut self, list: NodeList, next: u32) -> fmt::Result {
        if next == 0 {
            self.out.write_char('[')?;
        }
        let Some(&node) = self.module.list(list).get(next as usize) else {
            return self.out.write_char(']');
        };
        if next > 0 {
            self.out.write_char(',')?;
        }
        self.then([Work::Term(node), Work::Terms(list, next + 1)]);
        Ok(())
    }

    /// Fields of a map from the one with index `next` on, and the closing brace.
    pub(super) fn map_terms(&mut self, fields: NodeList, next: u32) -> fmt::Result {
        let Some(&field) = self.module.list(fields).get(next as usize) else {
            return self.out.write_char('}');
        };
        if next > 0 {
            self.out.write_char(',')?;
        }
        self.work.push(Work::MapTerms(fields, next + 1));
        if let Kind::MapField { key, value, .. } = self.module.kind(field) {
            self.then([Work::Term(key), Work::Text("=>"), Work::Term(value)]);
        }
        Ok(())
    }

    fn binary_term(&mut self, id: NodeId) -> fmt::Result {
        let bits = self.module.binary_constant(id, 0).unwrap_or_default();
        self.out.write_str("<<")?;
        for (index, byte) in bits.bytes.iter().enumerate() {
            if index > 0 {
                self.out.write_char(',')?;
            }
            let rest = bits.len - index * 8;
            if rest >= 8 {
                write!(self.out, "{byte}")?;
            } else {
                write!(self.out, "{}:{rest}", byte >> (8 - rest))?;
            }
        }
        self.out.write_str(">>")
    }
}
