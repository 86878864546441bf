//! Arguments for the entry functions of a program, made from a description of them.
//!
//! ```text
//! int nat float bool atom string binary any     list(T)     {T, …}     one(Term; …)
//! ```
//!
//! Small values are likelier than large ones, and special ones (0, the empty list) are among the
//! first. The same program gets the same inputs.

/// A function that a program is entered by.
pub(crate) struct Entry {
    pub(crate) module: String,
    pub(crate) name: String,
    pub(crate) args: Vec<Shape>,
}

/// What an argument is made of.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Int,
    Nat,
    Float,
    Bool,
    Atom,
    Text,
    Binary,
    Any,
    List(Box<Shape>),
    Tuple(Vec<Shape>),
    One(Vec<String>),
}

impl Entry {
    /// Reads `f(int), g(list(int), {int, atom})`.
    pub(crate) fn read(module: &str, text: &str) -> Vec<Entry> {
        let calls = split(text, ',');
        let entry = |call: &String| {
            let (name, args) = call.split_once('(').unwrap_or_else(|| panic!("{module}: {call}"));
            let args = args.strip_suffix(')').unwrap_or_else(|| panic!("{module}: {call}"));
            let args = split(args, ',').iter().map(|arg| Shape::read(module, arg)).collect();
            Entry { module: module.to_owned(), name: name.trim().to_owned(), args }
        };
        calls.iter().map(entry).collect()
    }

    /// A call with arguments of these shapes, as text.
    pub(crate) fn call(&self, random: &mut Random) -> String {
        let args: Vec<String> = self.args.iter().map(|shape| shape.make(random, 2)).collect();
        format!("{}:{}({})", self.module, self.name, args.join(", "))
    }
}

impl Shape {
    fn read(module: &str, text: &str) -> Shape {
        let text = text.trim();
        let inside = |open: &str, close: char| {
            text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
        };
        if let Some(element) = inside("list(", ')') {
            return Shape::List(Box::new(Shape::read(module, element)));
        }
        if let Some(terms) = inside("one(", ')') {
            return Shape::One(split(terms, ';'));
        }
        if let Some(elements) = inside("{", '}') {
            let elements = split(elements, ',');
            return Shape::Tuple(elements.iter().map(|text| Shape::read(module, text)).collect());
        }
        match text {
            "int" => Shape::Int,
            "nat" => Shape::Nat,
            "float" => Shape::Float,
            "bool" => Shape::Bool,
            "atom" => Shape::Atom,
            "string" => Shape::Text,
            "binary" => Shape::Binary,
            "any" => Shape::Any,
            _ => panic!("{module}: unknown shape {text:?} in its inputs"),
        }
    }

    fn make(&self, random: &mut Random, depth: u32) -> String {
        let pick = |random: &mut Random, choices: &[&str]| {
            choices[random.below(choices.len() as u64) as usize].to_owned()
        };
        match self {
            Shape::Int => match random.below(8) {
                0 => pick(random, &["0", "1", "-1", "100", "1000"]),
                _ => (random.below(14) as i64 - 4).to_string(),
            },
            Shape::Nat => match random.below(6) {
                0 => pick(random, &["0", "300", "65535"]),
                _ => random.below(12).to_string(),
            },
            Shape::Float => pick(random, &["0.0", "1.5", "50.5", "62.25", "90.0", "99.9", "-3.5"]),
            Shape::Bool => pick(random, &["true", "false"]),
            Shape::Atom => pick(random, &["a", "b", "c", "ann", "name", "'Odd name'"]),
            Shape::Text => {
                let words =
                    ["", "a", "ab", "Hello", "two words", "x1 22", "the cat the", "9 lives"];
                format!("{:?}", pick(random, &words))
            }
            Shape::Binary => {
                let bytes = (0..random.below(8)).map(|_| match random.below(3) {
                    0 => random.below(256).to_string(),
                    _ => random.below(8).to_string(),
                });
                format!("<<{}>>", bytes.collect::<Vec<_>>().join(","))
            }
            Shape::Any => match random.below(if depth == 0 { 5 } else { 8 }) {
                0 => Shape::Int.make(random, depth),
                1 => Shape::Atom.make(random, depth),
                2 => Shape::Bool.make(random, depth),
                3 => Shape::Binary.make(random, depth),
                4 => pick(random, &["[]", "#{}", "{}", "null", "25"]),
                5 => Shape::List(Box::new(Shape::Any)).make(random, depth - 1),
                6 => Shape::Tuple(vec![Shape::Any, Shape::Any]).make(random, depth - 1),
                _ => format!("#{{key => {}}}", Shape::Any.make(random, depth - 1)),
            },
            Shape::List(element) => {
                let elements = (0..random.below(6)).map(|_| element.make(random, depth));
                format!("[{}]", elements.collect::<Vec<_>>().join(","))
            }
            Shape::Tuple(elements) => {
                let elements = elements.iter().map(|element| element.make(random, depth));
                format!("{{{}}}", elements.collect::<Vec<_>>().join(","))
            }
            Shape::One(terms) => terms[random.below(terms.len() as u64) as usize].clone(),
        }
    }
}

/// The parts between separators that are not inside brackets or strings.
fn split(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        if c == separator && depth == 0 && !quoted {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    let parts = parts.into_iter().map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Numbers that depend on a seed only (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: &str) -> Random {
        // FNV-1a of the seed.
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        Random(seed.bytes().fold(0xCBF2_9CE4_8422_2325, mix))
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }
}

/// Calls of the entry functions, `each` of every one, none twice.
pub(crate) fn calls(seed: &str, entries: &[Entry], each: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut calls = Vec::new();
    for entry in entries {
        let first = calls.len();
        for _ in 0..each * 3 {
            let call = entry.call(&mut random);
            if !calls[first..].contains(&call) {
                calls.push(call);
            }
            if calls.len() - first == each {
                break;
            }
        }
    }
    calls
}
