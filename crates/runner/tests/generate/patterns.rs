//! Patterns and guards.

use super::{Generator, Type};

impl Generator {
    /// A pattern that values of the type may match. It may use variables that are bound already.
    pub(super) fn pattern(&mut self, ty: Type, depth: u32) -> String {
        self.patterns(&[ty], depth).pop().unwrap_or_default()
    }

    /// Patterns that are matched together: none can use what another binds.
    pub(super) fn patterns(&mut self, types: &[Type], depth: u32) -> Vec<String> {
        let before = self.scope.len();
        let mut patterns = Vec::new();
        for &ty in types {
            patterns.push(self.part(ty, depth, before));
        }
        patterns
    }

    fn part(&mut self, ty: Type, depth: u32, before: usize) -> String {
        if depth == 0 || self.random.once_in(4) {
            return match self.random.below(4) {
                0 => "_".to_owned(),
                1 if ty != Type::Fun && ty != Type::Float => self.pattern_literal(ty),
                // A variable that may be bound already: then it is a comparison.
                2 => self.variable_of(ty, before).unwrap_or_else(|| "_".to_owned()),
                _ => self.bind(ty),
            };
        }
        match ty {
            Type::List => match self.random.below(5) {
                0 => "[]".to_owned(),
                1 => {
                    let head = self.part(Type::Int, depth - 1, before);
                    let tail = self.part(Type::List, depth - 1, before);
                    format!("[{head} | {tail}]")
                }
                2 => {
                    let (a, b) = (self.bind(Type::Int), self.part(Type::Int, 0, before));
                    format!("[{a}, {b} | _]")
                }
                3 => {
                    let rest = self.bind(Type::List);
                    format!("\"a\" ++ {rest}")
                }
                _ => {
                    let whole = self.bind(Type::List);
                    format!("[_ | _] = {whole}")
                }
            },
            Type::Pair => {
                let (a, b) = (
                    self.part(Type::Int, depth - 1, before),
                    self.part(Type::Atom, depth - 1, before),
                );
                format!("{{{a}, {b}}}")
            }
            Type::Map => {
                let key = *self.random.pick(&["a", "b", "k"]);
                let value = self.part(Type::Int, depth - 1, before);
                format!("#{{{key} := {value}}}")
            }
            Type::Binary => match self.random.below(4) {
                0 => {
                    let (a, rest) = (self.bind(Type::Int), self.bind(Type::Binary));
                    format!("<<{a}, {rest}/binary>>")
                }
                1 => {
                    let (n, part, rest) =
                        (self.bind(Type::Int), self.bind(Type::Binary), self.bind(Type::Bits));
                    format!("<<{n}:8/little, {part}:1/binary, {rest}/bits>>")
                }
                2 => {
                    let (c, rest) = (self.bind(Type::Int), self.bind(Type::Bits));
                    format!("<<{c}/utf8, {rest}/bits>>")
                }
                _ => "<<\"a\", _/binary>>".to_owned(),
            },
            Type::Bits => {
                let (a, rest) = (self.bind(Type::Int), self.bind(Type::Bits));
                let size = 1 + self.random.below(12);
                let sign = *self.random.pick(&["signed", "unsigned", "little", "big-signed"]);
                format!("<<{a}:{size}/{sign}, {rest}/bits>>")
            }
            Type::Record => {
                let x = self.part(Type::Int, depth - 1, before);
                format!("#point{{x = {x}}}")
            }
            _ => self.bind(ty),
        }
    }

    fn pattern_literal(&mut self, ty: Type) -> String {
        match ty {
            Type::Record => "#point{}".to_owned(),
            Type::Map => "#{}".to_owned(),
            _ => self.literal(ty),
        }
    }

    pub(super) fn when(&mut self) -> String {
        format!(" when {}", self.guard())
    }

    pub(super) fn guard(&mut self) -> String {
        let first = self.test(2);
        match self.random.below(5) {
            0 => format!("{first}, {}", self.test(1)),
            1 => format!("{first}; {}", self.test(1)),
            2 => format!("({first}) andalso ({})", self.test(1)),
            3 => format!("({first}) or ({})", self.test(1)),
            _ => first,
        }
    }

    fn test(&mut self, depth: u32) -> String {
        let (a, b) = (self.guard_value(Type::Int, depth), self.guard_value(Type::Int, depth));
        match self.random.below(9) {
            0 => format!("{a} < {b}"),
            1 => format!("{a} =:= {b}"),
            2 => format!("{a} >= {b}"),
            3 => format!("{a} /= {b}"),
            4 => {
                let test = *self.random.pick(&[
                    "is_integer",
                    "is_atom",
                    "is_list",
                    "is_tuple",
                    "is_map",
                    "is_binary",
                    "is_float",
                    "is_bitstring",
                    "is_boolean",
                    "is_number",
                    "is_pid",
                    "is_reference",
                ]);
                format!("{test}({})", self.guard_any())
            }
            5 => format!("length({}) > {b}", self.guard_value(Type::List, 1)),
            6 => format!("not ({a} == {b})"),
            7 => format!("is_record({}, point)", self.guard_any()),
            _ => self.guard_value(Type::Bool, 1),
        }
    }

    fn guard_any(&mut self) -> String {
        let ty = *self.random.pick(&super::TYPES);
        self.guard_value(ty, 1)
    }

    /// An expression that guards allow.
    fn guard_value(&mut self, ty: Type, depth: u32) -> String {
        if depth == 0 || self.random.once_in(2) || ty != Type::Int {
            return match ty {
                Type::Fun => self.variable(ty).unwrap_or_else(|| "ok".to_owned()),
                _ => self.leaf(ty),
            };
        }
        match self.random.below(8) {
            0 => format!(
                "({} + {})",
                self.guard_value(ty, depth - 1),
                self.guard_value(ty, depth - 1)
            ),
            1 => format!(
                "({} rem {})",
                self.guard_value(ty, depth - 1),
                self.guard_value(ty, depth - 1)
            ),
            2 => format!("hd({})", self.guard_value(Type::List, 0)),
            3 => format!("element(1, {})", self.guard_value(Type::Pair, 0)),
            4 => format!("map_size({})", self.guard_value(Type::Map, 0)),
            5 => format!("byte_size({})", self.guard_value(Type::Binary, 0)),
            6 => format!("map_get(a, {})", self.guard_value(Type::Map, 0)),
            _ => format!("abs({})", self.guard_value(ty, depth - 1)),
        }
    }
}
