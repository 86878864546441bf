//! Types as Erlang text, such as a spec would have it.

use std::fmt::{self, Write};

use atom::{Atom, known, quote};

use super::{
    Atoms, Bits, Cons, FunType, Integers, Key, MapType, Named, Presence, Records, Tuples, Type,
    Union, What,
};

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(In::default()))
    }
}

/// Where a type is shown.
#[derive(Clone, Copy, Default)]
struct In<'r> {
    /// The module, if it is known: its own types have bare names there, and only its own records
    /// can be named.
    module: Option<Atom>,
    /// Its records, if tuples are to be told as such.
    records: Option<&'r Records>,
}

/// Kinds that are there completely, beyond which a union reads better as `any()`.
const NEARLY_ALL: usize = 9;

impl Type {
    fn to_text(&self, place: In<'_>) -> String {
        match self {
            Type::None => "none()".to_owned(),
            Type::Any => "any()".to_owned(),
            Type::Var(name) => name.to_string(),
            Type::Named(named) => named.to_text(place),
            Type::Union(union) => union.to_text(place),
        }
    }

    /// As a spec of a module would have it.
    pub fn shown_in(&self, module: Atom) -> String {
        self.to_text(In { module: Some(module), records: None })
    }

    /// The same, with the module's records by their names.
    pub fn shown_with(&self, module: Atom, records: &Records) -> String {
        self.to_text(In { module: Some(module), records: Some(records) })
    }

    /// Without native records, for programs that have none: before OTP 29 the type has no name.
    pub fn without_native_records(&self) -> Type {
        match self {
            Type::Union(union) => {
                let mut parts = union.map_inner(Type::without_native_records);
                parts.records = false;
                // What was nothing else may be anything.
                if parts.is_none() { Type::Any } else { parts.into_type() }
            }
            Type::Named(named) => named.map(Type::without_native_records),
            other => other.clone(),
        }
    }

    /// Widened where a union lists nearly every kind of term, or a list has the characters of some
    /// texts: what is missing is of no use to who reads it.
    pub fn readable(&self) -> Type {
        match self {
            Type::Union(union) if union.complete_kinds() >= NEARLY_ALL => Type::Any,
            Type::Union(union) => {
                let mut readable = union.map_inner(Type::readable);
                if let Some(cons) = &mut readable.cons
                    && cons.head.has_characters()
                {
                    cons.head = Type::char();
                }
                readable.into_type()
            }
            other => other.clone(),
        }
    }

    /// Whether it is several characters that can be printed, and nothing else.
    fn has_characters(&self) -> bool {
        let Type::Union(union) = self else { return false };
        let is_character = |value: &i64| matches!(value, 9 | 10 | 13 | 32..=126 | 160..=0x10ffff);
        let are_characters = match &union.integers {
            Integers::Some(values) => values.len() > 2 && values.iter().all(is_character),
            Integers::Range(Some(low), Some(high)) => [low, high].into_iter().all(is_character),
            Integers::Range(..) => false,
        };
        are_characters && self.is_within(&Type::char())
    }
}

impl Named {
    fn to_text(&self, place: In<'_>) -> String {
        match &self.what {
            What::Record { module: of, name }
                if place.module.is_none_or(|module| module == *of) =>
            {
                format!("#{}{{}}", quote::atom(name.as_str()))
            }
            What::Record { .. } => self.body().to_text(place),
            What::Type { module: of, name, args, .. } => {
                let args: Vec<String> = args.iter().map(|inner| inner.to_text(place)).collect();
                let name = quote::atom(name.as_str());
                match place.module {
                    Some(module) if module == *of => format!("{name}({})", args.join(", ")),
                    // What is built in is there everywhere.
                    _ if *of == known::ERLANG => format!("{name}({})", args.join(", ")),
                    _ => format!("{}:{name}({})", quote::atom(of.as_str()), args.join(", ")),
                }
            }
            What::Union(members) => {
                let members: Vec<String> =
                    members.iter().map(|inner| inner.to_text(place)).collect();
                members.join(" | ")
            }
        }
    }
}

impl Union {
    /// How many kinds of terms it has all of.
    fn complete_kinds(&self) -> usize {
        [
            self.atoms == Atoms::All,
            self.integers == Integers::ALL,
            self.floats,
            self.bits == Some(Bits::ALL),
            self.pids,
            self.ports,
            self.references,
            self.nil,
            self.cons.as_ref().is_some_and(|cons| cons.head.is_any()),
            self.tuples == Tuples::All,
            self.maps == Some(MapType::all()),
            self.funs.as_ref().is_some_and(|fun| fun.args.is_none()),
        ]
        .iter()
        .filter(|&&complete| complete)
        .count()
    }

    fn to_text(&self, place: In<'_>) -> String {
        let mut parts = Vec::new();
        self.atoms_text(&mut parts);
        self.numbers_text(&mut parts);
        if let Some(bits) = self.bits {
            parts.push(bits_text(bits));
        }
        match (self.pids, self.ports, self.references) {
            (true, true, true) => parts.push("identifier()".to_owned()),
            (pids, ports, references) => {
                let names = [(pids, "pid()"), (ports, "port()"), (references, "reference()")];
                parts.extend(names.iter().filter(|name| name.0).map(|name| name.1.to_owned()));
            }
        }
        self.lists_text(&mut parts, place);
        match &self.tuples {
            Tuples::All => parts.push("tuple()".to_owned()),
            Tuples::Some(tuples) => {
                parts.extend(tuples.iter().map(|tuple| tuple_text(tuple, place)));
            }
        }
        parts.extend(self.maps.as_ref().map(|map| map_text(map, place)));
        parts.extend(self.funs.as_ref().map(|fun| fun_text(fun, place)));
        if self.records {
            parts.push("record()".to_owned());
        }
        parts.join(" | ")
    }

    fn atoms_text(&self, parts: &mut Vec<String>) {
        match &self.atoms {
            Atoms::All => parts.push("atom()".to_owned()),
            Atoms::Some(atoms) => {
                let boolean = atoms.contains(&known::TRUE) && atoms.contains(&known::FALSE);
                let others = atoms
                    .iter()
                    .filter(|&&atom| !boolean || (atom != known::TRUE && atom != known::FALSE));
                if boolean {
                    parts.push("boolean()".to_owned());
                }
                parts.extend(others.map(|&atom| quote::atom(atom.as_str())));
            }
        }
    }

    fn numbers_text(&self, parts: &mut Vec<String>) {
        if self.floats && self.integers == Integers::ALL {
            parts.push("number()".to_owned());
            return;
        }
        match &self.integers {
            Integers::Some(values) => {
                let contiguous = values.len() > 2
                    && values[values.len() - 1] - values[0] == values.len() as i64 - 1;
                if contiguous {
                    parts.push(format!("{}..{}", values[0], values[values.len() - 1]));
                } else {
                    parts.extend(values.iter().map(i64::to_string));
                }
            }
            Integers::Range(low, high) => parts.push(range_text(*low, *high)),
        }
        if self.floats {
            parts.push("float()".to_owned());
        }
    }

    fn lists_text(&self, parts: &mut Vec<String>, place: In<'_>) {
        let Some(Cons { head, tail }) = &self.cons else {
            if self.nil {
                parts.push("[]".to_owned());
            }
            return;
        };
        let head_text = head.to_text(place);
        let text = if *tail == Type::nil() {
            let string = *head == Type::char();
            match (string, self.nil) {
                (true, true) => "string()".to_owned(),
                (true, false) => "nonempty_string()".to_owned(),
                (false, true) => format!("[{head_text}]"),
                (false, false) => format!("[{head_text}, ...]"),
            }
        } else if self.nil && tail.parts().nil {
            format!("maybe_improper_list({head_text}, {})", tail.to_text(place))
        } else {
            if self.nil {
                parts.push("[]".to_owned());
            }
            match tail.parts().nil {
                true => {
                    format!("nonempty_maybe_improper_list({head_text}, {})", tail.to_text(place))
                }
                false => format!("nonempty_improper_list({head_text}, {})", tail.to_text(place)),
            }
        };
        parts.push(text);
    }
}

/// A record of the module, or a tuple.
fn tuple_text(tuple: &[Type], place: In<'_>) -> String {
    if let Some((name, fields)) = place.records.and_then(|records| records.of_tuple(tuple)) {
        let field = |(name, ty): &(Atom, Type)| {
            format!("{} :: {}", quote::atom(name.as_str()), ty.to_text(place))
        };
        let fields: Vec<String> = fields.iter().map(field).collect();
        return format!("#{}{{{}}}", quote::atom(name.as_str()), fields.join(", "));
    }
    let elements: Vec<String> = tuple.iter().map(|inner| inner.to_text(place)).collect();
    format!("{{{}}}", elements.join(", "))
}

/// The name of a range where it has one, else its bounds, as far as they can be written.
fn range_text(low: Option<i64>, high: Option<i64>) -> String {
    match (low, high) {
        (None, None) => "integer()".to_owned(),
        (Some(0), None) => "non_neg_integer()".to_owned(),
        (Some(1..), None) => "pos_integer()".to_owned(),
        (None, Some(..=-1)) => "neg_integer()".to_owned(),
        (Some(0), Some(255)) => "byte()".to_owned(),
        (Some(0), Some(0x10_FFFF)) => "char()".to_owned(),
        (Some(low), Some(high)) => format!("{low}..{high}"),
        (Some(_), None) | (None, Some(_)) => "integer()".to_owned(),
    }
}

fn bits_text(bits: Bits) -> String {
    match (bits.base, bits.unit) {
        (0, 1) => "bitstring()".to_owned(),
        (0, 8) => "binary()".to_owned(),
        (0, 0) => "<<>>".to_owned(),
        (base, 0) => format!("<<_:{base}>>"),
        (0, unit) => format!("<<_:_*{unit}>>"),
        (base, unit) => format!("<<_:{base}, _:_*{unit}>>"),
    }
}

fn map_text(map: &MapType, place: In<'_>) -> String {
    if *map == MapType::all() {
        return "map()".to_owned();
    }
    let mut fields: Vec<String> = Vec::new();
    for field in &map.fields {
        let arrow = match field.presence {
            Presence::Required => ":=",
            Presence::Optional => "=>",
        };
        let key = match field.key {
            Key::Integer(value) => value.to_string(),
            Key::Atom(atom) => quote::atom(atom.as_str()),
        };
        fields.push(format!("{key} {arrow} {}", field.value.to_text(place)));
    }
    if !map.other_keys.is_none() {
        fields.push(format!(
            "{} => {}",
            map.other_keys.to_text(place),
            map.other_values.to_text(place)
        ));
    }
    format!("#{{{}}}", fields.join(", "))
}

fn fun_text(fun: &FunType, place: In<'_>) -> String {
    let mut text = String::from("fun(");
    match &fun.args {
        None if fun.result.is_any() => {}
        None => {
            let _ = write!(text, "(...) -> {}", fun.result.to_text(place));
        }
        Some(args) => {
            let args: Vec<String> = args.iter().map(|inner| inner.to_text(place)).collect();
            let _ = write!(text, "({}) -> {}", args.join(", "), fun.result.to_text(place));
        }
    }
    text.push(')');
    text
}
