//! Small programs by chance, with inputs from small domains.
//!
//! A program is a function with a spec. Values of all kinds come together, so that much of what is
//! written fails for some inputs.

use std::fmt::Write as _;

use inputs::{Input, Random};

/// What a parameter may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Domain {
    Integer,
    Atom,
    Boolean,
    Pair,
    Mixed,
    /// Two integers in a list: the call has a list with two unknowns.
    List,
}

pub(crate) struct Generated {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The call with its unknowns.
    pub(crate) call: String,
    /// Every input.
    pub(crate) inputs: Vec<Input>,
}

impl Domain {
    fn spec(self) -> &'static str {
        match self {
            Domain::Integer => "-2..3",
            Domain::Atom => "a | b | c",
            Domain::Boolean => "boolean()",
            Domain::Pair => "{0..2, a | b}",
            Domain::Mixed => "0..1 | a | {a, 0..1} | []",
            Domain::List => "[0..2]",
        }
    }

    fn values(self) -> Vec<Input> {
        let ints = |from: i64, to: i64| (from..=to).map(Input::integer).collect::<Vec<_>>();
        let atoms = |names: &[&str]| names.iter().map(|name| Input::atom(name)).collect::<Vec<_>>();
        let pairs = |one: &[Input], other: &[Input]| {
            let mut all = Vec::new();
            for a in one {
                all.extend(other.iter().map(|b| vec![a.clone(), b.clone()]));
            }
            all
        };
        match self {
            Domain::Integer => ints(-2, 3),
            Domain::Atom => atoms(&["a", "b", "c"]),
            Domain::Boolean => atoms(&["true", "false"]),
            Domain::Pair => {
                let all = pairs(&ints(0, 2), &atoms(&["a", "b"]));
                all.into_iter().map(Input::Tuple).collect()
            }
            Domain::Mixed => {
                let mut all = ints(0, 1);
                all.extend(atoms(&["a"]));
                let tuples = pairs(&atoms(&["a"]), &ints(0, 1));
                all.extend(tuples.into_iter().map(Input::Tuple));
                all.push(Input::NIL);
                all
            }
            Domain::List => {
                let all = pairs(&ints(0, 2), &ints(0, 2));
                all.into_iter().map(Input::list).collect()
            }
        }
    }
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    variables: Vec<String>,
    fresh: usize,
    tags: usize,
}

/// A program.
pub(crate) fn program(number: usize, random: &mut Random) -> Generated {
    let all =
        [Domain::Integer, Domain::Atom, Domain::Boolean, Domain::Pair, Domain::Mixed, Domain::List];
    let count = 1 + random.below(3);
    let domains: Vec<Domain> = (0..count).map(|_| all[random.below(all.len())]).collect();
    let name = format!("f{number}");
    let specs: Vec<&str> = domains.iter().map(|domain| domain.spec()).collect();
    let params: Vec<String> = (1..=count).map(|n| format!("P{n}")).collect();
    let mut writer =
        Writer { random, text: String::new(), variables: params.clone(), fresh: 0, tags: 0 };
    let _ = writeln!(writer.text, "-spec {name}({}) -> any().", specs.join(", "));
    let _ = writeln!(writer.text, "{name}({}) ->", params.join(", "));
    let body = writer.body(3, 1);
    let text = format!("{}{body}.\n", writer.text);
    let args: Vec<String> = domains
        .iter()
        .enumerate()
        .map(|(n, domain)| match domain {
            Domain::List => format!("[A{n}, B{n}]"),
            _ => format!("A{n}"),
        })
        .collect();
    let call = format!("generated:{name}({})", args.join(", "));
    let mut inputs: Vec<Vec<Input>> = vec![Vec::new()];
    for domain in &domains {
        let values = domain.values();
        inputs = inputs
            .into_iter()
            .flat_map(|before| {
                values.iter().map(move |value| {
                    let mut all = before.clone();
                    all.push(value.clone());
                    all
                })
            })
            .collect();
    }
    Generated { name, text, call, inputs: inputs.into_iter().map(Input::Tuple).collect() }
}

impl Writer<'_> {
    fn variable(&mut self) -> String {
        let at = self.random.below(self.variables.len());
        self.variables[at].clone()
    }

    fn new_variable(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    fn tag(&mut self) -> String {
        self.tags += 1;
        format!("e{}", self.tags)
    }

    /// Expressions one after the other.
    fn body(&mut self, depth: usize, indent: usize) -> String {
        let known = self.variables.len();
        let pad = "    ".repeat(indent);
        let mut lines = Vec::new();
        if self.random.below(2) == 0 {
            let value = self.expression(depth.min(2));
            let name = self.new_variable();
            lines.push(format!("{pad}{name} = {value}"));
            self.variables.push(name);
        }
        let last = self.statement(depth, indent);
        lines.push(format!("{pad}{last}"));
        self.variables.truncate(known);
        lines.join(",\n")
    }

    fn statement(&mut self, depth: usize, indent: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(8) {
            0..=2 => self.case(depth, indent),
            3 => self.conditional(depth, indent),
            4 => self.protected(depth, indent),
            5 => {
                let value = self.expression(2);
                let pattern = self.pattern(1, false);
                format!("{pattern} = {value}")
            }
            6 => self.with_function(depth),
            _ => self.leaf(),
        }
    }

    fn leaf(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("erlang:error({})", self.tag()),
            1 => format!("throw({})", self.tag()),
            _ => self.expression(1),
        }
    }

    fn case(&mut self, depth: usize, indent: usize) -> String {
        let pad = "    ".repeat(indent + 1);
        let on = match self.random.below(3) {
            0 => {
                let (a, b) = (self.variable(), self.variable());
                format!("{{{a}, {b}}}")
            }
            _ => self.expression(1),
        };
        let mut text = format!("case {on} of\n");
        let clauses = 1 + self.random.below(3);
        let mut all = Vec::new();
        for number in 0..clauses {
            let known = self.variables.len();
            let is_last = number + 1 == clauses && self.random.below(2) == 0;
            let pattern = match is_last {
                true => "_".to_owned(),
                false => self.pattern(2, true),
            };
            let guard = match self.random.below(2) {
                0 if !is_last => format!(" when {}", self.guard()),
                _ => String::new(),
            };
            let body = self.body(depth - 1, indent + 2);
            self.variables.truncate(known);
            all.push(format!("{pad}{pattern}{guard} ->\n{body}"));
        }
        let _ = write!(text, "{}\n{}end", all.join(";\n"), "    ".repeat(indent));
        text
    }

    fn conditional(&mut self, depth: usize, indent: usize) -> String {
        let pad = "    ".repeat(indent + 1);
        let mut all = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let guard = self.guard();
            let body = self.body(depth - 1, indent + 2);
            all.push(format!("{pad}{guard} ->\n{body}"));
        }
        if self.random.below(3) > 0 {
            all.push(format!("{pad}true ->\n{}", self.body(depth - 1, indent + 2)));
        }
        format!("if\n{}\n{}end", all.join(";\n"), "    ".repeat(indent))
    }

    fn protected(&mut self, depth: usize, indent: usize) -> String {
        let pad = "    ".repeat(indent + 1);
        let body = self.body(depth - 1, indent + 1);
        let name = self.new_variable();
        let class = ["error", "throw", "_"][self.random.below(3)];
        self.variables.push(name.clone());
        let handler = self.body(depth - 1, indent + 2);
        self.variables.pop();
        let known = self.variables.len();
        let result = self.pattern(1, true);
        let of = self.body(depth - 1, indent + 2);
        self.variables.truncate(known);
        format!(
            "try\n{body}\n{end}of\n{pad}{result} ->\n{of}\n{end}catch\n{pad}{class}:{name} ->\n\
             {handler}\n{end}end",
            end = "    ".repeat(indent)
        )
    }

    /// Funs, comprehensions, functions of the library.
    fn with_function(&mut self, depth: usize) -> String {
        let (x, y) = (self.variable(), self.variable());
        let name = self.new_variable();
        self.variables.push(name.clone());
        let inner = self.expression(depth.min(1));
        self.variables.pop();
        match self.random.below(7) {
            0 => format!("(fun({name}) -> {inner} end)({x})"),
            1 => format!("[{inner} || {name} <- [{x}, {y}]]"),
            2 => format!("lists:member({x}, [{y}, 1, a])"),
            3 => format!("lists:reverse([{x}, {y}])"),
            4 => format!("maps:get({x}, #{{a => {y}, 1 => b}}, none)"),
            5 => format!("[{name} || {name} <- [{x}, {y}], {name} =/= 1]"),
            _ => format!("element(1, {{{x}, {y}}})"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atomic();
        }
        match self.random.below(10) {
            0..=1 => self.atomic(),
            2..=3 => {
                let op = ["+", "-", "*", "div", "rem"][self.random.below(5)];
                format!("({} {op} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            4 => {
                let op = ["<", "=<", "=:=", "==", "/=", ">", ">=", "=/="][self.random.below(8)];
                format!("({} {op} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            5 => format!("{{{}, {}}}", self.expression(depth - 1), self.expression(depth - 1)),
            6 => format!("[{} | {}]", self.expression(depth - 1), self.expression(depth - 1)),
            7 => {
                let f = ["is_integer", "is_atom", "is_list", "abs", "hd", "tl", "length", "not"];
                format!("{}({})", f[self.random.below(f.len())], self.expression(depth - 1))
            }
            8 => {
                let op = ["andalso", "orelse", "and", "or"][self.random.below(4)];
                format!("({} {op} {})", self.guard(), self.expression(depth - 1))
            }
            _ => format!("#{{a => {}, {} => 1}}", self.expression(depth - 1), self.atomic()),
        }
    }

    fn atomic(&mut self) -> String {
        match self.random.below(6) {
            0..=3 => self.variable(),
            4 => format!("{}", self.random.below(4)),
            _ => ["a", "b", "true", "[]", "{}"][self.random.below(5)].to_owned(),
        }
    }

    fn guard(&mut self) -> String {
        let x = self.variable();
        match self.random.below(6) {
            0 => format!("is_integer({x})"),
            1 => format!("{x} > {}", self.random.below(3)),
            2 => format!("{x} =:= {}", self.variable()),
            3 => format!("{x} + 1 < {}", self.random.below(4)),
            4 => format!("is_tuple({x})"),
            _ => format!("{x} rem 2 =:= 0"),
        }
    }

    /// A pattern; its variables are known from then on if they are wanted.
    fn pattern(&mut self, depth: usize, binds: bool) -> String {
        match self.random.below(if depth == 0 { 4 } else { 7 }) {
            0 => format!("{}", self.random.below(3)),
            1 => ["a", "b", "true", "false", "[]"][self.random.below(5)].to_owned(),
            2 if binds => {
                let name = self.new_variable();
                self.variables.push(name.clone());
                name
            }
            2 | 3 => "_".to_owned(),
            4 => {
                format!(
                    "{{{}, {}}}",
                    self.pattern(depth - 1, binds),
                    self.pattern(depth - 1, binds)
                )
            }
            5 => {
                format!("[{} | {}]", self.pattern(depth - 1, binds), self.pattern(depth - 1, binds))
            }
            _ => format!("#{{a := {}}}", self.pattern(depth - 1, binds)),
        }
    }
}
