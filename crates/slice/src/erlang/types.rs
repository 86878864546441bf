//! Of which types the values of an expression can be: by what makes them (operators, builtins, the
//! results of the program's functions, the arguments of all their calls) and by what guards say of
//! variables.
//!
//! In doubt every type. What is found holds for every run: results and parameters that come round
//! to themselves have their values from elsewhere.
//!
//! Cost: each question looks at no more than [`MOST_STEPS`] variables and calls; beyond that
//! nothing is known.

use flow::bindings::Occurrence;
use flow::{FunctionId, ModuleId};
use syntax::ast::{
    BinaryOp, ComprehensionKind, Kind, Module, NodeId, NodeList, RecordName, UnaryOp,
};
use syntax::token::Literal;

use super::build::Build;
use super::library;
use super::selection::Source;

/// How many variables and calls one question may lead to.
const MOST_STEPS: u32 = 48;

/// A set of types, as bits.
pub(crate) type Types = u16;

const TRUE: Types = 1;
const FALSE: Types = 1 << 1;
const OTHER_ATOM: Types = 1 << 2;
const INTEGER: Types = 1 << 3;
const FLOAT: Types = 1 << 4;
const NIL: Types = 1 << 5;
const CONS: Types = 1 << 6;
pub(crate) const TUPLE: Types = 1 << 7;
const MAP: Types = 1 << 8;
const BINARY: Types = 1 << 9;
const FUN: Types = 1 << 10;
const PID: Types = 1 << 11;
const PORT: Types = 1 << 12;
const REFERENCE: Types = 1 << 13;
const NATIVE_RECORD: Types = 1 << 14;
const BOOLEAN: Types = TRUE | FALSE;
pub(crate) const ATOM: Types = BOOLEAN | OTHER_ATOM;
const NUMBER: Types = INTEGER | FLOAT;
const LIST: Types = NIL | CONS;
pub(crate) const ANY: Types = Types::MAX;

/// What a type test says of a value for which it holds.
fn test(name: &str) -> Option<Types> {
    Some(match name {
        "is_atom" => ATOM,
        "is_boolean" => BOOLEAN,
        "is_integer" => INTEGER,
        "is_float" => FLOAT,
        "is_number" => NUMBER,
        "is_list" => LIST,
        "is_tuple" => TUPLE,
        "is_record" => TUPLE | NATIVE_RECORD,
        "is_map" => MAP,
        "is_binary" | "is_bitstring" => BINARY,
        "is_function" => FUN,
        "is_pid" => PID,
        "is_port" => PORT,
        "is_reference" => REFERENCE,
        _ => return None,
    })
}

/// What a function of the library gives.
fn given(module: &str, name: &str, arity: usize) -> Types {
    match (module, name, arity) {
        ("erlang", name, _) if test(name).is_some() => BOOLEAN,
        (
            "erlang",
            "length" | "tuple_size" | "map_size" | "byte_size" | "bit_size" | "size" | "round"
            | "trunc" | "floor" | "ceil" | "list_to_integer" | "binary_to_integer" | "phash2",
            _,
        ) => INTEGER,
        ("erlang", "abs", 1) | ("lists", "sum", 1) => NUMBER,
        ("erlang", "float", 1) => FLOAT,
        ("erlang", "list_to_atom" | "binary_to_atom" | "list_to_existing_atom" | "node", _) => ATOM,
        (
            "erlang",
            "atom_to_list" | "integer_to_list" | "float_to_list" | "binary_to_list"
            | "tuple_to_list" | "pid_to_list",
            _,
        ) => LIST,
        (
            "erlang",
            "list_to_binary" | "iolist_to_binary" | "atom_to_binary" | "integer_to_binary"
            | "float_to_binary" | "term_to_binary",
            _,
        ) => BINARY,
        ("erlang", "list_to_tuple" | "setelement" | "spawn_monitor", _) => TUPLE,
        ("erlang", "self", 0) | ("erlang", "spawn" | "spawn_link", _) => PID,
        ("erlang", "make_ref", 0) => REFERENCE,
        ("lists", "map" | "filter" | "zip", _)
        | ("lists", "reverse" | "sort" | "usort" | "flatten" | "droplast", 1)
        | ("lists", "seq" | "duplicate" | "sublist" | "keysort" | "delete", _)
        | ("maps", "keys" | "values" | "to_list", 1) => LIST,
        ("lists", "member" | "any" | "all" | "keymember", _) | ("maps", "is_key", 2) => BOOLEAN,
        (
            "maps",
            "new" | "put" | "merge" | "remove" | "from_list" | "update" | "map" | "filter",
            _,
        ) => MAP,
        ("lists", "partition" | "split" | "splitwith" | "unzip", _) => TUPLE,
        ("maps", "size", 1) | ("string", "length", 1) => INTEGER,
        _ => ANY,
    }
}

/// The types of what a constructor or a literal stands for, in an expression or a pattern.
fn written(tree: &Module, node: NodeId) -> Option<Types> {
    Some(match tree.kind(node) {
        Kind::Atom(atom::known::TRUE) => TRUE,
        Kind::Atom(atom::known::FALSE) => FALSE,
        Kind::Atom(_) => OTHER_ATOM,
        Kind::Integer(_) | Kind::Char(_) => INTEGER,
        Kind::Float(_) => FLOAT,
        Kind::String(id) => match tree.literal(id) {
            Literal::String(text) if text.is_empty() => NIL,
            _ => CONS,
        },
        Kind::Nil => NIL,
        Kind::List { .. } => CONS,
        Kind::Record { name: RecordName::Remote(..) | RecordName::Any, .. } => NATIVE_RECORD,
        Kind::Record { .. } if tree.has_native_records => TUPLE | NATIVE_RECORD,
        Kind::Tuple { .. } | Kind::Record { .. } => TUPLE,
        Kind::Map { .. } => MAP,
        Kind::Binary { .. } => BINARY,
        _ => return None,
    })
}

/// The types of what matches a pattern.
pub(crate) fn of_pattern(tree: &Module, pattern: NodeId) -> Types {
    match tree.kind(pattern) {
        Kind::Match { pattern, value } => stacker::maybe_grow(64 << 10, 1 << 20, || {
            of_pattern(tree, pattern) & of_pattern(tree, value)
        }),
        _ => written(tree, pattern).unwrap_or(ANY),
    }
}

/// What each alternative of a guard says of variables, by their definitions.
pub(crate) fn tested(
    build: &Build<'_>,
    module: ModuleId,
    guards: NodeList,
) -> Vec<Vec<(NodeId, Types)>> {
    let tree = &build.flow.modules[module].tree;
    let bindings = &build.flow.bindings[module];
    let one = |&node: &NodeId| {
        let Kind::Call { args, .. } = tree.kind(node) else { return None };
        let (of, name) = library::name(build, module, node)?;
        let types = test(name.as_str()).filter(|_| of == atom::known::ERLANG)?;
        let &variable = tree.list(args).first()?;
        let Occurrence::Use(&[definition]) = bindings.occurrence(variable) else { return None };
        Some((definition, types))
    };
    let alternative = |&guard: &NodeId| match tree.kind(guard) {
        Kind::Guard { tests } => tree.list(tests).iter().filter_map(one).collect(),
        _ => Vec::new(),
    };
    tree.list(guards).iter().map(alternative).collect()
}

/// The types of an expression.
pub(crate) fn of(build: &Build<'_>, module: ModuleId, node: NodeId) -> Types {
    let mut inference = Inference { build, steps: 0, pending: Vec::new() };
    inference.expression(module, node)
}

/// What is being looked at.
#[derive(PartialEq)]
enum Pending {
    Parameter(FunctionId, u32),
    Result(FunctionId),
}

struct Inference<'b, 'p> {
    build: &'b Build<'p>,
    steps: u32,
    pending: Vec<Pending>,
}

impl Inference<'_, '_> {
    fn expression(&mut self, module: ModuleId, node: NodeId) -> Types {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expression_here(module, node))
    }

    fn expression_here(&mut self, module: ModuleId, node: NodeId) -> Types {
        let tree = self.build.flow.modules[module].tree.clone();
        if let Some(types) = written(&tree, node) {
            return types;
        }
        match tree.kind(node) {
            Kind::Fun { .. } | Kind::FunName { .. } | Kind::FunRemote { .. } => FUN,
            Kind::Match { value, .. } => self.expression(module, value),
            Kind::Block { body } => self.last(module, body),
            Kind::Case { clauses, .. } | Kind::If { clauses } => self.clauses(module, clauses),
            Kind::Comprehension { which, .. } => match which {
                ComprehensionKind::List => LIST,
                ComprehensionKind::Binary => BINARY,
                ComprehensionKind::Map => MAP,
            },
            Kind::UnaryOp { op, .. } => match op {
                UnaryOp::Plus | UnaryOp::Minus => NUMBER,
                UnaryOp::Not => BOOLEAN,
                UnaryOp::Bnot => INTEGER,
            },
            Kind::BinaryOp { op, right, .. } => self.operator(module, op, right),
            Kind::Var(_) => self.variable(module, node),
            Kind::Call { args, .. } => self.call(module, node, args.len as usize),
            _ => ANY,
        }
    }

    fn operator(&mut self, module: ModuleId, op: BinaryOp, right: NodeId) -> Types {
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => NUMBER,
            BinaryOp::Div => FLOAT,
            BinaryOp::IntDiv
            | BinaryOp::Rem
            | BinaryOp::Band
            | BinaryOp::Bor
            | BinaryOp::Bxor
            | BinaryOp::Bsl
            | BinaryOp::Bsr => INTEGER,
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Le
            | BinaryOp::Lt
            | BinaryOp::Ge
            | BinaryOp::Gt
            | BinaryOp::ExactEq
            | BinaryOp::ExactNe => BOOLEAN,
            BinaryOp::Andalso | BinaryOp::Orelse => BOOLEAN | self.expression(module, right),
            BinaryOp::Send => self.expression(module, right),
            BinaryOp::Subtract => LIST,
            // `[] ++ X` is `X`.
            BinaryOp::Append => ANY,
        }
    }

    fn last(&mut self, module: ModuleId, body: NodeList) -> Types {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(body).last().map_or(ANY, |&last| self.expression(module, last))
    }

    fn clauses(&mut self, module: ModuleId, clauses: NodeList) -> Types {
        let tree = self.build.flow.modules[module].tree.clone();
        let mut types = 0;
        for &clause in tree.list(clauses) {
            let Kind::Clause { body, .. } = tree.kind(clause) else { return ANY };
            types |= self.last(module, body);
            if types == ANY {
                break;
            }
        }
        types
    }

    fn variable(&mut self, module: ModuleId, node: NodeId) -> Types {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return ANY;
        }
        let build = self.build;
        let Occurrence::Use(&[definition]) = build.flow.bindings[module].occurrence(node) else {
            return ANY;
        };
        let types = match build.selection.source(module, definition) {
            Some(Source::Value(value)) => self.expression(module, value),
            Some(Source::Parameter(function, index)) => self.parameter(function, index),
            None => ANY,
        };
        types & build.selection.narrowed(module, definition)
    }

    fn parameter(&mut self, function: FunctionId, index: u32) -> Types {
        let pending = Pending::Parameter(function, index);
        if self.pending.contains(&pending) {
            return 0;
        }
        let build = self.build;
        let Some(calls) = build.selection.calls_of(function) else { return ANY };
        self.pending.push(pending);
        let mut types = 0;
        for &(module, call) in calls {
            let tree = &build.flow.modules[module].tree;
            types |= match tree.kind(call) {
                Kind::Call { args, .. } => match tree.list(args).get(index as usize) {
                    Some(&arg) => self.expression(module, arg),
                    None => ANY,
                },
                _ => ANY,
            };
            if types == ANY {
                break;
            }
        }
        self.pending.pop();
        types
    }

    fn call(&mut self, module: ModuleId, node: NodeId, arity: usize) -> Types {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return ANY;
        }
        let build = self.build;
        if let Some((of, name)) = library::name(build, module, node) {
            return given(of.as_str(), name.as_str(), arity);
        }
        let loaded = &build.program.modules[module.index()];
        let target = loaded.target(node).and_then(|target| target.mfa(loaded.name));
        let Some(function) = target.and_then(|(of, name, arity)| build.find(of, name, arity))
        else {
            return ANY;
        };
        let pending = Pending::Result(function);
        if self.pending.contains(&pending) {
            return 0;
        }
        self.pending.push(pending);
        let called = build.flow.function(function);
        let types = self.clauses(called.module, called.clauses);
        self.pending.pop();
        types
    }
}
