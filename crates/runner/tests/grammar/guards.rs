//! Guards, and the expressions that are allowed in them, in keys and in sizes.

use super::Writer;
use super::table::{Class, GUARDS, Type};

impl Writer {
    /// ` when …`
    pub(super) fn when(&mut self, place: &str) -> String {
        format!(" when {}", self.guard(place))
    }

    pub(super) fn guard(&mut self, place: &str) -> String {
        let first = self.guard_part(place, Type::Bool, 2);
        match self.random.below(4) {
            0 => format!("({first}), ({})", self.guard_part(place, Type::Bool, 1)),
            1 => format!("({first}); ({})", self.guard_part(place, Type::Bool, 1)),
            _ => format!("({first})"),
        }
    }

    pub(super) fn guard_part(&mut self, place: &str, ty: Type, depth: u32) -> String {
        if let Some(kind) = self.take_forced(place) {
            let ty = self.fitting(Class::Guard, kind, ty);
            return self.make_guard(kind, ty, depth.max(1));
        }
        if depth == 0 || self.random.once_in(3) {
            return match ty {
                Type::Fun => self.variable(ty),
                _ if self.random.once_in(2) => self.variable(ty),
                _ => self.literal(ty),
            };
        }
        let fits = |&&(kind, own): &&(&'static str, Option<Type>)| {
            own.is_none_or(|own| own == ty) && (kind != "call_bif" || ty != Type::Fun)
        };
        let kinds: Vec<&'static str> = GUARDS.iter().filter(fits).map(|&(kind, _)| kind).collect();
        let kind = if kinds.is_empty() { "var" } else { *self.random.pick(&kinds) };
        self.make_guard(kind, ty, depth - 1)
    }

    fn sub_guard(&mut self, place: &str, ty: Type, depth: u32) -> String {
        format!("({})", self.guard_part(place, ty, depth))
    }

    fn make_guard(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        match kind {
            "atom" if ty == Type::Bool => self.literal(Type::Bool),
            "var" => self.variable(ty),
            "atom" | "integer" | "float" | "char" | "string" | "nil" => self.constant_of(kind),
            "list" => {
                let first = self.sub_guard("g.list.element", Type::Int, depth);
                let second = self.sub_guard("g.list.element", Type::Int, depth);
                format!("[{first}, {second}]")
            }
            "cons" => {
                let first = self.sub_guard("g.cons.element", Type::Int, depth);
                format!("[{first} | {}]", self.sub_guard("g.cons.tail", Type::List, depth))
            }
            "tuple" => {
                let first = self.sub_guard("g.tuple.element", Type::Int, depth);
                format!("{{{first}, {}}}", self.sub_guard("g.tuple.element", Type::Atom, depth))
            }
            "map" => {
                let key = self.sub_guard("g.map.key", Type::Atom, depth);
                format!("#{{{key} => {}}}", self.sub_guard("g.map.value", Type::Int, depth))
            }
            "map_update" => {
                let base = self.sub_guard("g.map_update.base", Type::Map, depth);
                let exact = ["g.map_update.exact_key", "g.map_update.exact_value"];
                if self.chooses(&exact, &["g.map_update.key", "g.map_update.value"], 3) {
                    let key = self.sub_guard("g.map_update.exact_key", Type::Atom, depth);
                    let value = self.sub_guard("g.map_update.exact_value", Type::Int, depth);
                    format!("{base}#{{{key} := {value}}}")
                } else {
                    let key = self.sub_guard("g.map_update.key", Type::Atom, depth);
                    let value = self.sub_guard("g.map_update.value", Type::Int, depth);
                    format!("{base}#{{{key} => {value}}}")
                }
            }
            "record" => {
                if self.chooses(&["g.record.rest"], &["g.record.field"], 4) {
                    format!("#rec{{_ = {}}}", self.sub_guard("g.record.rest", Type::Int, depth))
                } else {
                    format!("#rec{{a = {}}}", self.sub_guard("g.record.field", Type::Int, depth))
                }
            }
            "record_access" => {
                let base = self.sub_guard("g.record_access.base", Type::Record, depth);
                format!("{base}#rec.{}", if ty == Type::Atom { "b" } else { "a" })
            }
            "record_index" => "#rec.b".to_owned(),
            "binary" => {
                let value = self.sub_guard("g.binary.value", Type::Int, depth);
                if self.is_next("g.binary.size") || self.random.once_in(2) {
                    let size = self.sub_guard("g.binary.size", Type::Int, depth);
                    format!("<<{value}:{size}>>")
                } else {
                    format!("<<{value}>>")
                }
            }
            "arith" => {
                let op = *self.random.pick(&["+", "-", "*", "div", "rem", "band", "bor"]);
                self.guard_operator("arith", op, Type::Int, Type::Int, depth)
            }
            "compare" => {
                let ops = ["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="];
                let op = *self.random.pick(&ops);
                let ty = self.ordered_type();
                self.guard_operator("compare", op, ty, ty, depth)
            }
            "logic" => {
                let op = *self.random.pick(&["and", "or", "xor"]);
                self.guard_operator("logic", op, Type::Bool, Type::Bool, depth)
            }
            "andalso" | "orelse" => self.guard_operator(kind, kind, Type::Bool, ty, depth),
            "minus" => {
                let op = *self.random.pick(&["-", "+", "bnot "]);
                format!("{op}{}", self.sub_guard("g.minus.operand", Type::Int, depth))
            }
            "not" => format!("not {}", self.sub_guard("g.not.operand", Type::Bool, depth)),
            "call_bif" => self.guard_call("", "g.call_bif.arg", ty, depth),
            "call_remote" => self.guard_call("erlang:", "g.call_remote.arg", ty, depth),
            other => panic!("no guard: {other}"),
        }
    }

    fn guard_operator(
        &mut self,
        kind: &str,
        op: &str,
        left: Type,
        right: Type,
        depth: u32,
    ) -> String {
        let left = self.sub_guard(&format!("g.{kind}.left"), left, depth);
        let right = self.sub_guard(&format!("g.{kind}.right"), right, depth);
        format!("{left} {op} {right}")
    }

    fn guard_call(&mut self, module: &str, place: &str, ty: Type, depth: u32) -> String {
        let (name, of) = match ty {
            Type::Int => *self.random.pick(&[
                ("length", Type::List),
                ("abs", Type::Int),
                ("hd", Type::List),
                ("tuple_size", Type::Pair),
                ("byte_size", Type::Bits),
                ("map_size", Type::Map),
                ("round", Type::Float),
            ]),
            Type::Float => ("float", Type::Int),
            Type::List => ("tl", Type::List),
            Type::Atom => {
                let pair = self.sub_guard(place, Type::Pair, depth);
                return format!("{module}element(2, {pair})");
            }
            _ => {
                let tests = ["is_integer", "is_atom", "is_list", "is_tuple", "is_map", "is_float"];
                (*self.random.pick(&tests), self.any_type())
            }
        };
        format!("{module}{name}({})", self.sub_guard(place, of, depth))
    }

    /// A type whose values have the same order on both sides.
    pub(super) fn ordered_type(&mut self) -> Type {
        match self.any_type() {
            Type::Fun => Type::Int,
            ty => ty,
        }
    }

    pub(super) fn constant_of(&mut self, kind: &str) -> String {
        match kind {
            "atom" => self.literal(Type::Atom),
            "integer" => self.random.below(9).to_string(),
            "float" => self.literal(Type::Float),
            "char" => "$b".to_owned(),
            "string" => "\"abc\"".to_owned(),
            _ => "[]".to_owned(),
        }
    }
}
