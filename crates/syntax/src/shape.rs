//! Any node as data: the name of its kind and its named fields.
//!
//! For code that treats all kinds alike (the tree view, JSON, the comparison of trees). The names
//! are part of the JSON output: a change of one is a change of its version. An optional part that
//! is not there has no field; an empty list that stands for an absent section has one.

use num_bigint::BigInt;

use crate::ast::{
    ComprehensionKind, ExportKind, GeneratorKind, Kind, Module, NodeId, NodeList, RecordName,
    SigilKind, SpecKind, TypeKind,
};
use crate::token::{Literal, LiteralId};

/// A node without its position.
#[derive(Debug)]
pub struct Shape<'m> {
    /// The kind in snake case: `record_access`.
    pub kind: &'static str,
    /// In the order in which they are written.
    pub fields: Vec<Field<'m>>,
}

#[derive(Debug)]
pub struct Field<'m> {
    pub name: &'static str,
    pub value: Value<'m>,
}

#[derive(Clone, Copy, Debug)]
pub enum Value<'m> {
    Node(NodeId),
    Nodes(&'m [NodeId]),
    /// The name of an atom or variable, the characters of a string.
    Text(&'m str),
    /// One of a fixed set of words: an operator, the kind of a generator.
    Word(&'static str),
    Integer(&'m BigInt),
    Float(f64),
    /// A code point, an arity.
    Number(u32),
    Flag(bool),
}

impl PartialEq for Value<'_> {
    /// Nodes are equal if they are the same node; floats if they have the same bits.
    fn eq(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Value::Node(a), Value::Node(b)) => a == b,
            (Value::Nodes(a), Value::Nodes(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Word(a), Value::Word(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Flag(a), Value::Flag(b)) => a == b,
            _ => false,
        }
    }
}

/// Collects the fields of one node.
struct Fields<'m> {
    module: &'m Module,
    fields: Vec<Field<'m>>,
}

impl<'m> Fields<'m> {
    fn add(mut self, name: &'static str, value: Value<'m>) -> Self {
        self.fields.push(Field { name, value });
        self
    }

    fn node(self, name: &'static str, id: NodeId) -> Self {
        self.add(name, Value::Node(id))
    }

    fn optional(self, name: &'static str, id: Option<NodeId>) -> Self {
        match id {
            Some(id) => self.node(name, id),
            None => self,
        }
    }

    fn list(self, name: &'static str, list: NodeList) -> Self {
        let nodes = self.module.list(list);
        self.add(name, Value::Nodes(nodes))
    }

    fn optional_list(self, name: &'static str, list: Option<NodeList>) -> Self {
        match list {
            Some(list) => self.list(name, list),
            None => self,
        }
    }

    fn name(self, name: &'static str, atom: atom::Atom) -> Self {
        self.add(name, Value::Text(atom.as_str()))
    }

    fn word(self, name: &'static str, word: &'static str) -> Self {
        self.add(name, Value::Word(word))
    }

    fn flag(self, name: &'static str, flag: bool) -> Self {
        self.add(name, Value::Flag(flag))
    }

    fn literal(self, name: &'static str, id: LiteralId) -> Self {
        let value = match self.module.literal(id) {
            Literal::Integer(value) => Value::Integer(value),
            Literal::Float(value) => Value::Float(*value),
            Literal::String(text) => Value::Text(text),
        };
        self.add(name, value)
    }

    fn record_name(self, name: RecordName) -> Self {
        match name {
            RecordName::Local(name) => self.node("name", name),
            RecordName::Remote(module, name) => self.node("module", module).node("name", name),
            RecordName::Any => self.flag("any_name", true),
        }
    }

    fn diagnostic(self, index: u32) -> Self {
        match self.module.diagnostics.get(index as usize) {
            Some(diagnostic) => self
                .add("code", Value::Word(diagnostic.code))
                .add("message", Value::Text(&diagnostic.message)),
            None => self,
        }
    }
}

impl Module {
    /// The kind and the fields of a node.
    pub fn shape(&self, id: NodeId) -> Shape<'_> {
        let fields = Fields { module: self, fields: Vec::new() };
        let kind = self.kind(id);
        let (name, fields) = form(kind, fields)
            .or_else(|fields| part(kind, fields))
            .or_else(|fields| simple(kind, fields))
            .or_else(|fields| construct(kind, fields))
            .unwrap_or_else(|fields| type_shape(kind, fields));
        Shape { kind: name, fields: fields.fields }
    }
}

/// The name and fields, or the empty fields back if the kind is not one of a function's own.
type Found<'m> = Result<(&'static str, Fields<'m>), Fields<'m>>;

fn form(kind: Kind, f: Fields<'_>) -> Found<'_> {
    Ok(match kind {
        Kind::ModuleAttribute { name } => ("module_attribute", f.node("name", name)),
        Kind::ExportAttribute { which, names } => {
            ("export_attribute", f.word("which", export_word(which)).list("names", names))
        }
        Kind::ImportAttribute { module, names } => {
            ("import_attribute", f.node("module", module).optional_list("names", names))
        }
        Kind::RecordAttribute { name, fields, native } => {
            ("record_attribute", f.flag("native", native).node("name", name).list("fields", fields))
        }
        Kind::TypeAttribute { which, name, params, body } => {
            let which = match which {
                TypeKind::Type => "type",
                TypeKind::Opaque => "opaque",
                TypeKind::Nominal => "nominal",
            };
            let f = f.word("which", which).node("name", name);
            ("type_attribute", f.list("params", params).node("body", body))
        }
        Kind::SpecAttribute { which, module, name, clauses } => {
            let which = match which {
                SpecKind::Spec => "spec",
                SpecKind::Callback => "callback",
            };
            let f = f.word("which", which).optional("module", module);
            ("spec_attribute", f.node("name", name).list("clauses", clauses))
        }
        Kind::FileAttribute { file, line } => {
            ("file_attribute", f.node("file", file).node("line", line))
        }
        Kind::Attribute { name, values } => {
            ("attribute", f.name("name", name).list("values", values))
        }
        Kind::Function { name, arity, clauses } => {
            let f = f.name("name", name).add("arity", Value::Number(arity));
            ("function", f.list("clauses", clauses))
        }
        Kind::ErrorForm { diagnostic } => ("error_form", f.diagnostic(diagnostic)),
        Kind::WarningForm { diagnostic } => ("warning_form", f.diagnostic(diagnostic)),
        Kind::EndOfFile => ("end_of_file", f),
        _ => return Err(f),
    })
}

fn part(kind: Kind, f: Fields<'_>) -> Found<'_> {
    Ok(match kind {
        Kind::NameArity { name, arity } => {
            ("name_arity", f.node("name", name).node("arity", arity))
        }
        Kind::RecordFieldDef { name, default, ty } => {
            let f = f.node("name", name).optional("default", default);
            ("record_field_def", f.optional("type", ty))
        }
        Kind::Clause { patterns, guards, body } => {
            let f = f.list("patterns", patterns).list("guards", guards);
            ("clause", f.list("body", body))
        }
        Kind::Guard { tests } => ("guard", f.list("tests", tests)),
        Kind::CatchPattern { class, reason, stacktrace } => {
            let f = f.optional("class", class).node("reason", reason);
            ("catch_pattern", f.optional("stacktrace", stacktrace))
        }
        Kind::Generator { which, strict, pattern, source } => {
            let which = match which {
                GeneratorKind::List => "list",
                GeneratorKind::Binary => "binary",
                GeneratorKind::Map => "map",
                GeneratorKind::Value => "value",
            };
            let f = f.word("which", which).flag("strict", strict);
            ("generator", f.node("pattern", pattern).node("source", source))
        }
        Kind::ZipGenerator { generators } => ("zip_generator", f.list("generators", generators)),
        Kind::MapField { exact, key, value } => {
            ("map_field", f.flag("exact", exact).node("key", key).node("value", value))
        }
        Kind::RecordField { name, value } => {
            ("record_field", f.node("name", name).node("value", value))
        }
        Kind::BinElement { value, size, specs } => {
            let f = f.node("value", value).optional("size", size);
            ("bin_element", f.optional_list("specs", specs))
        }
        Kind::BinSpec { name, unit } => ("bin_spec", f.name("name", name).optional("unit", unit)),
        _ => return Err(f),
    })
}

/// Literals, data and operators.
fn simple(kind: Kind, f: Fields<'_>) -> Found<'_> {
    Ok(match kind {
        Kind::Atom(name) => ("atom", f.name("name", name)),
        Kind::Var(name) => ("var", f.name("name", name)),
        Kind::Integer(value) => ("integer", f.literal("value", value)),
        Kind::Float(value) => ("float", f.literal("value", value)),
        Kind::Char(value) => ("char", f.add("value", Value::Number(value))),
        Kind::String(text) => ("string", f.literal("text", text)),
        Kind::Sigil { which, text } => {
            let which = match which {
                SigilKind::Binary => "binary",
                SigilKind::String => "string",
            };
            ("sigil", f.word("which", which).literal("text", text))
        }
        Kind::Nil => ("nil", f),
        Kind::List { elements, tail } => {
            ("list", f.list("elements", elements).optional("tail", tail))
        }
        Kind::Tuple { elements } => ("tuple", f.list("elements", elements)),
        Kind::Map { base, fields } => ("map", f.optional("base", base).list("fields", fields)),
        Kind::Record { base, name, fields } => {
            ("record", f.optional("base", base).record_name(name).list("fields", fields))
        }
        Kind::RecordAccess { base, name, field } => {
            ("record_access", f.node("base", base).record_name(name).node("field", field))
        }
        Kind::RecordIndex { name, field } => {
            ("record_index", f.record_name(name).node("field", field))
        }
        Kind::Binary { elements } => ("binary", f.list("elements", elements)),
        Kind::Match { pattern, value } => {
            ("match", f.node("pattern", pattern).node("value", value))
        }
        Kind::MaybeMatch { pattern, value } => {
            ("maybe_match", f.node("pattern", pattern).node("value", value))
        }
        Kind::BinaryOp { op, left, right } => {
            ("binary_op", f.word("op", op.text()).node("left", left).node("right", right))
        }
        Kind::UnaryOp { op, operand } => {
            ("unary_op", f.word("op", op.text()).node("operand", operand))
        }
        _ => return Err(f),
    })
}

/// Calls, funs, and what is made of clauses.
fn construct(kind: Kind, f: Fields<'_>) -> Found<'_> {
    Ok(match kind {
        Kind::Call { callee, args } => ("call", f.node("callee", callee).list("args", args)),
        Kind::Remote { module, name } => ("remote", f.node("module", module).node("name", name)),
        Kind::Catch { body } => ("catch", f.node("body", body)),
        Kind::Block { body } => ("block", f.list("body", body)),
        Kind::If { clauses } => ("if", f.list("clauses", clauses)),
        Kind::Case { subject, clauses } => {
            ("case", f.node("subject", subject).list("clauses", clauses))
        }
        Kind::Receive { clauses, after } => {
            let f = f.list("clauses", clauses).optional("timeout", after.map(|a| a.timeout));
            ("receive", f.optional_list("after", after.map(|a| a.body)))
        }
        Kind::Try { body, of, catch, after } => {
            let f = f.list("body", body).list("of", of);
            ("try", f.list("catch", catch).list("after", after))
        }
        Kind::Maybe { body, else_clauses } => {
            ("maybe", f.list("body", body).optional_list("else", else_clauses))
        }
        Kind::Fun { name, clauses } => {
            let f = match name {
                Some(name) => f.name("name", name),
                None => f,
            };
            ("fun", f.list("clauses", clauses))
        }
        Kind::FunName { name, arity } => ("fun_name", f.name("name", name).node("arity", arity)),
        Kind::FunRemote { module, name, arity } => {
            ("fun_remote", f.node("module", module).node("name", name).node("arity", arity))
        }
        Kind::Comprehension { which, exprs, qualifiers } => {
            let which = match which {
                ComprehensionKind::List => "list",
                ComprehensionKind::Binary => "binary",
                ComprehensionKind::Map => "map",
            };
            let f = f.word("which", which).list("exprs", exprs);
            ("comprehension", f.list("qualifiers", qualifiers))
        }
        _ => return Err(f),
    })
}

fn type_shape(kind: Kind, f: Fields<'_>) -> (&'static str, Fields<'_>) {
    match kind {
        Kind::UnionType { members } => ("union_type", f.list("members", members)),
        Kind::AnnotatedType { var, ty } => ("annotated_type", f.node("var", var).node("type", ty)),
        Kind::NamedType { name, args } => ("named_type", f.name("name", name).list("args", args)),
        Kind::RemoteType { module, name, args } => {
            ("remote_type", f.node("module", module).node("name", name).list("args", args))
        }
        Kind::TupleType { elements } => ("tuple_type", f.list("elements", elements)),
        Kind::ListType { element, nonempty } => {
            ("list_type", f.flag("nonempty", nonempty).node("element", element))
        }
        Kind::NilType => ("nil_type", f),
        Kind::MapType { fields } => ("map_type", f.list("fields", fields)),
        Kind::RecordType { name, fields } => {
            ("record_type", f.node("name", name).list("fields", fields))
        }
        Kind::RecordFieldType { name, ty } => {
            ("record_field_type", f.node("name", name).node("type", ty))
        }
        Kind::BinaryType { size, unit } => {
            ("binary_type", f.optional("size", size).optional("unit", unit))
        }
        Kind::RangeType { low, high } => ("range_type", f.node("low", low).node("high", high)),
        Kind::AnyFunType => ("any_fun_type", f),
        Kind::FunType { args, result, .. } => {
            ("fun_type", f.optional_list("args", args).node("result", result))
        }
        Kind::BoundedFunType { fun, constraints } => {
            ("bounded_fun_type", f.node("fun", fun).list("constraints", constraints))
        }
        Kind::ConstraintType { var, ty } => {
            ("constraint_type", f.node("var", var).node("type", ty))
        }
        // All other kinds are known to the functions above; a test holds this.
        _ => ("unknown", f),
    }
}

fn export_word(which: ExportKind) -> &'static str {
    match which {
        ExportKind::Functions => "export",
        ExportKind::Types => "export_type",
        ExportKind::OptionalCallbacks => "optional_callbacks",
        ExportKind::Nifs => "nifs",
        ExportKind::Records => "export_record",
    }
}
