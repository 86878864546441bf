//! Types of the abstract format.

use std::fmt;

use atom::Atom;

use crate::ast::{Kind, NodeId, NodeList};

use super::{Work, Writer};

const COMMA: Work = Work::Text(",");
const LIST: Work = Work::Text("[");
const END_LIST: Work = Work::Text("]");

impl Writer<'_> {
    pub(super) fn type_node(&mut self, id: NodeId, kind: Kind) -> fmt::Result {
        match kind {
            Kind::NamedType { name, args } => self.named_type(id, name, args),
            Kind::UnionType { members } => self.with_types("union,", id, members),
            Kind::TupleType { elements } => self.with_types("tuple,", id, elements),
            Kind::NilType => self.with_types("nil,", id, NodeList::EMPTY),
            Kind::AnyFunType => self.with_types("'fun',", id, NodeList::EMPTY),
            Kind::ListType { element, nonempty } => {
                let name = if nonempty { "nonempty_list,[" } else { "list,[" };
                self.with("type", id, [Work::Text(name), Work::Node(element), END_LIST])
            }
            Kind::AnnotatedType { var, ty } => {
                let parts = [LIST, Work::Node(var), COMMA, Work::Node(ty), END_LIST];
                self.with("ann_type", id, parts)
            }
            Kind::RemoteType { module, name, args } => {
                let [module, name] = [module, name].map(Work::Node);
                let args = Work::Nodes(args, 0);
                self.with("remote_type", id, [LIST, module, COMMA, name, COMMA, args, END_LIST])
            }
            Kind::MapType { fields } => {
                self.with("type", id, [Work::Text("map,["), Work::TypeFields(fields, 0)])
            }
            Kind::RecordType { name, fields } => {
                let first = if fields.is_empty() { END_LIST } else { COMMA };
                let more =
                    if fields.is_empty() { Work::Text("") } else { Work::MoreNodes(fields, 0) };
                self.with("type", id, [Work::Text("record,["), Work::Node(name), first, more])
            }
            Kind::RecordFieldType { name, ty } => {
                let tag = Work::Text("field_type,[");
                self.with("type", id, [tag, Work::Node(name), COMMA, Work::Node(ty), END_LIST])
            }
            Kind::RangeType { low, high } => {
                let tag = Work::Text("range,[");
                self.with("type", id, [tag, Work::Node(low), COMMA, Work::Node(high), END_LIST])
            }
            Kind::BinaryType { size, unit } => self.binary_type(id, size, unit),
            Kind::FunType { args, result, .. } => self.fun_type(id, args, result),
            Kind::BoundedFunType { fun, constraints } => {
                let tag = Work::Text("bounded_fun,[");
                let constraints = Work::Nodes(constraints, 0);
                self.with("type", id, [tag, Work::Node(fun), COMMA, constraints, END_LIST])
            }
            Kind::ConstraintType { var, ty } => self.constraint(var, ty),
            // Forms are written elsewhere, and nothing else is left.
            _ => self.out.write_str("unknown"),
        }
    }

    fn with_types(&mut self, tag: &'static str, id: NodeId, types: NodeList) -> fmt::Result {
        self.with("type", id, [Work::Text(tag), Work::Nodes(types, 0)])
    }

    fn named_type(&mut self, id: NodeId, name: Atom, args: NodeList) -> fmt::Result {
        let builtin = is_builtin_type(name.as_str(), args.len, self.format.release);
        self.open(if builtin { "type" } else { "user_type" }, id)?;
        self.out.write_char(',')?;
        self.atom(name)?;
        self.out.write_char(',')?;
        let any = args.is_empty() && matches!(name.as_str(), "tuple" | "map");
        let args = if any { Work::Text("any") } else { Work::Nodes(args, 0) };
        self.then([args, Work::Close(1)]);
        Ok(())
    }

    /// Fields of a map type from the one with index `next` on, and the closing bracket.
    pub(super) fn type_fields(&mut self, fields: NodeList, next: u32) -> fmt::Result {
        let Some(&field) = self.module.list(fields).get(next as usize) else {
            return self.out.write_char(']');
        };
        if next > 0 {
            self.out.write_char(',')?;
        }
        self.work.push(Work::TypeFields(fields, next + 1));
        let Kind::MapField { exact, key, value } = self.module.kind(field) else { return Ok(()) };
        let tag = Work::Text(if exact { "map_field_exact,[" } else { "map_field_assoc,[" });
        self.with("type", field, [tag, Work::Node(key), COMMA, Work::Node(value), END_LIST])
    }

    /// Size and unit that were not written are zeros with a line but without a column.
    fn binary_type(
        &mut self,
        id: NodeId,
        size: Option<NodeId>,
        unit: Option<NodeId>,
    ) -> fmt::Result {
        self.open("type", id)?;
        self.out.write_str(",binary,[")?;
        let line = self.module.loc(id).line;
        self.work.push(Work::Text("]}"));
        match (size, unit) {
            (Some(size), Some(unit)) => {
                self.then([Work::Node(size), COMMA, Work::Node(unit)]);
            }
            (None, Some(unit)) => {
                write!(self.out, "{{integer,{line},0}},")?;
                self.then([Work::Node(unit)]);
            }
            (Some(size), None) => {
                self.then([Work::Node(size), COMMA, Work::LineZero(line)]);
            }
            (None, None) => write!(self.out, "{{integer,{line},0}},{{integer,{line},0}}")?,
        }
        Ok(())
    }

    fn fun_type(&mut self, id: NodeId, args: Option<NodeList>, result: NodeId) -> fmt::Result {
        self.open("type", id)?;
        self.out.write_str(",'fun',[")?;
        self.open("type", id)?;
        self.work.push(Work::Text("]}"));
        match args {
            Some(args) => self.then([
                Work::Text(",product,"),
                Work::Nodes(args, 0),
                Work::Text("},"),
                Work::Node(result),
            ]),
            None => self.then([Work::Text(",any},"), Work::Node(result)]),
        }
        Ok(())
    }

    fn constraint(&mut self, var: NodeId, ty: NodeId) -> fmt::Result {
        self.open("type", var)?;
        self.out.write_str(",constraint,[")?;
        self.open("atom", var)?;
        self.out.write_str(",is_subtype},[")?;
        self.then([Work::Node(var), COMMA, Work::Node(ty), Work::Text("]]}")]);
        Ok(())
    }
}

/// Whether a type is built in, as `erl_internal:is_type/2` of a release says.
pub fn is_builtin_type(name: &str, arity: u32, release: u32) -> bool {
    match arity {
        0 => {
            matches!(
                name,
                "any"
                    | "arity"
                    | "atom"
                    | "binary"
                    | "bitstring"
                    | "bool"
                    | "boolean"
                    | "byte"
                    | "char"
                    | "float"
                    | "function"
                    | "identifier"
                    | "integer"
                    | "iodata"
                    | "iolist"
                    | "list"
                    | "map"
                    | "maybe_improper_list"
                    | "mfa"
                    | "module"
                    | "neg_integer"
                    | "nil"
                    | "no_return"
                    | "node"
                    | "non_neg_integer"
                    | "none"
                    | "nonempty_binary"
                    | "nonempty_bitstring"
                    | "nonempty_list"
                    | "nonempty_maybe_improper_list"
                    | "nonempty_string"
                    | "number"
                    | "pid"
                    | "port"
                    | "pos_integer"
                    | "reference"
                    | "string"
                    | "term"
                    | "timeout"
                    | "tuple"
            ) || (name == "dynamic" && release >= 26)
        }
        1 => matches!(name, "list" | "nonempty_list"),
        2 => matches!(
            name,
            "maybe_improper_list" | "nonempty_improper_list" | "nonempty_maybe_improper_list"
        ),
        _ => false,
    }
}
