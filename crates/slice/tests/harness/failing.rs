//! Random programs about failing: what is seen of a failure that somebody handled.
//!
//! A program is a module of a few functions that write to state (the process dictionary, a table,
//! the mailbox, names, persistent terms, counters), fail in every way that there is, with every
//! kind of reason, directly, through calls, funs, comprehensions and functions of the library, and
//! handle that in `try`, `catch`, by monitors, or by links with exits trapped. Most handlers do
//! nothing: their only effect is that the exception ends there. At the end all state is read.
//!
//! Functions call only those with larger numbers and loops run over short lists, so every program
//! ends. Numbers are small and compared with small numbers: inputs reach both sides of most
//! branches.

use std::fmt::Write as _;

use super::inputs::Random;

/// How many functions there are besides those that a program is entered by.
const FUNCTIONS: usize = 3;

struct Generator {
    random: Random,
    /// The number of the next variable.
    fresh: u32,
    /// Functions from this number on may be called.
    callable: usize,
    /// Variables that have a value here.
    scope: Vec<String>,
    /// Whether processes are started: nearly everything is noticed then.
    has_processes: bool,
    /// How deep statements are nested.
    depth: u32,
    /// The kinds of state that this program uses.
    states: Vec<State>,
}

/// What a failure that was handled may leave behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Dictionary,
    Table,
    Mailbox,
    Term,
    Counter,
    Name,
}

const STATES: [State; 6] =
    [State::Dictionary, State::Table, State::Mailbox, State::Term, State::Counter, State::Name];

/// The text of a program.
pub(crate) fn program(name: &str, seed: u64) -> String {
    let mut random = Random::new(&format!("failing {seed}"));
    let has_processes = random.below(4) == 0;
    let depth = 1 + random.below(3) as u32;
    let first = random.below(6) as usize;
    let states = (0..1 + random.below(2) as usize).map(|more| STATES[(first + 2 * more) % 6]);
    let states = states.collect();
    let (fresh, callable, scope) = (0, 0, Vec::new());
    let mut generator = Generator { random, fresh, callable, scope, has_processes, depth, states };
    let mut out = format!(
        "%% Generated from seed {seed}.\n%% inputs: main(int, int), list(list(int))\n-module({name}).\n\
         -export([main/2, list/1]).\n-record(r, {{a = 0, b = none}}).\n\n"
    );
    generator.entry(&mut out, "main", &["A", "B"]);
    generator.entry(&mut out, "list", &["L"]);
    for number in 0..FUNCTIONS {
        generator.function(&mut out, number);
    }
    out + FAILING
}

/// Functions that fail for some arguments.
const FAILING: &str = "\
ok(X) when X > 3 -> {error, big};
ok(X) when X < -1 -> {error, {low, X}};
ok(X) -> {ok, X}.

kind(X) when X > 4 -> {large, X};
kind(X) when X < 0 -> negative;
kind(_) -> small.

small(X) when X < 4, X > -2 -> X + 1.

fun_of(X) when X > 3 -> fun(A, B) -> A + B end;
fun_of(X) when X < 0 -> none;
fun_of(X) -> fun(A) -> A + X end.

map_of(X) when X > 3 -> #{};
map_of(X) when X < 0 -> none;
map_of(X) -> #{k => X}.

record_of(X) when X > 3 -> {r, X};
record_of(X) -> #r{a = X}.
";

/// Reasons that programs give, and patterns for those and for the runtime's own.
const PATTERNS: &[&str] = &[
    "stop",
    "stop",
    "{bad, $V}",
    "{bad, _}",
    "{stop, $V, _}",
    "{stop, _, $V}",
    "[$V]",
    "#{why := $V}",
    "#r{a = $V}",
    "$V when is_integer($V)",
    "$V when $V > 3",
    "$V when is_tuple($V), element(1, $V) =:= bad",
    "{badmatch, {error, $V}}",
    "{badmatch, _}",
    "{case_clause, $V}",
    "{case_clause, {large, _}}",
    "if_clause",
    "function_clause",
    "badarith",
    "badarg",
    "undef",
    "{badkey, $V}",
    "{badmap, $V}",
    "{badfun, $V}",
    "{badarity, _}",
    "{badrecord, $V}",
    "{try_clause, $V}",
    "{'EXIT', _}",
    "$B",
    "{bad, $B}",
    "$V",
    "$V",
    "_",
    "_",
];

impl Generator {
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u64) as usize
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn new_variable(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    // ---- Values ------------------------------------------------------------------------------

    fn variable(&mut self) -> String {
        let index = self.below(self.scope.len());
        self.scope.get(index).cloned().unwrap_or_else(|| "1".to_owned())
    }

    fn number(&mut self) -> String {
        match self.below(5) {
            0 => self.below(5).to_string(),
            1 => format!("{} + {}", self.variable(), self.below(4)),
            _ => self.variable(),
        }
    }

    fn condition(&mut self) -> String {
        let operator = self.pick(&[">", "<", "=:=", ">="]);
        format!("{} {operator} {}", self.variable(), self.below(6) as i32 - 1)
    }

    fn reason(&mut self) -> String {
        let number = self.number();
        match self.below(9) {
            0 | 1 => "stop".to_owned(),
            2 | 3 => format!("{{bad, {number}}}"),
            4 => format!("{{stop, {number}, {}}}", self.number()),
            5 => format!("[{number}]"),
            6 => format!("#{{why => {number}}}"),
            7 => format!("#r{{a = {number}}}"),
            _ => number,
        }
    }

    /// A pattern for a reason, its guard, and the variables that it binds.
    fn pattern(&mut self) -> (String, Vec<String>) {
        let template = self.pick(PATTERNS);
        let mut bound = Vec::new();
        let mut text = template.to_owned();
        if template.contains("$B") {
            let outer = self.variable();
            text = text.replace("$B", &outer);
        }
        if template.contains("$V") {
            let variable = self.new_variable();
            text = text.replace("$V", &variable);
            bound.push(variable);
        }
        (text, bound)
    }

    // ---- State -------------------------------------------------------------------------------

    fn state(&mut self) -> State {
        let index = self.below(self.states.len());
        self.states[index]
    }

    fn write(&mut self) -> String {
        let (number, key) = (self.number(), self.pick(&["k1", "k2"]));
        match self.state() {
            State::Dictionary => format!("put({key}, {number})"),
            State::Table if self.below(4) == 0 => format!("ets:update_counter(rows, {key}, 1)"),
            State::Table => format!("ets:insert(rows, {{{key}, {number}}})"),
            State::Mailbox => format!("self() ! {{{key}, {number}}}"),
            State::Term => format!("persistent_term:put({{pt, {key}}}, {number})"),
            State::Counter => "counters:add(persistent_term:get(counter), 1, 1)".to_owned(),
            State::Name => {
                let call = self.pick(&["register(n1, self())", "unregister(n1)"]);
                call.to_owned()
            }
        }
    }

    fn read(&mut self) -> String {
        let key = self.pick(&["k1", "k2"]);
        match self.state() {
            State::Dictionary => format!("get({key})"),
            State::Table if self.below(2) == 0 => format!("ets:lookup_element(rows, {key}, 2)"),
            State::Table => format!("ets:lookup(rows, {key})"),
            State::Mailbox => {
                let taken = self.new_variable();
                format!("receive {{{key}, {taken}}} -> {taken} after 0 -> none end")
            }
            State::Term => format!("persistent_term:get({{pt, {key}}}, none)"),
            State::Counter => "counters:get(persistent_term:get(counter), 1)".to_owned(),
            State::Name => "whereis(n1) =:= self()".to_owned(),
        }
    }

    // ---- Failing -----------------------------------------------------------------------------

    /// An expression that may fail.
    fn failing(&mut self) -> String {
        let (number, condition) = (self.number(), self.condition());
        match self.below(26) {
            0..=2 => format!("{condition} andalso throw({})", self.reason()),
            3 => format!("{condition} andalso exit({})", self.reason()),
            4 => format!("{condition} andalso error({})", self.reason()),
            5 => format!("case {condition} of true -> throw({}); false -> ok end", self.reason()),
            6 => format!("if {condition} -> ok end"),
            7 | 8 => {
                let variable = self.new_variable();
                format!("{{ok, {variable}}} = ok({number})")
            }
            9 => {
                let variable = self.new_variable();
                format!(
                    "case kind({number}) of small -> 1; {{large, {variable}}} -> {variable} end"
                )
            }
            10 => format!("case kind({number}) of small -> 1; negative -> 2 end"),
            11 => format!("small({number})"),
            12 => format!("6 div ({number})"),
            // A filter that is a guard must not fail: it is none where values are told.
            13 => format!("{number} + length([X || X <- [1, 2], X < {}])", self.variable()),
            14 => format!("element({number}, {{3, 2, 1}})"),
            15 => format!("maps:get({number}, #{{1 => 2, 2 => 1}})"),
            16 => format!("(map_of({number}))#{{k := 1}}"),
            17 => format!("map_get(k, map_of({number}))"),
            18 => format!("hd(lists:nthtail({number}, [1, 2, 3]))"),
            19 => format!("(fun_of({number}))(1)"),
            20 => format!("(record_of({number}))#r.a"),
            21 => format!("{condition} andalso ?MODULE:missing({number})"),
            22 => format!("try {number} of 1 -> one; 2 -> two after ok end"),
            23 => format!("true = {condition}"),
            24 => format!("lists:nth({number}, [1, 2, 3])"),
            _ => format!("list_to_atom([{number} | lists:seq(1, {})])", self.variable()),
        }
    }

    // ---- Statements --------------------------------------------------------------------------

    /// Statements with the given indentation; variables of them are not seen afterwards.
    fn block(&mut self, depth: u32, indent: usize) -> String {
        let outer = self.scope.clone();
        let count = 1 + self.below(3);
        let mut statements: Vec<String> =
            (0..count).map(|_| self.statement(depth, indent)).collect();
        if self.below(3) > 0 {
            statements.push(self.write());
        }
        self.scope = outer;
        join(&statements, indent)
    }

    fn statement(&mut self, depth: u32, indent: usize) -> String {
        let choice = self.below(if depth == 0 { 9 } else { 22 });
        match choice {
            0 | 1 => self.write(),
            2 | 3 => {
                let (variable, read) = (self.new_variable(), self.read());
                self.scope.push(variable.clone());
                format!("{variable} = {read}")
            }
            4 => {
                let (variable, failing) = (self.new_variable(), self.failing());
                self.scope.push(variable.clone());
                format!("{variable} = ({failing})")
            }
            5..=7 => self.failing(),
            8 if self.callable < FUNCTIONS => {
                let called = self.callable + self.below(FUNCTIONS - self.callable);
                let (variable, args) = (self.new_variable(), (self.number(), self.number()));
                self.scope.push(variable.clone());
                format!("{variable} = f{called}({}, {})", args.0, args.1)
            }
            8 => self.failing(),
            9..=14 => self.attempt(depth - 1, indent),
            15 | 16 => self.old_catch(depth - 1, indent),
            17 | 18 => self.higher_order(depth - 1, indent),
            19 | 20 if self.has_processes => self.process(depth - 1, indent),
            _ => {
                let condition = self.condition();
                let inner = indent + 4;
                let (yes, no) =
                    (self.block(depth - 1, inner + 4), self.block(depth - 1, inner + 4));
                let pad = " ".repeat(inner);
                let (body, close) = (" ".repeat(inner + 4), " ".repeat(indent));
                format!(
                    "case {condition} of\n{pad}true ->\n{body}{yes};\n{pad}false ->\n{body}{no}\n{close}end"
                )
            }
        }
    }

    /// `try`, bound to a variable or not.
    fn attempt(&mut self, depth: u32, indent: usize) -> String {
        let (pad, inner) = (" ".repeat(indent), " ".repeat(indent + 4));
        let mut text = format!("try\n{inner}{}", self.block(depth, indent + 4));
        if self.below(4) == 0 {
            let variable = self.new_variable();
            let others = self.pick(&["; _ -> other", "", "; none -> none"]);
            let _ = write!(
                text,
                "\n{pad}of\n{inner}{variable} when is_integer({variable}) -> {variable}{others}"
            );
        }
        let has_after = self.below(5) == 0;
        if !has_after || self.below(3) > 0 {
            let _ = write!(text, "\n{pad}catch\n{inner}{}", self.handlers(depth, indent + 4));
        }
        if has_after {
            let _ = write!(text, "\n{pad}after\n{inner}{}", self.write());
        }
        let text = format!("{text}\n{pad}end");
        match self.below(3) {
            0 => {
                let variable = self.new_variable();
                self.scope.push(variable.clone());
                format!("{variable} = {text}")
            }
            _ => text,
        }
    }

    fn handlers(&mut self, depth: u32, indent: usize) -> String {
        let mut clauses = Vec::new();
        for _ in 0..1 + self.below(3) {
            let class =
                self.pick(&["throw:", "throw:", "error:", "error:", "exit:", "", "C:", "_:"]);
            let class = match class {
                "C:" => format!("{}:", self.new_variable()),
                class => class.to_owned(),
            };
            let (pattern, bound) = self.pattern();
            let (pattern, guard) = match pattern.split_once(" when ") {
                Some((pattern, guard)) => (pattern.to_owned(), format!(" when {guard}")),
                None => (pattern, String::new()),
            };
            let is_raised_again = self.below(6) == 0 && !class.is_empty() && class != "_:";
            let stack = if is_raised_again { self.new_variable() } else { String::new() };
            let outer = self.scope.clone();
            self.scope.extend(bound.iter().cloned());
            let body = if is_raised_again {
                let reason = bound.first().cloned().unwrap_or_else(|| "again".to_owned());
                let class = class.trim_end_matches(':');
                format!("erlang:raise({class}, {reason}, {stack})")
            } else {
                match self.below(8) {
                    0..=3 => "ok".to_owned(),
                    4 => self.write(),
                    5 => bound.first().cloned().unwrap_or_else(|| "0".to_owned()),
                    6 => format!("throw({})", self.reason()),
                    _ => {
                        let pad = " ".repeat(indent + 4);
                        format!("\n{pad}{}", self.block(depth.saturating_sub(1), indent + 4))
                    }
                }
            };
            self.scope = outer;
            let colon = if is_raised_again { ":" } else { "" };
            clauses.push(format!("{class}{pattern}{colon}{stack}{guard} -> {body}"));
        }
        if self.below(3) == 0 {
            clauses.push("_:_ -> ok".to_owned());
        }
        clauses.join(&format!(";\n{}", " ".repeat(indent)))
    }

    fn old_catch(&mut self, depth: u32, indent: usize) -> String {
        let (inner, pad) = (" ".repeat(indent + 4), " ".repeat(indent));
        let body = self.block(depth, indent + 4);
        let (pattern, bound) = self.pattern();
        let (pattern, guard) = match pattern.split_once(" when ") {
            Some((pattern, guard)) => (pattern.to_owned(), format!(" when {guard}")),
            None => (pattern, String::new()),
        };
        let value = bound.first().cloned().unwrap_or_else(|| "1".to_owned());
        match self.below(3) {
            0 => format!("(catch begin\n{inner}{body}\n{pad}end)"),
            1 => {
                let variable = self.new_variable();
                self.scope.push(variable.clone());
                format!("{variable} = (catch begin\n{inner}{body}\n{pad}end)")
            }
            _ => {
                let around = self.pick(&["{'EXIT', {$P, _}}", "{'EXIT', $P}", "$P"]);
                let pattern = around.replace("$P", &pattern);
                format!(
                    "case catch begin\n{inner}{body}\n{pad}end of\n{inner}{pattern}{guard} -> \
                     {value};\n{inner}_ -> ok\n{pad}end"
                )
            }
        }
    }

    fn higher_order(&mut self, depth: u32, indent: usize) -> String {
        let (inner, pad) = (" ".repeat(indent + 4), " ".repeat(indent));
        let list = format!("[{}, {}, 1]", self.number(), self.number());
        let (element, sum, key) = (self.new_variable(), self.new_variable(), self.new_variable());
        let outer = self.scope.clone();
        self.scope.push(element.clone());
        let body = self.block(depth, indent + 4);
        self.scope = outer;
        let body = format!("\n{inner}{body}");
        let text = match self.below(13) {
            0 | 1 => format!("lists:foreach(fun({element}) -> {body}\n{pad}end, {list})"),
            2 => format!("lists:map(fun({element}) -> {body}\n{pad}end, {list})"),
            3 => format!(
                "lists:foldl(fun({element}, {sum}) -> {body},\n{inner}{element} + {sum}\n{pad}end, 0, {list})"
            ),
            4 => format!(
                "maps:fold(fun({key}, {element}, {sum}) -> {body},\n{inner}{element} + {sum} + {key}\n{pad}\
                 end, 0, #{{1 => {}, 2 => 3}})",
                self.number()
            ),
            5 => format!("[begin{body}\n{pad}end || {element} <- {list}]"),
            6 => {
                let test = self.failing();
                format!("[{element} || {element} <- {list}, begin {test}, true end]")
            }
            7 => format!(
                "lists:all(fun({element}) -> {body},\n{inner}{element} > 0\n{pad}end, {list})"
            ),
            8 => format!(
                "maps:map(fun({key}, {element}) -> {body},\n{inner}{key}\n{pad}end, #{{1 => 2}})"
            ),
            9 => format!("apply(fun({element}) -> {body}\n{pad}end, [{}])", self.number()),
            10 => {
                let function = self.new_variable();
                format!(
                    "{function} = fun({element}) -> {body}\n{pad}end,\n{pad}{function}({})",
                    self.number()
                )
            }
            11 => format!(
                "ets:foldl(fun({{_, {element}}}, {sum}) -> {body},\n{inner}{sum} + 1\n{pad}end, 0, rows)"
            ),
            _ => format!(
                "lists:filter(fun({element}) -> {body},\n{inner}{element} > 1\n{pad}end, {list})"
            ),
        };
        match self.below(3) {
            0 if !text.starts_with('V') => {
                let variable = self.new_variable();
                self.scope.push(variable.clone());
                format!("{variable} = {text}")
            }
            _ => text,
        }
    }

    /// A process whose end is waited for.
    fn process(&mut self, depth: u32, indent: usize) -> String {
        let (inner, pad) = (" ".repeat(indent + 4), " ".repeat(indent));
        let body = self.block(depth, indent + 4);
        let (process, monitor) = (self.new_variable(), self.new_variable());
        let (pattern, bound) = self.pattern();
        let (pattern, guard) = match pattern.split_once(" when ") {
            Some((pattern, guard)) => (pattern.to_owned(), format!(" when {guard}")),
            None => (pattern, String::new()),
        };
        let pattern = match self.below(3) {
            0 => format!("{{{pattern}, _}}"),
            1 => "normal".to_owned(),
            _ => pattern,
        };
        let is_bound = pattern != "normal";
        let guard = if is_bound { guard } else { String::new() };
        let value = bound.first().filter(|_| is_bound).cloned().unwrap_or_else(|| "1".to_owned());
        let body = format!("fun() ->\n{inner}{body}\n{pad}end");
        let (start, message, end) = match self.below(3) {
            0 => (
                format!("process_flag(trap_exit, true),\n{pad}{process} = spawn_link({body})"),
                format!("'EXIT', {process}"),
                format!(",\n{pad}process_flag(trap_exit, false)"),
            ),
            1 => (
                format!("{process} = spawn({body}),\n{pad}{monitor} = monitor(process, {process})"),
                format!("'DOWN', {monitor}, process, _"),
                String::new(),
            ),
            _ => (
                format!("{{{process}, {monitor}}} = spawn_monitor({body})"),
                format!("'DOWN', {monitor}, process, {process}"),
                String::new(),
            ),
        };
        let (result, otherwise) = (self.new_variable(), self.pick(&["ok", "error(lost)"]));
        self.scope.push(result.clone());
        format!(
            "{start},\n{pad}{result} = receive\n{inner}{{{message}, {pattern}}}{guard} -> {value};\n\
             {inner}{{{message}, _}} -> {otherwise}\n{pad}end{end}"
        )
    }

    // ---- Functions ---------------------------------------------------------------------------

    /// A function that a program is entered by: state, statements, and what is left of the state.
    fn entry(&mut self, out: &mut String, name: &str, parameters: &[&str]) {
        self.callable = 0;
        self.scope = match parameters {
            ["L"] => vec!["Sum".to_owned(), "Length".to_owned()],
            _ => parameters.iter().map(|&parameter| parameter.to_owned()).collect(),
        };
        let mut statements: Vec<String> = Vec::new();
        for state in self.states.clone() {
            statements.push(match state {
                State::Dictionary => "put(k1, 1),\n    put(k2, 2)".to_owned(),
                State::Table => "ets:new(rows, [named_table, public]),\n    \
                                 ets:insert(rows, [{k1, 1}, {k2, 2}])"
                    .to_owned(),
                State::Counter => "persistent_term:put(counter, counters:new(1, []))".to_owned(),
                State::Mailbox | State::Term | State::Name => continue,
            });
        }
        if parameters == ["L"] {
            statements.push("Sum = lists:sum(L)".to_owned());
            statements.push("Length = length(L)".to_owned());
            statements.push("Kept = (catch each(L))".to_owned());
        }
        let depth = self.depth;
        for number in 1..2 + self.below(2) {
            statements.push(match self.below(6) {
                0 => self.higher_order_caught(),
                1 => self.old_catch(depth, 4),
                2 if self.has_processes => self.process(depth, 4),
                _ => self.attempt(depth, 4),
            });
            let variable = format!("Left{number}");
            statements.push(format!("{variable} = {}", self.read()));
            self.scope.push(variable);
        }
        let read = self.read();
        statements.push(format!("Left = {read}"));
        statements.push("Left".to_owned());
        let _ =
            writeln!(out, "{name}({}) ->\n    {}.\n", parameters.join(", "), join(&statements, 4));
        if parameters == ["L"] {
            self.scope = vec!["E".to_owned()];
            let body = self.block(self.depth - 1, 4);
            let _ = writeln!(out, "each([]) -> ok;\neach([E | L]) ->\n    {body},\n    each(L).\n");
        }
    }

    fn higher_order_caught(&mut self) -> String {
        let outer = self.scope.clone();
        let body = self.higher_order(self.depth, 8);
        self.scope = outer;
        format!("try\n        {body}\n    catch\n        {}\n    end", self.handlers(1, 8))
    }

    fn function(&mut self, out: &mut String, number: usize) {
        self.callable = number + 1;
        self.scope = vec!["A".to_owned(), "B".to_owned()];
        let guard =
            if self.below(4) == 0 { format!(" when {}", self.condition()) } else { String::new() };
        let depth = if number == 0 { self.depth - 1 } else { 0 };
        let count = 1 + self.below(3);
        let mut statements: Vec<String> = (0..count).map(|_| self.statement(depth, 4)).collect();
        statements.push(self.number());
        let _ = writeln!(out, "f{number}(A, B){guard} ->\n    {}.\n", join(&statements, 4));
    }
}

fn join(statements: &[String], indent: usize) -> String {
    statements.join(&format!(",\n{}", " ".repeat(indent)))
}
