//! Literals and computations, by type.

use super::{Generator, Type};

impl Generator {
    pub(super) fn literal(&mut self, ty: Type) -> String {
        match ty {
            Type::Int => match self.random.below(12) {
                0 => "16#7fffffffffffffff".to_owned(),
                1 => "-123456789012345678901234567890".to_owned(),
                2 => "(1 bsl 59)".to_owned(),
                3 => "$a".to_owned(),
                _ => (self.random.below(12) as i64 - 3).to_string(),
            },
            Type::Float => (*self
                .random
                .pick(&["0.0", "1.5", "-2.25", "1.0e10", "3.14", "0.1", "1.0e-7", "4.0"]))
            .to_owned(),
            Type::Atom => {
                (*self.random.pick(&["a", "b", "ok", "'hello world'", "error", "none", "true"]))
                    .to_owned()
            }
            Type::Bool => (*self.random.pick(&["true", "false"])).to_owned(),
            Type::List => (*self.random.pick(&[
                "[]",
                "[1, 2, 3]",
                "\"abc\"",
                "[0]",
                "[3, 1, 2, 3]",
                "\"añb\"",
            ]))
            .to_owned(),
            Type::Pair => (*self.random.pick(&["{1, a}", "{0, ok}", "{-7, none}"])).to_owned(),
            Type::Map => (*self.random.pick(&[
                "#{}",
                "#{a => 1}",
                "#{a => 1, b => 2}",
                "#{k => 0, a => -1}",
            ]))
            .to_owned(),
            Type::Binary => (*self.random.pick(&[
                "<<>>",
                "<<\"abc\">>",
                "<<1, 2, 3>>",
                "<<\"añ\"/utf8>>",
                "<<0:32>>",
                "<<255>>",
            ]))
            .to_owned(),
            Type::Bits => {
                (*self.random.pick(&["<<1:3>>", "<<>>", "<<\"a\", 5:4>>", "<<1, 2>>", "<<-1:17>>"]))
                    .to_owned()
            }
            Type::Fun => {
                self.fresh += 1;
                let n = self.fresh;
                match self.random.below(5) {
                    0 => "fun erlang:abs/1".to_owned(),
                    1 => format!("fun(0) -> 0; (N{n}) -> N{n} * 2 end"),
                    2 => format!(
                        "fun F{n}(N{n}) when N{n} > 0, N{n} < 50 -> N{n} + F{n}(N{n} - 1); F{n}(_) -> 0 end"
                    ),
                    3 => format!("fun(N{n}) -> N{n} - 1 end"),
                    _ => format!("fun(N{n}) when N{n} > 1 -> N{n} div 2 end"),
                }
            }
            Type::Record => {
                (*self.random.pick(&["#point{}", "#point{x = 3}", "#point{x = -1, y = a}"]))
                    .to_owned()
            }
        }
    }

    /// An expression that computes a value of the type.
    pub(super) fn computed(&mut self, ty: Type, depth: u32) -> String {
        match ty {
            Type::Int => self.integer(depth),
            Type::Float => match self.random.below(5) {
                0 => format!("({} / {})", self.expr(Type::Int, depth), self.expr(Type::Int, depth)),
                1 => format!("float({})", self.expr(Type::Int, depth)),
                2 => format!("math:sqrt(abs({}))", self.expr(Type::Float, depth)),
                3 => {
                    format!("({} * {})", self.expr(Type::Float, depth), self.expr(Type::Int, depth))
                }
                _ => format!(
                    "({} - {})",
                    self.expr(Type::Float, depth),
                    self.expr(Type::Float, depth)
                ),
            },
            Type::Atom => match self.random.below(4) {
                0 => format!("element(2, {})", self.expr(Type::Pair, depth)),
                1 => format!("{}#point.y", self.parenthesised(Type::Record, depth)),
                2 => format!("list_to_atom({})", self.expr(Type::List, depth)),
                _ => self.expr(Type::Bool, depth),
            },
            Type::Bool => self.boolean(depth),
            Type::List => self.list(depth),
            Type::Pair => match self.random.below(3) {
                0 => format!(
                    "setelement(1, {}, {})",
                    self.expr(Type::Pair, depth),
                    self.expr(Type::Int, depth)
                ),
                _ => {
                    format!("{{{}, {}}}", self.expr(Type::Int, depth), self.expr(Type::Atom, depth))
                }
            },
            Type::Map => match self.random.below(7) {
                0 => format!(
                    "#{{a => {}, k => {}}}",
                    self.expr(Type::Int, depth),
                    self.expr(Type::Int, depth)
                ),
                1 => format!(
                    "{}#{{b => {}}}",
                    self.parenthesised(Type::Map, depth),
                    self.expr(Type::Int, depth)
                ),
                2 => format!(
                    "{}#{{a := {}}}",
                    self.parenthesised(Type::Map, depth),
                    self.expr(Type::Int, depth)
                ),
                3 => format!("maps:remove(a, {})", self.expr(Type::Map, depth)),
                4 => format!(
                    "maps:merge({}, {})",
                    self.expr(Type::Map, depth),
                    self.expr(Type::Map, depth)
                ),
                5 => {
                    self.fresh += 1;
                    let n = self.fresh;
                    format!(
                        "maps:map(fun(_, W{n}) -> {}(W{n}) end, {})",
                        self.parenthesised(Type::Fun, depth),
                        self.expr(Type::Map, depth)
                    )
                }
                _ => format!(
                    "maps:from_list([{{{}, {}}}])",
                    self.expr(Type::Atom, depth),
                    self.expr(Type::Int, depth)
                ),
            },
            Type::Binary => self.binary(depth),
            Type::Bits => match self.random.below(4) {
                0 => format!(
                    "<<{}:{}, {}/bits>>",
                    self.parenthesised(Type::Int, depth),
                    1 + self.random.below(20),
                    self.parenthesised(Type::Bits, depth)
                ),
                1 => {
                    self.fresh += 1;
                    let n = self.fresh;
                    format!(
                        "<< <<B{n}:3>> || <<B{n}:2>> <= {} >>",
                        self.parenthesised(Type::Bits, depth)
                    )
                }
                2 => format!("<<{}/little-float>>", self.parenthesised(Type::Float, depth)),
                _ => self.expr(Type::Binary, depth),
            },
            Type::Fun => {
                let scope = self.scope.len();
                let param = self.bind(Type::Int);
                let body = self.body(Type::Int, depth.min(2));
                self.scope.truncate(scope);
                format!("fun({param}) -> {body} end")
            }
            Type::Record => match self.random.below(3) {
                0 => format!(
                    "{}#point{{x = {}}}",
                    self.parenthesised(Type::Record, depth),
                    self.expr(Type::Int, depth)
                ),
                1 => format!(
                    "#point{{y = {}, _ = {}}}",
                    self.expr(Type::Atom, depth),
                    self.expr(Type::Int, depth)
                ),
                _ => format!(
                    "setelement(#point.x, {}, {})",
                    self.expr(Type::Record, depth),
                    self.expr(Type::Int, depth)
                ),
            },
        }
    }

    fn parenthesised(&mut self, ty: Type, depth: u32) -> String {
        format!("({})", self.expr(ty, depth))
    }

    fn integer(&mut self, depth: u32) -> String {
        let op = *self.random.pick(&["+", "-", "*", "div", "rem", "band", "bor", "bxor"]);
        match self.random.below(15) {
            0..=3 => {
                format!("({} {op} {})", self.expr(Type::Int, depth), self.expr(Type::Int, depth))
            }
            4 => format!("length({})", self.expr(Type::List, depth)),
            5 => format!("lists:sum({})", self.expr(Type::List, depth)),
            6 => {
                format!("{}({})", self.parenthesised(Type::Fun, depth), self.expr(Type::Int, depth))
            }
            7 => format!("({} bsl {})", self.expr(Type::Int, depth), self.random.below(70)),
            8 => format!("bit_size({})", self.expr(Type::Bits, depth)),
            9 => format!("{}#point.x", self.parenthesised(Type::Record, depth)),
            10 => format!(
                "maps:get(a, {}, {})",
                self.expr(Type::Map, depth),
                self.expr(Type::Int, depth)
            ),
            11 => format!("round({})", self.expr(Type::Float, depth)),
            12 => format!("binary:decode_unsigned({})", self.expr(Type::Binary, depth)),
            13 => {
                self.fresh += 1;
                let n = self.fresh;
                format!(
                    "lists:foldl(fun(E{n}, A{n}) -> {}(E{n}) + A{n} end, {}, {})",
                    self.parenthesised(Type::Fun, depth),
                    self.expr(Type::Int, depth),
                    self.expr(Type::List, depth)
                )
            }
            _ => format!("erlang:phash2({})", self.expr(Type::Record, depth)),
        }
    }

    fn boolean(&mut self, depth: u32) -> String {
        let ty = *self.random.pick(&super::TYPES);
        let op = *self.random.pick(&["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="]);
        match self.random.below(6) {
            // Funs have an order of their own on each side.
            0 | 1 if ty != Type::Fun => {
                format!("({} {op} {})", self.expr(ty, depth), self.expr(ty, depth))
            }
            2 => format!(
                "({} andalso {})",
                self.expr(Type::Bool, depth),
                self.expr(Type::Bool, depth)
            ),
            3 => format!(
                "({} orelse {})",
                self.expr(Type::Bool, depth),
                self.expr(Type::Bool, depth)
            ),
            4 => format!(
                "lists:member({}, {})",
                self.expr(Type::Int, depth),
                self.expr(Type::List, depth)
            ),
            _ => format!("not {}", self.parenthesised(Type::Bool, depth)),
        }
    }

    fn list(&mut self, depth: u32) -> String {
        self.fresh += 1;
        let n = self.fresh;
        match self.random.below(14) {
            0 => format!("[{} | {}]", self.expr(Type::Int, depth), self.expr(Type::List, depth)),
            1 => format!("({} ++ {})", self.expr(Type::List, depth), self.expr(Type::List, depth)),
            2 => format!("({} -- {})", self.expr(Type::List, depth), self.expr(Type::List, depth)),
            3 | 4 => {
                let source = self.expr(Type::List, depth);
                let scope = self.scope.len();
                let element = if self.random.once_in(4) {
                    self.pattern(Type::Int, 1)
                } else {
                    self.bind(Type::Int)
                };
                let filter = if self.random.once_in(2) {
                    format!(", {}", self.expr(Type::Bool, 1))
                } else {
                    String::new()
                };
                let body = self.expr(Type::Int, depth);
                self.scope.truncate(scope);
                format!("[{body} || {element} <- {source}{filter}]")
            }
            5 => {
                let source = self.parenthesised(Type::Binary, depth);
                format!("[B{n} + 1 || <<B{n}:4>> <= {source}]")
            }
            6 => format!(
                "lists:map({}, {})",
                self.expr(Type::Fun, depth),
                self.expr(Type::List, depth)
            ),
            7 => format!("lists:sort({})", self.expr(Type::List, depth)),
            8 => format!("lists:reverse({})", self.expr(Type::List, depth)),
            9 => format!("tl({})", self.expr(Type::List, depth)),
            10 => format!("binary_to_list({})", self.expr(Type::Binary, depth)),
            11 => format!("integer_to_list({})", self.expr(Type::Int, depth)),
            _ => format!(
                "lists:filter(fun(X{n}) -> X{n} > {} end, {})",
                self.expr(Type::Int, depth),
                self.expr(Type::List, depth)
            ),
        }
    }

    fn binary(&mut self, depth: u32) -> String {
        self.fresh += 1;
        let n = self.fresh;
        match self.random.below(7) {
            0 => format!(
                "<<{}, {}/binary>>",
                self.parenthesised(Type::Int, depth),
                self.parenthesised(Type::Binary, depth)
            ),
            1 => format!(
                "<<{}:16/little, {}:{}/unit:8>>",
                self.parenthesised(Type::Int, depth),
                self.parenthesised(Type::Int, depth),
                self.random.below(4)
            ),
            2 => format!(
                "<< <<(B{n} bxor 1)>> || <<B{n}>> <= {} >>",
                self.parenthesised(Type::Binary, depth)
            ),
            3 => format!("<< <<E{n}:8>> || E{n} <- {} >>", self.expr(Type::List, depth)),
            4 => format!("list_to_binary({})", self.expr(Type::List, depth)),
            5 => format!("atom_to_binary({})", self.expr(Type::Atom, depth)),
            _ => format!("term_to_binary({})", self.expr(Type::Pair, depth)),
        }
    }
}
