//! Random programs that mean something.
//!
//! A program is a module of a few functions and a `main/0` that calls each with several arguments
//! and prints what came of it: the value, or class, reason and stack trace. Expressions are made by
//! type, so that most of them compute; one in twelve places gets a value of another type, so that
//! every kind of failure happens too. A function calls only functions above it, loops only run over
//! lists and small numbers: every program ends.
//!
//! What both sides may do differently is left out: the order of large maps, the text of pids and
//! references, time, and reports of crashed processes.

mod data;
mod patterns;

use std::fmt::Write as _;

/// A small generator of numbers (splitmix64): the same programs from the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The types that expressions are made by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Int,
    Float,
    Atom,
    Bool,
    /// A list of small integers.
    List,
    /// A tuple of an integer and an atom.
    Pair,
    /// A map from atoms to integers.
    Map,
    Binary,
    Bits,
    /// A function from integer to integer.
    Fun,
    /// `#point{x = integer, y = atom}`
    Record,
}

const TYPES: [Type; 11] = [
    Type::Int,
    Type::Float,
    Type::Atom,
    Type::Bool,
    Type::List,
    Type::Pair,
    Type::Map,
    Type::Binary,
    Type::Bits,
    Type::Fun,
    Type::Record,
];

struct Function {
    name: String,
    params: Vec<Type>,
    result: Type,
}

pub(crate) struct Generator {
    random: Random,
    functions: Vec<Function>,
    /// Variables in scope.
    scope: Vec<(String, Type)>,
    fresh: u32,
    /// How much may still be generated in this function.
    fuel: u32,
}

/// The text of a program.
pub(crate) fn program(name: &str, seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        functions: Vec::new(),
        scope: Vec::new(),
        fresh: 0,
        fuel: 0,
    };
    generator.module(name)
}

const HEAD: &str = "-export([main/0]).
-compile(nowarn_unused_vars).
-record(point, {x = 1 :: integer(), y = none :: atom()}).

show(Name, Call) ->
    try Call() of
        V -> io:format(\"~s: ~tp~n\", [Name, plain(V)])
    catch
        C:R:S ->
            io:format(\"~s: ~w ~tp~n\", [Name, C, plain(R)]),
            [io:format(\"  at ~w:~ts/~w ~w~n\", [M, name(atom_to_list(F)), arity(atom_to_list(F), A), line(M, L)])
             || {M, F, A, L} <- once(lists:takewhile(fun({_, F, _, _}) -> F =/= show end, S))]
    end.

id(X) -> X.

%% The judge sometimes notes a call twice; whether it notes an operator depends on how its compiler optimizes.
once([{erlang, Op, _, _} | Rest]) when Op =:= '+'; Op =:= '-'; Op =:= '*'; Op =:= '/' -> once(Rest);
once([{M, F, A, _}, {M, F, A, _} = Same | Rest]) -> once([Same | Rest]);
once([Frame | Rest]) -> [Frame | once(Rest)];
once([]) -> [].

%% The judge's compiler gives the functions of comprehensions two numbers; the second depends on its passes.
name(\"-\" ++ _ = Name) -> hd(string:split(Name, \"/\", trailing));
name(Name) -> Name.

%% What a fun takes along depends on how the judge's compiler optimizes.
arity(\"-\" ++ _, _) -> any;
arity(_, A) when is_list(A) -> length(A);
arity(_, A) -> A.

%% The library has lines of its own on each side.
line(?MODULE, L) -> proplists:get_value(line, L, none);
line(_, _) -> none.

plain(F) when is_function(F) -> {function, erlang:fun_info(F, arity)};
plain(P) when is_pid(P) -> pid;
plain(R) when is_reference(R) -> reference;
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(M) when is_map(M) -> maps:from_list(plain(maps:to_list(M)));
plain(X) -> X.

";

impl Generator {
    fn module(&mut self, name: &str) -> String {
        let mut text = format!("-module({name}).\n{HEAD}");
        let functions = 3 + self.random.below(5);
        for index in 0..functions {
            let arity = self.random.below(4);
            let params = (0..arity).map(|_| *self.random.pick(&TYPES)).collect();
            let result = *self.random.pick(&TYPES);
            let function = Function { name: format!("f{index}"), params, result };
            self.function(&function, &mut text);
            self.functions.push(function);
        }
        text.push_str("main() ->\n");
        for index in 0..functions {
            for call in 0..3 {
                self.scope.clear();
                self.fuel = 4;
                let call_text = self.call(index);
                let _ = writeln!(text, "    show(\"f{index}.{call}\", fun() -> {call_text} end),");
            }
        }
        text.push_str("    done.\n");
        text
    }

    fn function(&mut self, function: &Function, text: &mut String) {
        let clauses = 1 + self.random.below(3);
        for clause in 0..clauses {
            self.scope.clear();
            self.fuel = 25;
            let last = clause + 1 == clauses;
            let patterns: Vec<String> = if last && !self.random.once_in(4) {
                function.params.iter().map(|&ty| self.bind(ty)).collect()
            } else {
                self.patterns(&function.params, 2)
            };
            let guard = if !last || self.random.once_in(3) { self.when() } else { String::new() };
            let _ = writeln!(text, "{}({}){guard} ->", function.name, patterns.join(", "));
            let body = self.body(function.result, 4);
            let _ = writeln!(text, "    {body}{}", if last { ".\n" } else { ";" });
        }
    }

    /// A call of a function that exists.
    fn call(&mut self, index: usize) -> String {
        let params = self.functions[index].params.clone();
        let name = self.functions[index].name.clone();
        let args: Vec<String> = params.iter().map(|&ty| self.expr(ty, 2)).collect();
        format!("{name}({})", args.join(", "))
    }

    /// A new variable.
    fn bind(&mut self, ty: Type) -> String {
        self.fresh += 1;
        let name = format!("V{}", self.fresh);
        self.scope.push((name.clone(), ty));
        name
    }

    /// A few expressions, the last of the given type.
    fn body(&mut self, ty: Type, depth: u32) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.random.below(3) {
            let other = *self.random.pick(&TYPES);
            let value = self.expr(other, depth.saturating_sub(1));
            let target =
                if self.random.once_in(3) { self.pattern(other, 2) } else { self.bind(other) };
            parts.push(format!("{target} = {value}"));
        }
        parts.push(self.expr(ty, depth));
        parts.join(",\n    ")
    }

    /// A body whose variables are not seen afterwards.
    fn inner(&mut self, ty: Type, depth: u32) -> String {
        let scope = self.scope.len();
        let body = self.body(ty, depth);
        self.scope.truncate(scope);
        body
    }

    fn variable(&mut self, ty: Type) -> Option<String> {
        self.variable_of(ty, self.scope.len())
    }

    /// One of the first `among` variables in scope.
    fn variable_of(&mut self, ty: Type, among: usize) -> Option<String> {
        let fitting: Vec<usize> = (0..among).filter(|&i| self.scope[i].1 == ty).collect();
        if fitting.is_empty() {
            return None;
        }
        Some(self.scope[*self.random.pick(&fitting)].0.clone())
    }

    /// An expression of a type (mostly).
    fn expr(&mut self, ty: Type, depth: u32) -> String {
        if self.random.once_in(40) {
            // Through a function, so that the judge's compiler does not see that it must fail.
            let other = *self.random.pick(&TYPES);
            return format!("id({})", self.leaf(other));
        }
        if depth == 0 || self.fuel == 0 {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        match self.random.below(10) {
            0 | 1 => self.leaf(ty),
            2..=5 => self.computed(ty, depth - 1),
            _ => self.control(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: Type) -> String {
        if !self.random.once_in(3)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        self.literal(ty)
    }

    /// Forms that can have any type.
    fn control(&mut self, ty: Type, depth: u32) -> String {
        match self.random.below(16) {
            0 | 1 => self.case(ty, depth),
            2 => {
                let (guard, yes) = (self.guard(), self.inner(ty, depth));
                let no = self.inner(ty, depth);
                let last = if self.random.once_in(6) { self.guard() } else { "true".to_owned() };
                format!("if\n    {guard} -> {yes};\n    {last} -> {no}\n    end")
            }
            3 => format!("begin {} end", self.inner(ty, depth)),
            4 | 5 => self.try_expr(ty, depth),
            6 | 7 => match self.fitting_function(ty) {
                Some(index) => self.call(index),
                None => self.computed(ty, depth),
            },
            8 => {
                let scope = self.scope.len();
                let other = *self.random.pick(&TYPES);
                let arg = self.expr(other, depth);
                let param = self.bind(other);
                let body = self.body(ty, depth);
                self.scope.truncate(scope);
                format!("(fun({param}) -> {body} end)({arg})")
            }
            9 => format!("hd([{}])", self.expr(ty, depth)),
            10 => format!("element(2, {{{}, {}}})", self.any(depth), self.expr(ty, depth)),
            11 => {
                format!("maps:get(k, #{{k => {}, l => {}}})", self.expr(ty, depth), self.any(depth))
            }
            12 => self.receive(ty, depth),
            13 => self.process(ty, depth),
            14 => {
                let value = self.expr(ty, depth);
                let other = self.any(depth);
                format!("begin put(k, {value}), _ = {other}, get(k) end")
            }
            _ => {
                let value = self.expr(ty, depth);
                let fallback = self.literal(ty);
                self.fresh += 1;
                let n = self.fresh;
                format!(
                    "case catch {value} of\n    {{'EXIT', _}} -> {fallback};\n    K{n} -> K{n}\n    end"
                )
            }
        }
    }

    fn any(&mut self, depth: u32) -> String {
        let ty = *self.random.pick(&TYPES);
        self.expr(ty, depth)
    }

    fn fitting_function(&mut self, ty: Type) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..self.functions.len()).filter(|&i| self.functions[i].result == ty).collect();
        (!fitting.is_empty()).then(|| *self.random.pick(&fitting))
    }

    fn case(&mut self, ty: Type, depth: u32) -> String {
        let of = *self.random.pick(&TYPES);
        let mut text = format!("case {} of\n", self.expr(of, depth));
        let clauses = 1 + self.random.below(3);
        for _ in 0..clauses {
            let scope = self.scope.len();
            let pattern = self.pattern(of, 2);
            let guard = if self.random.once_in(3) { self.when() } else { String::new() };
            let body = self.body(ty, depth);
            self.scope.truncate(scope);
            let _ = writeln!(text, "    {pattern}{guard} -> {body};");
        }
        let _ = write!(text, "    _ -> {}\n    end", self.inner(ty, depth));
        text
    }

    fn try_expr(&mut self, ty: Type, depth: u32) -> String {
        let mut text = format!("try {}", self.inner(ty, depth));
        if self.random.once_in(3) {
            let scope = self.scope.len();
            let pattern = self.pattern(ty, 1);
            let _ = write!(text, " of\n    {pattern} -> {}", self.body(ty, depth));
            self.scope.truncate(scope);
        }
        let fails = self.random.once_in(3);
        if fails {
            let class = *self.random.pick(&["throw", "exit", "error"]);
            text = format!("try {class}({})", self.any(depth));
        }
        if !self.random.once_in(5) {
            let class = *self.random.pick(&["error", "throw", "exit", "_", "Class"]);
            let class = if class == "Class" {
                self.fresh += 1;
                format!("C{}", self.fresh)
            } else {
                class.to_owned()
            };
            let reason =
                *self.random.pick(&["_", "badarg", "{badmatch, _}", "function_clause", "badarith"]);
            let body = self.inner(ty, depth);
            let _ = write!(text, "\n    catch {class}:{reason} -> {body}");
            if self.random.once_in(3) {
                let _ = write!(
                    text,
                    ";\n    {}:_ -> {}",
                    self.random.pick(&["error", "throw", "_"]),
                    self.inner(ty, depth)
                );
            }
            if self.random.once_in(4) {
                let _ = write!(text, "\n    after put(after_ran, {})", self.any(0));
            }
        } else {
            let _ = write!(text, "\n    after put(k, {})", self.any(0));
        }
        text.push_str("\n    end");
        text
    }

    /// A process sends to itself and takes what it wants.
    fn receive(&mut self, ty: Type, depth: u32) -> String {
        self.fresh += 1;
        let tag = format!("m{}", self.fresh);
        let sent = self.expr(ty, depth);
        let scope = self.scope.len();
        let other = self.literal(Type::Int);
        let pattern = if self.random.once_in(3) { self.pattern(ty, 1) } else { self.bind(ty) };
        let guard = if self.random.once_in(4) { self.when() } else { String::new() };
        let body = self.body(ty, depth.saturating_sub(1));
        self.scope.truncate(scope);
        let late = self.inner(ty, depth.saturating_sub(1));
        format!(
            "begin self() ! {{other, {other}}}, self() ! {{{tag}, {sent}}},\n    receive {{{tag}, {pattern}}}{guard} -> {body}\n    after 0 -> {late} end end"
        )
    }

    /// Another process computes; its value, or the reason of its end, comes back.
    fn process(&mut self, ty: Type, depth: u32) -> String {
        self.fresh += 1;
        let n = self.fresh;
        let value = format!("begin {} end", self.inner(ty, depth));
        let fallback = self.literal(ty);
        match self.random.below(3) {
            0 => format!(
                "begin {{P{n}, R{n}}} = spawn_monitor(fun() -> exit({{value, {value}}}) end),\n    receive {{'DOWN', R{n}, process, P{n}, {{value, D{n}}}}} -> D{n};\n    {{'DOWN', R{n}, process, P{n}, {{E{n}, _}}}} -> put(reason, E{n}), {fallback} end end"
            ),
            1 => format!(
                "begin S{n} = self(), T{n} = make_ref(),\n    P{n} = spawn(fun() -> receive {{go, W{n}}} -> S{n} ! {{T{n}, catch W{n}()}} end end),\n    P{n} ! {{go, fun() -> {value} end}},\n    receive {{T{n}, {{'EXIT', _}}}} -> {fallback}; {{T{n}, D{n}}} -> D{n} end end"
            ),
            _ => format!(
                "begin process_flag(trap_exit, true), P{n} = spawn_link(fun() -> exit({value}) end),\n    receive {{'EXIT', P{n}, {{_, [_|_]}}}} -> {fallback}; {{'EXIT', P{n}, D{n}}} -> D{n} end end"
            ),
        }
    }
}
