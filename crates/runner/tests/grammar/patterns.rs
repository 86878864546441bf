//! Patterns.

use super::Writer;
use super::table::{Class, PATTERNS, Type, excluded};

impl Writer {
    /// The pattern in a place; its variables can be read afterwards.
    pub(super) fn pattern(&mut self, place: &str, ty: Type, depth: u32) -> String {
        let before = self.scope.len();
        let in_match = self.in_match;
        let pattern = self.part(place, ty, depth, before);
        self.in_match = in_match;
        pattern
    }

    fn part(&mut self, place: &str, ty: Type, depth: u32, before: usize) -> String {
        if let Some(kind) = self.take_forced(place) {
            let ty = self.fitting(Class::Pattern, kind, ty);
            return self.make_pattern(kind, ty, depth.max(1), before);
        }
        let fits = |&&(kind, own): &&(&'static str, Option<Type>)| {
            own.is_none_or(|own| own == ty)
                && excluded(place, kind).is_none()
                && (depth > 0 || matches!(kind, "any" | "var" | "atom" | "integer" | "nil"))
        };
        let kinds: Vec<&'static str> =
            PATTERNS.iter().filter(fits).map(|&(kind, _)| kind).collect();
        let kind = if kinds.is_empty() || self.random.once_in(3) {
            "var"
        } else {
            *self.random.pick(&kinds)
        };
        self.make_pattern(kind, ty, depth.saturating_sub(1), before)
    }

    /// As [`Writer::part`], with parentheses.
    fn sub_part(&mut self, place: &str, ty: Type, depth: u32, before: usize) -> String {
        format!("({})", self.part(place, ty, depth, before))
    }

    /// A variable of a pattern: new, one that is bound already, one that another operand binds,
    /// too, or one that the pattern has already.
    fn pattern_variable(&mut self, ty: Type, before: usize) -> String {
        match self.random.below(10) {
            _ if self.in_match => self.bind(ty),
            0..=3 if !self.shared.is_empty() => {
                let at = self.random.below(self.shared.len());
                let name = self.shared.remove(at);
                self.scope.push((name.clone(), ty));
                name
            }
            4 => self.variable_among(ty, 0, before).unwrap_or_else(|| self.bind(ty)),
            5 => {
                let end = self.scope.len();
                self.variable_among(ty, before, end).unwrap_or_else(|| self.bind(ty))
            }
            _ => self.bind(ty),
        }
    }

    fn variable_among(&mut self, ty: Type, from: usize, to: usize) -> Option<String> {
        let fitting: Vec<String> = self.scope[from..to]
            .iter()
            .filter(|(_, its)| *its == ty)
            .map(|(name, _)| name.clone())
            .collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting).clone())
    }

    fn make_pattern(&mut self, kind: &str, ty: Type, depth: u32, before: usize) -> String {
        match kind {
            "any" => "_".to_owned(),
            "var" => self.pattern_variable(ty, before),
            "atom" if ty == Type::Bool => self.literal(Type::Bool),
            "atom" => self.literal(Type::Atom),
            "integer" => self.random.below(4).to_string(),
            "float" => self.literal(Type::Float),
            "char" => "$a".to_owned(),
            "string" => "\"ab\"".to_owned(),
            "nil" => "[]".to_owned(),
            "list" => {
                let first = self.sub_part("p.list.element", Type::Int, depth, before);
                match self.random.once_in(2) {
                    true => format!("[{first}]"),
                    false => {
                        let second = self.sub_part("p.list.element", Type::Int, depth, before);
                        format!("[{first}, {second}]")
                    }
                }
            }
            "cons" => {
                let first = self.sub_part("p.cons.element", Type::Int, depth, before);
                let tail = self.sub_part("p.cons.tail", Type::List, depth, before);
                format!("[{first} | {tail}]")
            }
            "tuple" => {
                let first = self.sub_part("p.tuple.element", Type::Int, depth, before);
                let second = self.sub_part("p.tuple.element", Type::Atom, depth, before);
                format!("{{{first}, {second}}}")
            }
            "map" => self.map_pattern(depth, before),
            "record" => {
                if self.chooses(&["p.record.rest"], &["p.record.field"], 5) {
                    let rest = self.sub_part("p.record.rest", Type::Int, depth, before);
                    format!("#rec{{_ = {rest}}}")
                } else {
                    let a = self.sub_part("p.record.field", Type::Int, depth, before);
                    let b = self.sub_part("p.record.field", Type::Atom, depth, before);
                    format!("#rec{{a = {a}, b = {b}}}")
                }
            }
            "record_index" => "#rec.b".to_owned(),
            "binary" => self.binary_pattern(before, false),
            "match" => {
                // Two binaries cannot be aliases of each other: one side is a variable.
                self.in_match = true;
                if self.is_next("p.match.left") || self.random.once_in(4) {
                    let left = self.sub_part("p.match.left", ty, depth, before);
                    format!("{left} = {}", self.pattern_variable(ty, before))
                } else {
                    let left = self.pattern_variable(ty, before);
                    format!("{left} = {}", self.sub_part("p.match.right", ty, depth, before))
                }
            }
            "arith" => {
                let left = self.constant("p.arith.left");
                let op = *self.random.pick(&["+", "-", "*"]);
                let right = self.constant("p.arith.right");
                format!("({left}) {op} ({right})")
            }
            "minus" => format!("-({})", self.constant("p.minus.operand")),
            "append" => {
                let left = self.take_forced("p.append.left").unwrap_or("string");
                let left = match left {
                    "list" => "[1, 2]",
                    "nil" => "[]",
                    _ => "\"a\"",
                };
                let right = self.sub_part("p.append.right", Type::List, depth, before);
                format!("{left} ++ {right}")
            }
            other => panic!("no pattern: {other}"),
        }
    }

    /// A number in arithmetic of a pattern.
    fn constant(&mut self, place: &str) -> String {
        match self.take_forced(place).unwrap_or("integer") {
            "float" => "1.5".to_owned(),
            "char" => "$a".to_owned(),
            "arith" => "1 + 2".to_owned(),
            "minus" => "-1".to_owned(),
            _ => self.random.below(4).to_string(),
        }
    }

    fn map_pattern(&mut self, depth: u32, before: usize) -> String {
        let key = if self.is_next("p.map.key") || !self.in_head && self.random.once_in(3) {
            // Keys are made of variables from before the pattern.
            let new = self.scope.split_off(before);
            let key = self.guard_part("p.map.key", Type::Atom, 1);
            self.scope.extend(new);
            key
        } else {
            (*self.random.pick(&["a", "b", "k"])).to_owned()
        };
        let value = self.sub_part("p.map.value", Type::Int, depth, before);
        format!("#{{({key}) := {value}}}")
    }

    /// A binary, for the whole of a value or in a generator.
    pub(super) fn binary_pattern(&mut self, before: usize, generates: bool) -> String {
        let value = self.part("p.binary.value", Type::Int, 1, before);
        let sized = self.is_next("p.binary.size") || self.random.once_in(3);
        let size = if sized && !value.starts_with('"') {
            let new = self.scope.split_off(before);
            let size = match self.in_head {
                true => self.literal(Type::Int),
                false => self.guard_part("p.binary.size", Type::Int, 1),
            };
            self.scope.extend(new);
            format!(":({size})")
        } else {
            String::new()
        };
        let is_float = value.contains('.') && !value.contains('#');
        let spec = if is_float {
            "/float"
        } else if value.starts_with('"') {
            ""
        } else {
            *self.random.pick(&["", "/little", "/signed", "/integer-unit:1"])
        };
        // A unit needs a size.
        let spec = if size.is_empty() && spec.contains("unit") { "" } else { spec };
        // In a generator the size must be known, and not be none: it would go on for ever.
        let rests: &[&str] = match generates {
            true if size.is_empty() => &["", ", _:3"],
            true => &[", _:3"],
            false => &["", ", _/bits"],
        };
        let rest = *self.random.pick(rests);
        format!("<<({value}){size}{spec}{rest}>>")
    }
}
