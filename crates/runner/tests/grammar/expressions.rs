//! Expressions.

use std::fmt::Write as _;

use super::Writer;
use super::table::{Class, EXPRESSIONS, Type};

impl Writer {
    /// An expression of a type, mostly.
    pub(super) fn expr(&mut self, ty: Type, depth: u32) -> String {
        if depth == 0 || self.fuel == 0 || self.random.once_in(4) {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        let fits = |&&(_, own): &&(&'static str, Option<Type>)| own.is_none_or(|own| own == ty);
        let kinds: Vec<&'static str> =
            EXPRESSIONS.iter().filter(fits).map(|&(kind, _)| kind).collect();
        let kind = *self.random.pick(&kinds);
        self.make(kind, ty, depth - 1)
    }

    fn leaf(&mut self, ty: Type) -> String {
        match self.random.below(4) {
            0 => self.literal(ty),
            1 => {
                let number = self.random.below(100);
                format!("t({number}, {})", self.literal(ty))
            }
            _ => self.variable(ty),
        }
    }

    /// What is in a place.
    fn child(&mut self, place: &str, ty: Type, depth: u32) -> String {
        match self.take_forced(place) {
            Some(kind) => {
                let ty = self.fitting(Class::Expression, kind, ty);
                self.make(kind, ty, depth.max(1))
            }
            None => self.expr(ty, depth),
        }
    }

    fn sub(&mut self, place: &str, ty: Type, depth: u32) -> String {
        format!("({})", self.child(place, ty, depth))
    }

    /// Parts that do not see each other's variables. They may bind the same names.
    fn operands(&mut self, parts: &[(&str, Type)], depth: u32) -> Vec<String> {
        let scope = self.scope.len();
        let own = (depth > 0 && self.random.once_in(2)).then(|| self.new_name("S"));
        self.shared.extend(own.clone());
        let before = self.shared.clone();
        let mut left = before.clone();
        let mut texts = Vec::new();
        for &(place, ty) in parts {
            self.shared.clone_from(&before);
            // The judge's compiler makes matches of them.
            self.in_match = place.starts_with("record_update.");
            texts.push(self.sub(place, ty, depth));
            self.in_match = false;
            self.scope.truncate(scope);
            left.retain(|name| self.shared.contains(name));
        }
        left.retain(|name| Some(name) != own.as_ref());
        self.shared = left;
        texts
    }

    /// Something whose variables nobody sees afterwards, and which the lint does not remember.
    fn apart<T>(&mut self, inside: impl FnOnce(&mut Writer) -> T) -> T {
        let (scope, shared) = (self.scope.clone(), self.shared.clone());
        let made = inside(self);
        self.scope = scope;
        self.shared = shared;
        made
    }

    /// One of several branches. What each of them used of the shared names is gone after all.
    fn branch<T>(
        &mut self,
        before: &[String],
        left: &mut Vec<String>,
        inside: impl FnOnce(&mut Writer) -> T,
    ) -> T {
        let scope = self.scope.clone();
        self.shared = before.to_vec();
        let made = inside(self);
        self.scope = scope;
        left.retain(|name| self.shared.contains(name));
        made
    }

    /// A body; `prefix` tells those of one parent apart.
    pub(super) fn body(&mut self, owner: &str, prefix: &str, ty: Type, depth: u32) -> String {
        let (step, last) = (format!("{owner}.{prefix}step"), format!("{owner}.{prefix}last"));
        let mut parts = Vec::new();
        let steps = if self.is_next(&step) { 1 } else { self.random.below(2) };
        for _ in 0..steps {
            let of = self.any_type();
            let plain = self.is_next(&step) || self.random.once_in(3);
            self.in_match = !plain;
            let value = self.child(&step, of, depth);
            self.in_match = false;
            if plain {
                parts.push(format!("({value})"));
            } else if !value.contains(") = (") && self.random.once_in(2) {
                let pattern = self.pattern("match.pattern", of, 1);
                parts.push(format!("({pattern}) = ({value})"));
            } else {
                let name = self.bind(of);
                parts.push(format!("{name} = ({value})"));
            }
        }
        // The judge's compiler matches what comes last behind `after` with `_`.
        self.in_match = prefix == "after_" && owner == "try_after";
        parts.push(format!("({})", self.child(&last, ty, depth)));
        self.in_match = false;
        parts.join(",\n    ")
    }

    /// Clauses with patterns for a value of a type, without a last one that takes everything.
    fn clauses(&mut self, owner: &str, prefix: &str, of: Type, ty: Type, depth: u32) -> String {
        let pattern_place = match prefix {
            "else_" => format!("{owner}.else_pattern"),
            _ => format!("{owner}.pattern"),
        };
        let guard_place = match prefix {
            "of_" => format!("{owner}.of_guard"),
            _ => format!("{owner}.guard"),
        };
        let before = self.shared.clone();
        let mut left = before.clone();
        let mut clauses = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            clauses.push(self.branch(&before, &mut left, |this| {
                let pattern = this.pattern(&pattern_place, of, 2);
                let guard = if this.is_next(&guard_place) || this.random.once_in(4) {
                    this.when(&guard_place)
                } else {
                    String::new()
                };
                format!("{pattern}{guard} ->\n    {}", this.body(owner, prefix, ty, depth))
            }));
        }
        self.shared = left;
        clauses.join(";\n    ")
    }

    /// A body of its own branch, after clauses.
    fn otherwise(&mut self, owner: &str, prefix: &str, ty: Type, depth: u32) -> String {
        let scope = self.scope.clone();
        let body = self.body(owner, prefix, ty, depth);
        self.scope = scope;
        body
    }

    pub(super) fn make(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        self.in_match &= kind == "match";
        match kind {
            "atom" if ty == Type::Bool => self.literal(Type::Bool),
            "var" => self.variable(ty),
            "atom" | "integer" | "float" | "char" | "string" | "nil" => self.constant_of(kind),
            "list" => {
                let place = ("list.element", Type::Int);
                let parts = [place; 3];
                let count = 1 + self.random.below(3);
                format!("[{}]", self.operands(&parts[..count], depth).join(", "))
            }
            "cons" => {
                let parts = [("cons.element", Type::Int), ("cons.tail", Type::List)];
                format!("[{}]", self.operands(&parts, depth).join(" | "))
            }
            "tuple" => {
                let parts = [("tuple.element", Type::Int), ("tuple.element", Type::Atom)];
                format!("{{{}}}", self.operands(&parts, depth).join(", "))
            }
            "map" | "map_update" => self.map(kind, depth),
            "record" | "record_update" | "record_access" => self.record(kind, ty, depth),
            "record_index" => "#rec.a".to_owned(),
            "binary" => self.binary(depth),
            "match" => {
                let inner = std::mem::take(&mut self.in_match);
                self.in_match = true;
                let depth = if self.is_next("match.pattern") { 0 } else { depth };
                let value = self.sub("match.value", ty, depth);
                // Whether the value is a match, too.
                self.in_match = inner || value.contains(") = (");
                // Two binaries that are matched with one value are not allowed.
                let pattern = match inner && !self.is_next("match.pattern") {
                    true => self.bind(ty),
                    false => self.pattern("match.pattern", ty, 2),
                };
                self.in_match = false;
                format!("({pattern}) = {value}")
            }
            "arith" => {
                let op = *self.random.pick(&["+", "-", "*", "div", "rem", "band", "bor", "bxor"]);
                self.operator("arith", op, Type::Int, Type::Int, depth)
            }
            "compare" => {
                let ops = ["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="];
                let op = *self.random.pick(&ops);
                let ty = self.ordered_type();
                self.operator("compare", op, ty, ty, depth)
            }
            "logic" => {
                let op = *self.random.pick(&["and", "or", "xor"]);
                self.operator("logic", op, Type::Bool, Type::Bool, depth)
            }
            "append" => self.operator("append", "++", Type::List, Type::List, depth),
            "subtract" => self.operator("subtract", "--", Type::List, Type::List, depth),
            "andalso" | "orelse" => {
                // The right side sees what the left one binds.
                let left = self.sub(&format!("{kind}.left"), Type::Bool, depth);
                let scope = self.scope.clone();
                let right = self.sub(&format!("{kind}.right"), ty, depth);
                self.scope = scope;
                format!("{left} {kind} {right}")
            }
            "send" => {
                if self.is_next("send.to") || self.random.once_in(4) {
                    let parts = [("send.to", Type::Atom), ("send.message", ty)];
                    self.operands(&parts, depth).join(" ! ")
                } else {
                    format!("self() ! {}", self.sub("send.message", ty, depth))
                }
            }
            "minus" => {
                let op = *self.random.pick(&["-", "+", "bnot "]);
                format!("{op}{}", self.sub("minus.operand", Type::Int, depth))
            }
            "not" => format!("not {}", self.sub("not.operand", Type::Bool, depth)),
            "call" | "call_bif" | "call_remote" | "call_dynamic" | "call_fun" => {
                self.call(kind, ty, depth)
            }
            "fun" | "named_fun" | "fun_name" | "fun_remote" => self.fun(kind, depth),
            "lc" | "lc_filter" | "bc" | "bc_filter" => {
                self.apart(|this| this.comprehension(kind, depth))
            }
            _ => self.control(kind, ty, depth),
        }
    }

    fn operator(&mut self, kind: &str, op: &str, left: Type, right: Type, depth: u32) -> String {
        let (l, r) = (format!("{kind}.left"), format!("{kind}.right"));
        self.operands(&[(&l, left), (&r, right)], depth).join(&format!(" {op} "))
    }

    fn map(&mut self, kind: &str, depth: u32) -> String {
        let (key, value) = (Type::Atom, Type::Int);
        if kind == "map" {
            let parts =
                [("map.key", key), ("map.value", value), ("map.key", key), ("map.value", value)];
            let count = if self.random.once_in(2) { 2 } else { 4 };
            return format!("#{{{}}}", pairs(&self.operands(&parts[..count], depth), " => "));
        }
        let base = ("map_update.base", Type::Map);
        let exact = ["map_update.exact_key", "map_update.exact_value"];
        if self.chooses(&exact, &["map_update.key", "map_update.value"], 3) {
            let parts = [base, ("map_update.exact_key", key), ("map_update.exact_value", value)];
            let made = self.operands(&parts, depth);
            format!("{}#{{{}}}", made[0], pairs(&made[1..], " := "))
        } else {
            let parts = [base, ("map_update.key", key), ("map_update.value", value)];
            let made = self.operands(&parts, depth);
            format!("{}#{{{}}}", made[0], pairs(&made[1..], " => "))
        }
    }

    fn record(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        match kind {
            "record" if self.chooses(&["record.rest"], &["record.field"], 4) => {
                let parts = [("record.field", Type::Atom), ("record.rest", Type::Int)];
                if self.random.once_in(2) {
                    // For every field its value is evaluated anew: it binds nothing twice.
                    let rest = self.operands(&parts[1..], 0);
                    return format!("#rec{{_ = {}}}", rest[0]);
                }
                let made = self.operands(&parts, depth);
                format!("#rec{{b = {}, _ = {}}}", made[0], made[1])
            }
            "record" => {
                let parts = [("record.field", Type::Int), ("record.field", Type::Atom)];
                let made = self.operands(&parts, depth);
                match self.random.below(3) {
                    0 => format!("#rec{{a = {}}}", made[0]),
                    1 => format!("#rec{{b = {}, a = {}}}", made[1], made[0]),
                    _ => format!("#rec{{a = {}, b = {}}}", made[0], made[1]),
                }
            }
            "record_update" => {
                let both = self.random.once_in(3);
                let parts = [
                    ("record_update.base", Type::Record),
                    ("record_update.field", Type::Int),
                    ("record_update.field", Type::Atom),
                ];
                let made = self.operands(&parts[..if both { 3 } else { 2 }], depth);
                match both {
                    true => format!("{}#rec{{a = {}, b = {}}}", made[0], made[1], made[2]),
                    false => format!("{}#rec{{a = {}}}", made[0], made[1]),
                }
            }
            _ => {
                let base = self.sub("record_access.base", Type::Record, depth);
                format!("{base}#rec.{}", if ty == Type::Atom { "b" } else { "a" })
            }
        }
    }

    fn binary(&mut self, depth: u32) -> String {
        let sized = self.is_next("binary.size") || self.random.once_in(3);
        let more = self.random.once_in(3);
        let mut parts = vec![("binary.value", Type::Int)];
        if sized {
            parts.push(("binary.size", Type::Int));
        }
        if more {
            parts.push(("binary.value", Type::Bits));
        }
        let made = self.operands(&parts, depth);
        let mut text = format!("<<{}", made[0]);
        if sized {
            let _ = write!(text, ":{}", made[1]);
            let spec = *self.random.pick(&["", "/little", "/unit:2", "/signed"]);
            text.push_str(spec);
        } else if !made[0].starts_with("(\"") {
            let spec = *self.random.pick(&["", "", "/little", "/utf8"]);
            text.push_str(spec);
        }
        if more && let Some(last) = made.last() {
            let spec = if last.starts_with("(\"") { "" } else { "/bits" };
            let _ = write!(text, ", {last}{spec}");
        }
        text + ">>"
    }

    fn call(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        match kind {
            "call" => {
                let parts = [("call.arg", ty), ("call.arg", Type::Int)];
                match self.random.below(3) {
                    0 => format!("id({})", self.operands(&parts[..1], depth)[0]),
                    1 => {
                        let number = self.random.below(100);
                        format!("t({number}, {})", self.operands(&parts[..1], depth)[0])
                    }
                    _ => format!("pick({})", self.operands(&parts, depth).join(", ")),
                }
            }
            "call_bif" => self.builtin_call(ty, depth),
            "call_remote" => self.remote_call(ty, depth),
            "call_dynamic" => {
                let arg = ("call_dynamic.arg", Type::Int);
                if self.is_next("call_dynamic.name") {
                    let made = self.operands(&[("call_dynamic.name", Type::Atom), arg], depth);
                    return format!("Mod:{}({})", made[0], made[1]);
                }
                if self.is_next("call_dynamic.module") || self.random.once_in(3) {
                    let made = self.operands(&[("call_dynamic.module", Type::Atom), arg], depth);
                    return format!("{}:Fn({})", made[0], made[1]);
                }
                format!("Mod:Fn({})", self.operands(&[arg], depth)[0])
            }
            _ => {
                if self.chooses(&["call_fun.callee"], &[], 2) {
                    let parts = [("call_fun.callee", Type::Fun), ("call_fun.arg", Type::Int)];
                    let made = self.operands(&parts, depth);
                    return format!("{}({})", made[0], made[1]);
                }
                let of = self.any_type();
                let made = self.operands(&[("call_fun.arg", of)], depth);
                let clause = self.apart(|this| {
                    let name = this.bind(of);
                    format!("fun({name}) ->\n    {}", this.body("fun", "", ty, depth))
                });
                format!("({clause} end)({})", made[0])
            }
        }
    }

    fn builtin_call(&mut self, ty: Type, depth: u32) -> String {
        let place = "call_bif.arg";
        if self.random.once_in(12) {
            let name = *self.random.pick(&["error", "throw", "exit"]);
            let of = self.any_type();
            return format!("{name}({})", self.operands(&[(place, of)], depth)[0]);
        }
        let (name, parts): (&str, Vec<Type>) = match ty {
            Type::Int => match self.random.below(6) {
                0 => ("length", vec![Type::List]),
                1 => ("hd", vec![Type::List]),
                2 => ("byte_size", vec![Type::Bits]),
                3 => ("map_get", vec![Type::Atom, Type::Map]),
                4 => ("abs", vec![Type::Int]),
                _ => ("max", vec![Type::Int, Type::Int]),
            },
            Type::Float => ("float", vec![Type::Int]),
            Type::List => match self.random.below(2) {
                0 => ("tl", vec![Type::List]),
                _ => ("binary_to_list", vec![Type::Bits]),
            },
            Type::Pair => ("setelement", vec![Type::Int, Type::Pair, Type::Int]),
            Type::Bits => ("list_to_binary", vec![Type::List]),
            Type::Bool => match self.random.below(2) {
                0 => ("is_integer", vec![self.any_type()]),
                _ => ("is_map_key", vec![Type::Atom, Type::Map]),
            },
            Type::Fun => ("get", vec![Type::Atom]),
            Type::Map | Type::Record => ("min", vec![ty, ty]),
            Type::Atom => ("put", vec![Type::Atom, Type::Int]),
        };
        let parts: Vec<(&str, Type)> = parts.into_iter().map(|ty| (place, ty)).collect();
        format!("{name}({})", self.operands(&parts, depth).join(", "))
    }

    fn remote_call(&mut self, ty: Type, depth: u32) -> String {
        let (name, parts): (&str, Vec<Type>) = match ty {
            Type::Int => match self.random.below(4) {
                0 => ("lists:sum", vec![Type::List]),
                1 => ("erlang:abs", vec![Type::Int]),
                2 => ("maps:get", vec![Type::Atom, Type::Map, Type::Int]),
                _ => ("erlang:length", vec![Type::List]),
            },
            Type::Bool => ("lists:member", vec![Type::Int, Type::List]),
            Type::List => ("lists:map", vec![Type::Fun, Type::List]),
            Type::Map => ("maps:merge", vec![Type::Map, Type::Map]),
            Type::Pair => ("erlang:setelement", vec![Type::Int, Type::Pair, Type::Int]),
            Type::Bits => ("erlang:list_to_bitstring", vec![Type::List]),
            Type::Atom => ("erlang:element", vec![Type::Int, Type::Pair]),
            _ => ("lists:reverse", vec![Type::List]),
        };
        let parts: Vec<(&str, Type)> =
            parts.into_iter().map(|ty| ("call_remote.arg", ty)).collect();
        format!("{name}({})", self.operands(&parts, depth).join(", "))
    }

    fn fun(&mut self, kind: &str, depth: u32) -> String {
        match kind {
            "fun_name" => (*self.random.pick(&["fun neg/1", "fun id/1", "fun pick/2"])).to_owned(),
            "fun_remote" => {
                let module = self.take_forced("fun_remote.module").unwrap_or("atom");
                let name = self.take_forced("fun_remote.name").unwrap_or("atom");
                let arity = self.take_forced("fun_remote.arity").unwrap_or("integer");
                let part = |kind: &str, plain: &'static str, var| match kind {
                    "var" => var,
                    _ => plain,
                };
                let (module, name) = (part(module, "erlang", "Mod"), part(name, "abs", "Fn"));
                format!("fun {module}:{name}/{}", part(arity, "1", "Ar"))
            }
            _ => self.apart(|this| {
                let name = if kind == "named_fun" { this.new_name("F") } else { String::new() };
                let last_only = !this.is_next_in(&format!("{kind}.")) && this.random.once_in(2);
                let mut text = format!("fun {name}");
                if !last_only {
                    let clause = this.apart(|this| this.fun_clause(kind, depth));
                    let _ = write!(text, "{clause};\n    {name}");
                }
                let last = this.apart(|this| {
                    let param = this.bind(Type::Int);
                    format!("({param}) ->\n    {}", this.body(kind, "", Type::Int, depth))
                });
                format!("{text}{last} end")
            }),
        }
    }

    fn fun_clause(&mut self, kind: &str, depth: u32) -> String {
        let pattern = self.pattern(&format!("{kind}.pattern"), Type::Int, 2);
        let place = format!("{kind}.guard");
        let guard = if self.is_next(&place) || self.random.once_in(3) {
            self.when(&place)
        } else {
            String::new()
        };
        format!("({pattern}){guard} ->\n    {}", self.body(kind, "", Type::Int, depth))
    }

    fn comprehension(&mut self, kind: &str, depth: u32) -> String {
        let is_bits = kind.starts_with("bc");
        let generates = matches!(kind, "lc" | "bc");
        let mut qualifiers = Vec::new();
        let filter_place = format!("{kind}.filter");
        if generates {
            if !self.is_next_in(&format!("{kind}.")) && self.random.once_in(5) {
                qualifiers.push(self.sub(&filter_place, Type::Bool, depth.min(1)));
            }
            for _ in 0..1 + usize::from(self.random.once_in(4)) {
                let generator = self.generator(kind, depth);
                qualifiers.push(generator);
            }
        } else {
            qualifiers.push(self.sub(&filter_place, Type::Bool, depth));
        }
        if self.is_next(&filter_place) || self.random.once_in(3) {
            qualifiers.push(self.sub(&filter_place, Type::Bool, depth));
        }
        let of = if is_bits { Type::Bits } else { Type::Int };
        let template = self.sub(&format!("{kind}.template"), of, depth);
        let qualifiers = qualifiers.join(", ");
        match is_bits {
            true => format!("<< {template} || {qualifiers} >>"),
            false => format!("[{template} || {qualifiers}]"),
        }
    }

    fn generator(&mut self, kind: &str, depth: u32) -> String {
        let bits = [format!("{kind}.bits_source"), format!("{kind}.bits_pattern")];
        let list = [format!("{kind}.source"), format!("{kind}.pattern")];
        if self.chooses(&[&bits[0], &bits[1]], &[&list[0], &list[1]], 4) {
            // What a source binds is forgotten at once.
            let source = self.apart(|this| this.sub(&bits[0], Type::Bits, depth));
            let before = self.scope.len();
            self.take_forced(&format!("{kind}.bits_pattern"));
            let pattern = self.binary_pattern(before, true);
            return format!("{pattern} <= {source}");
        }
        let source = self.apart(|this| this.sub(&list[0], Type::List, depth));
        let pattern = self.pattern(&format!("{kind}.pattern"), Type::Int, 2);
        format!("{pattern} <- {source}")
    }

    fn control(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        match kind {
            "catch" => {
                let scope = self.scope.clone();
                let body = self.sub("catch.body", ty, depth);
                self.scope = scope;
                format!("catch {body}")
            }
            "block" => format!("begin {} end", self.otherwise(kind, "", ty, depth)),
            "if" => {
                let before = self.shared.clone();
                let mut left = before.clone();
                let first = self.branch(&before, &mut left, |this| {
                    let guard = this.guard("if.guard");
                    format!("{guard} ->\n    {}", this.body(kind, "", ty, depth))
                });
                let last = self.branch(&before, &mut left, |this| this.body(kind, "", ty, depth));
                self.shared = left;
                format!("if {first};\n    true ->\n    {last}\n    end")
            }
            "case" => {
                let of = self.any_type();
                let subject = self.sub("case.subject", of, depth);
                let before = self.shared.clone();
                let clauses = self.clauses(kind, "", of, ty, depth);
                let mut left = std::mem::replace(&mut self.shared, before.clone());
                let last = self.branch(&before, &mut left, |this| this.body(kind, "", ty, depth));
                self.shared = left;
                format!("case {subject} of {clauses};\n    _ ->\n    {last}\n    end")
            }
            "receive" | "receive_after" => self.receive(kind, ty, depth),
            "try" | "try_of" | "try_after" => self.try_expr(kind, ty, depth),
            "maybe" | "maybe_else" => self.maybe(kind, ty, depth),
            other => panic!("no expression: {other}"),
        }
    }

    fn receive(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        // The time comes first.
        let timeout = if kind == "receive_after" {
            if self.is_next("receive_after.timeout") || self.random.once_in(3) {
                let scope = self.scope.clone();
                let timeout = self.sub("receive_after.timeout", Type::Int, depth);
                self.scope = scope;
                Some(timeout)
            } else {
                Some("0".to_owned())
            }
        } else {
            None
        };
        let before = self.shared.clone();
        let of = self.any_type();
        let clauses = self.clauses(kind, "", of, ty, depth);
        let mut left = std::mem::replace(&mut self.shared, before.clone());
        let text = match timeout {
            Some(timeout) => {
                let late =
                    self.branch(&before, &mut left, |this| this.body(kind, "after_", ty, depth));
                format!("receive {clauses}\n    after {timeout} ->\n    {late}\n    end")
            }
            None => {
                let last = self.branch(&before, &mut left, |this| this.body(kind, "", ty, depth));
                format!("receive {clauses};\n    _ ->\n    {last}\n    end")
            }
        };
        self.shared = left;
        text
    }

    fn try_expr(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        let mut text = format!("try\n    {}", self.otherwise(kind, "", ty, depth));
        let wants = |this: &Writer, what: &[&str]| {
            what.iter().any(|part| this.is_next_in(&format!("{kind}.{part}")))
        };
        let of = kind == "try_of"
            || kind == "try_after" && (wants(self, &["of_", "pattern"]) || self.random.once_in(3));
        if of {
            let clauses = self.clauses(kind, "of_", ty, ty, depth);
            let _ = write!(text, "\n    of {clauses}");
        }
        let catch = kind != "try_after"
            || wants(self, &["catch_", "class", "reason", "guard"])
            || self.random.once_in(2);
        if catch {
            let clause = self.catch_clause(kind, ty, depth);
            let _ = write!(text, "\n    catch {clause}");
        }
        if kind == "try_after" {
            let of = self.any_type();
            let after = self.otherwise(kind, "after_", of, depth);
            let _ = write!(text, "\n    after\n    {after}");
        }
        text + "\n    end"
    }

    fn catch_clause(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        let scope = self.scope.clone();
        let class = match self.take_forced(&format!("{kind}.class")) {
            Some("any") => "_:".to_owned(),
            Some("var") => format!("{}:", self.bind(Type::Atom)),
            Some(_) => "error:".to_owned(),
            None => (*self.random.pick(&["", "error:", "throw:", "_:", "_:", "_:"])).to_owned(),
        };
        let of = self.any_type();
        let reason = self.pattern(&format!("{kind}.reason"), of, 2);
        let stack = match !class.is_empty() && self.random.once_in(4) {
            true => format!(":{}", self.new_name("Stk")),
            false => String::new(),
        };
        let place = format!("{kind}.guard");
        let guard = if self.is_next(&place) || self.random.once_in(4) {
            self.when(&place)
        } else {
            String::new()
        };
        let first = self.body(kind, "catch_", ty, depth);
        self.scope.clone_from(&scope);
        let mut text = format!("{class}({reason}){stack}{guard} ->\n    {first}");
        if self.random.once_in(2) {
            let last = self.otherwise(kind, "catch_", ty, depth);
            let _ = write!(text, ";\n    _:_ ->\n    {last}");
        }
        text
    }

    fn maybe(&mut self, kind: &str, ty: Type, depth: u32) -> String {
        let scope = self.scope.clone();
        let (value_place, pattern_place) = (format!("{kind}.value"), format!("{kind}.pattern"));
        let mut parts = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let of = self.any_type();
            let depth = if self.is_next(&pattern_place) { 0 } else { depth };
            let value = self.sub(&value_place, of, depth);
            let pattern = match value.contains(") = (") {
                true => self.bind(of),
                false => self.pattern(&pattern_place, of, 2),
            };
            parts.push(format!("({pattern}) ?= {value}"));
        }
        parts.push(self.body(kind, "", ty, depth));
        let body = parts.join(",\n    ");
        self.scope = scope;
        if kind == "maybe" {
            return format!("maybe\n    {body}\n    end");
        }
        let of = self.any_type();
        let clauses = self.clauses(kind, "else_", of, ty, depth);
        let last = match self.random.once_in(3) {
            true => String::new(),
            false => {
                let body = self.otherwise(kind, "else_", ty, depth);
                format!(";\n    _ ->\n    {body}")
            }
        };
        format!("maybe\n    {body}\n    else {clauses}{last}\n    end")
    }
}

/// Texts in pairs: `a => b, c => d`.
fn pairs(texts: &[String], arrow: &str) -> String {
    let all: Vec<String> = texts.chunks(2).map(|pair| pair.join(arrow)).collect();
    all.join(", ")
}
