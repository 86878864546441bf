//! Bit syntax: values, sizes and types of segments, in expressions, guards and patterns.
//!
//! For each segment: its specifiers must agree with each other and with the size and unit; a size
//! in a pattern may use variables from outside and those of segments further left, and binds none;
//! only the last segment may take all that is left. Descriptors are those of `erl_lint` and
//! `erl_bits`.

use atom::{Atom, known};
use num_bigint::BigInt;
use syntax::ast::{Kind, NodeId, NodeList};

use super::Linter;
use super::constant::{self, Value};
use super::patterns::{Occurrence, PatternVars};
use super::scope::{State, Update, Var};

/// The size of a segment, in units.
#[derive(Clone, PartialEq, Debug)]
enum Size {
    Default,
    /// All that is left.
    All,
    /// Known when the program runs.
    Unknown,
    /// Given by the encoding (`utf8` …).
    Encoding,
    Known(BigInt),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Integer,
    Float,
    Binary,
    Utf,
}

/// What the specifiers of a segment say.
#[derive(Default)]
struct Specified {
    ty: Option<(Type, &'static str)>,
    unit: Option<u32>,
    sign: Option<&'static str>,
    endian: Option<&'static str>,
}

type BitError = (&'static str, String);

impl Linter<'_> {
    pub(super) fn binary(&mut self, elements: NodeList, out: &mut Vec<Update>) {
        self.binary_with(elements, out, |linter, id, out| linter.expr(id, out));
    }

    pub(super) fn guard_binary(&mut self, elements: NodeList, out: &mut Vec<Update>) {
        self.binary_with(elements, out, |linter, id, out| linter.guard_expr(id, out));
    }

    fn binary_with(
        &mut self,
        elements: NodeList,
        out: &mut Vec<Update>,
        check: impl Fn(&mut Self, NodeId, &mut Vec<Update>),
    ) {
        let mut updates = Vec::new();
        for &element in self.module.list(elements) {
            let Kind::BinElement { value, size, specs } = self.kind(element) else { continue };
            let mut part = Vec::new();
            check(self, value, &mut part);
            updates.extend(self.matched(part));
            let size = match size {
                None => Size::Default,
                Some(size) if self.atom(size).is_some_and(|atom| atom.as_str() == "all") => {
                    Size::All
                }
                Some(size) => match constant::integer(self.module, size) {
                    Some(value) if self.is_guard_expr(size) => Size::Known(value),
                    _ => {
                        let mut part = Vec::new();
                        check(self, size, &mut part);
                        updates.extend(self.matched(part));
                        Size::Unknown
                    }
                },
            };
            let (size, ty, unit) = self.segment_type(element, size, specs);
            self.check_segment_size(element, size, ty, unit);
        }
        out.extend(self.scope.side_by_side(updates));
    }

    pub(super) fn binary_pattern(&mut self, elements: NodeList, vars: &mut PatternVars) {
        let mut outer: Vec<Update> = Vec::new();
        let mut new: Vec<Update> = Vec::new();
        let mut unsized_before: Option<NodeId> = None;
        for &element in self.module.list(elements) {
            let Kind::BinElement { value, size, specs } = self.kind(element) else { continue };
            let string = matches!(self.kind(value), Kind::String(_));
            if string && !self.is_plain_string(size, specs) {
                let message =
                    "a string in a binary pattern takes no size, and utf types only".into();
                self.error(element, "typed_literal_string", message);
                continue;
            }
            let bound = self.segment_value(value, vars, &new);
            let (size, size_outer) = self.pattern_size(size, &mut new);
            outer.extend(size_outer);
            match bound {
                Some((name, Occurrence::Outer(var))) => outer.push((name, var)),
                Some((name, Occurrence::New(var))) => merge_new(&mut new, name, var),
                None => {}
            }
            let (size, ty, unit) = self.segment_type(element, size, specs);
            let size = self.check_segment_size(element, size, ty, unit);
            if let Some(previous) = unsized_before.take() {
                let message = "a segment without a size must be the last one".into();
                self.error(previous, "unsized_binary_not_at_end", message);
            }
            if size == Size::All && !string {
                unsized_before = Some(element);
            }
        }
        let outer = self.scope.side_by_side(outer);
        vars.outer.extend(outer);
        vars.new.extend(new);
    }

    fn is_plain_string(&self, size: Option<NodeId>, specs: Option<NodeList>) -> bool {
        size.is_none()
            && specs.is_none_or(|specs| {
                self.module.list(specs).iter().any(|&spec| {
                    matches!(self.kind(spec), Kind::BinSpec { name, unit: None }
                        if matches!(name.as_str(), "utf8" | "utf16" | "utf32"))
                })
            })
    }

    /// The value of a segment in a pattern: a variable, a string or a constant.
    fn segment_value(
        &mut self,
        value: NodeId,
        vars: &PatternVars,
        before: &[Update],
    ) -> Option<(Atom, Occurrence)> {
        match self.kind(value) {
            Kind::Var(known::UNDERSCORE) | Kind::String(_) => None,
            Kind::Var(name) => {
                Some((name, self.pattern_variable(name, value, vars.binding, before)))
            }
            _ => {
                if !self.is_constant_pattern(value) {
                    self.illegal_pattern(value);
                }
                None
            }
        }
    }

    /// The size in a pattern: may use variables from outside and from segments before it.
    fn pattern_size(&mut self, size: Option<NodeId>, new: &mut Vec<Update>) -> (Size, Vec<Update>) {
        let Some(id) = size else { return (Size::Default, Vec::new()) };
        let value = constant::evaluate(self.module, id);
        if let (Some(Value::Integer(value)), false) =
            (&value, matches!(self.kind(id), Kind::Var(_)))
        {
            return (Size::Known(value.clone()), Vec::new());
        }
        let mut out = Vec::new();
        let enclosing = self.segment_variables.replace(std::mem::take(new));
        self.guard_expr(id, &mut out);
        *new = self.segment_variables.take().unwrap_or_default();
        self.segment_variables = enclosing;
        let out = self.scope.side_by_side(out);
        let never_integer = value.is_some()
            || matches!(
                self.kind(id),
                Kind::Binary { .. }
                    | Kind::List { .. }
                    | Kind::Map { base: None, .. }
                    | Kind::Nil
                    | Kind::Tuple { .. }
            );
        if never_integer {
            let message = "the size is never an integer, so this never matches".into();
            self.warning(id, "non_integer_bitsize", message);
        }
        (Size::Unknown, out)
    }

    /// A variable in a size expression of a pattern. It is never bound there.
    pub(super) fn use_in_segment_size(&mut self, name: Atom, at: NodeId, out: &mut Vec<Update>) {
        let before = self.segment_variables.as_mut();
        if let Some((_, var)) =
            before.and_then(|before| before.iter_mut().find(|(other, _)| *other == name))
        {
            var.used = true;
            return;
        }
        let Some(var) = self.scope.get(name) else {
            self.unbound(name, at);
            out.push((name, Var::new(State::Bound, true, at)));
            return;
        };
        match var.state {
            State::Bound | State::Stacktrace => {}
            State::Unsafe(construct) => self.unsafe_variable(name, at, construct),
            State::Exported(construct) => {
                if self.switches.export_vars {
                    self.exported_variable(name, at, construct);
                }
            }
        }
        out.push((name, Var { state: State::Bound, used: true, bound_at: var.bound_at }));
    }

    fn segment_type(
        &mut self,
        element: NodeId,
        size: Size,
        specs: Option<NodeList>,
    ) -> (Size, Type, u32) {
        let specified = self.specified(specs.unwrap_or_default());
        match specified.and_then(|specified| complete(size, &specified)) {
            Ok(result) => result,
            Err((code, message)) => {
                self.error(element, code, message);
                (Size::Known(8.into()), Type::Integer, 1)
            }
        }
    }

    fn specified(&self, specs: NodeList) -> Result<Specified, BitError> {
        let mut all = Specified::default();
        for &spec in self.module.list(specs) {
            let Kind::BinSpec { name, unit } = self.kind(spec) else { continue };
            let one = self.specifier(name, unit)?;
            merge(&mut all.ty, one.ty, "type", |(_, name)| name.to_string())?;
            merge(&mut all.unit, one.unit, "unit", |unit| unit.to_string())?;
            merge(&mut all.sign, one.sign, "sign", |sign| sign.to_string())?;
            merge(&mut all.endian, one.endian, "endianness", |endian| endian.to_string())?;
        }
        Ok(all)
    }

    fn specifier(&self, name: Atom, unit: Option<NodeId>) -> Result<Specified, BitError> {
        let mut result = Specified::default();
        if let Some(unit) = unit {
            let value = constant::integer(self.module, unit).and_then(|n| u32::try_from(n).ok());
            match value {
                Some(value @ 1..=256) if name.as_str() == "unit" => {
                    result.unit = Some(value);
                    return Ok(result);
                }
                _ => {
                    return Err((
                        "undefined_bittype",
                        format!("there is no bit type {name} like this"),
                    ));
                }
            }
        }
        match name.as_str() {
            "integer" => result.ty = Some((Type::Integer, "integer")),
            "float" => result.ty = Some((Type::Float, "float")),
            "utf8" => result.ty = Some((Type::Utf, "utf8")),
            "utf16" => result.ty = Some((Type::Utf, "utf16")),
            "utf32" => result.ty = Some((Type::Utf, "utf32")),
            "binary" => result.ty = Some((Type::Binary, "binary")),
            "bytes" => {
                result.ty = Some((Type::Binary, "binary"));
                result.unit = Some(8);
            }
            "bitstring" | "bits" => {
                result.ty = Some((Type::Binary, "binary"));
                result.unit = Some(1);
            }
            "big" => result.endian = Some("big"),
            "little" => result.endian = Some("little"),
            "native" => result.endian = Some("native"),
            "signed" => result.sign = Some("signed"),
            "unsigned" => result.sign = Some("unsigned"),
            _ => return Err(("undefined_bittype", format!("there is no bit type {name}"))),
        }
        Ok(result)
    }

    fn check_segment_size(&mut self, element: NodeId, size: Size, ty: Type, unit: u32) -> Size {
        match size {
            Size::All if ty != Type::Binary => {
                let message = "only binaries can take all that is left".into();
                self.error(element, "illegal_bitsize", message);
                Size::Unknown
            }
            Size::Known(units) => {
                let bits = units * unit;
                let float_size = [16, 32, 64].iter().any(|&good| bits == BigInt::from(good));
                if ty == Type::Float && !float_size {
                    let message = format!("a float cannot have {bits} bits");
                    self.warning(element, "bad_bitsize", message).help =
                        Some("16, 32 and 64 bits are possible".into());
                }
                Size::Known(bits)
            }
            other => other,
        }
    }
}

/// Marks a variable of the pattern as bound, or as matched if it was.
fn merge_new(new: &mut Vec<Update>, name: Atom, var: Var) {
    match new.iter_mut().find(|(other, _)| *other == name) {
        Some((_, known)) => known.used |= var.used,
        None => new.push((name, var)),
    }
}

fn merge<T: PartialEq + Copy>(
    known: &mut Option<T>,
    new: Option<T>,
    what: &str,
    show: impl Fn(T) -> String,
) -> Result<(), BitError> {
    match (*known, new) {
        (Some(a), Some(b)) if a != b => Err((
            "bittype_mismatch",
            format!("the segment has two kinds of {what}: {} and {}", show(b), show(a)),
        )),
        (_, Some(new)) => {
            *known = Some(new);
            Ok(())
        }
        (_, None) => Ok(()),
    }
}

/// Fills in what was not specified.
fn complete(size: Size, specified: &Specified) -> Result<(Size, Type, u32), BitError> {
    let ty = specified.ty.map_or(Type::Integer, |(ty, _)| ty);
    let needs_size = || -> Result<(), BitError> {
        match specified.unit {
            None => Ok(()),
            Some(_) => Err(("bittype_unit", "a unit needs a size".into())),
        }
    };
    match (ty, size) {
        (Type::Binary, Size::Default) => Ok((Size::All, ty, specified.unit.unwrap_or(8))),
        (Type::Binary, size) => Ok((size, ty, specified.unit.unwrap_or(8))),
        (Type::Integer, Size::Default) => needs_size().map(|()| (Size::Known(8.into()), ty, 1)),
        (Type::Float, Size::Default) => needs_size().map(|()| (Size::Known(64.into()), ty, 1)),
        (Type::Utf, Size::Default) if specified.unit.is_none() => Ok((Size::Encoding, ty, 1)),
        (Type::Utf, _) => Err((
            "utf_bittype_size_or_unit",
            "a segment of type utf8, utf16 or utf32 takes no size and no unit".into(),
        )),
        (_, size) => Ok((size, ty, specified.unit.unwrap_or(1))),
    }
}
