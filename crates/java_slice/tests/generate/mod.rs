//! Programs out of numbers: integers, objects, arrays, loops, jumps, exceptions and calls.

use std::fmt::Write;

struct Maker {
    state: u64,
    out: String,
    depth: usize,
    variables: Vec<String>,
    fresh: usize,
    in_loop: bool,
}

impl Maker {
    fn pick(&mut self, count: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % count as u64) as usize
    }

    fn variable(&mut self) -> String {
        let at = self.pick(self.variables.len());
        self.variables[at].clone()
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.pick(3) == 0 { self.pick(9).to_string() } else { self.variable() };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.pick(12) {
            0..=2 => format!("({a} + {b})"),
            3 => format!("({a} - {b})"),
            4 => format!("({a} * {b} % 97)"),
            5 => format!("({a} / {b})"),
            6 => format!("({a} > {b} ? {a} : {b})"),
            7 => format!("f{}({a}, {b})", self.pick(3)),
            8 => format!("p.get({a})"),
            9 => "q.x".to_owned(),
            10 => format!("arr[({a} & 3)]"),
            _ => format!("fn.call({a})"),
        }
    }

    fn statements(&mut self, count: usize) {
        let visible = self.variables.len();
        for _ in 0..count {
            self.statement();
        }
        self.variables.truncate(visible);
    }

    fn statement(&mut self) {
        if self.depth > 3 {
            let (name, value) = (self.variable(), self.expression(1));
            let _ = writeln!(self.out, "{name} = {value};");
            return;
        }
        self.depth += 1;
        match self.pick(14) {
            0 | 1 => {
                let value = self.expression(2);
                self.fresh += 1;
                let name = format!("v{}", self.fresh);
                let _ = writeln!(self.out, "int {name} = {value};");
                self.variables.push(name);
            }
            2 | 3 => {
                let (name, value) = (self.variable(), self.expression(2));
                let _ = writeln!(self.out, "{name} = {value};");
            }
            4 => {
                let condition = self.expression(1);
                let _ = writeln!(self.out, "if ({condition} % 2 == 0) {{");
                self.statements(2);
                let _ = writeln!(self.out, "}} else {{");
                self.statements(2);
                let _ = writeln!(self.out, "}}");
            }
            5 => {
                self.fresh += 1;
                let name = format!("i{}", self.fresh);
                let _ = writeln!(self.out, "for (int {name} = 0; {name} < 4; {name}++) {{");
                let was = std::mem::replace(&mut self.in_loop, true);
                self.statements(3);
                self.in_loop = was;
                let _ = writeln!(self.out, "}}");
            }
            6 => {
                let _ = writeln!(self.out, "try {{");
                self.statements(2);
                self.fresh += 1;
                let _ = writeln!(self.out, "}} catch (ArithmeticException e{}) {{", self.fresh);
                self.statements(1);
                if self.pick(2) == 0 {
                    let _ = writeln!(self.out, "}} finally {{");
                    let was = std::mem::replace(&mut self.in_loop, false);
                    self.statements(1);
                    self.in_loop = was;
                }
                let _ = writeln!(self.out, "}}");
            }
            7 => {
                let (target, value) = (["p", "q", "p.next"][self.pick(3)], self.expression(1));
                let _ = writeln!(self.out, "{target}.x = {value};");
            }
            8 => {
                let (index, value) = (self.expression(0), self.expression(1));
                let _ = writeln!(self.out, "arr[{index} & 3] += {value};");
            }
            9 if self.in_loop => {
                let condition = self.expression(1);
                let jump = ["break", "continue"][self.pick(2)];
                let _ = writeln!(self.out, "if ({condition} > 20) {jump};");
            }
            10 => {
                let (name, value) = (["p", "q"][self.pick(2)], self.expression(1));
                let _ = writeln!(self.out, "{name}.add({value});");
            }
            11 => {
                let text = ["p = q;", "q = new Sub(SEED);", "p = new Cell(SEED);", "p.next = q;"]
                    [self.pick(4)];
                let seed = self.expression(0);
                let _ = writeln!(self.out, "{}", text.replace("SEED", &seed));
            }
            12 => {
                let (name, value) = (self.variable(), self.expression(1));
                let _ =
                    writeln!(self.out, "switch ({value} & 3) {{ case 0: {name}++; break; case 1:");
                self.statements(1);
                let _ = writeln!(self.out, "default: {name} -= 2; }}");
            }
            _ => {
                let (name, value) = (self.variable(), self.expression(1));
                let which = self.pick(2);
                let _ = writeln!(self.out, "{name} += g{which}({value});");
            }
        }
        self.depth -= 1;
    }
}

/// The program of a number.
pub(crate) fn program(seed: usize) -> String {
    let mut maker = Maker {
        state: (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC,
        out: String::new(),
        depth: 0,
        variables: Vec::new(),
        fresh: 0,
        in_loop: false,
    };
    maker.out.push_str(
        "class Cell { int x; Cell next; static int made; Cell(int x) { this.x = x; made++; next = this; } \
         int get(int k) { return x + k; } void add(int k) { x += k; } }\n\
         class Sub extends Cell { int y = 3; Sub(int x) { super(x + 1); y += x; } \
         @Override int get(int k) { return x * 2 - k + y; } @Override void add(int k) { super.add(k); y++; } }\n\
         interface Fn { int call(int a); }\n\
         class Main {\n static int s = 1; static int depth = 0;\n static Cell p = new Cell(2); static Cell q = new Sub(5); \
         static int[] arr = {1, 2, 3, 4};\n static Fn fn = a -> a + s;\n",
    );
    for index in 0..3 {
        let _ =
            writeln!(maker.out, "static int f{index}(int a, int b) {{ if (++depth > 30) return a;");
        maker.variables = vec!["a".into(), "b".into(), "s".into()];
        maker.statements(3);
        let value = maker.expression(1);
        let _ = writeln!(maker.out, "return {value}; }}");
    }
    for index in 0..2 {
        let _ = writeln!(
            maker.out,
            "static int g{index}(int a) {{ int r = a; if (++depth > 30) return r;"
        );
        maker.variables = vec!["a".into(), "r".into(), "s".into()];
        maker.statements(2);
        let _ =
            writeln!(maker.out, "if (r % 5 == 4) throw new IllegalStateException(); return r; }}");
    }
    maker.out.push_str("public static void main(String[] args) {\nint x = 3, y = 4, z = 0;\n");
    maker.variables = vec!["x".into(), "y".into(), "z".into(), "s".into()];
    maker.statements(8);
    maker.out.push_str(
        "System.out.println(x); System.out.println(y + z); System.out.println(s + p.x + q.x); } }\n",
    );
    maker.out
}
