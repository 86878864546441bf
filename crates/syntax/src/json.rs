//! The tree of a module for other programs: JSON of a documented shape (`docs/tree-json.md`).
//!
//! Nodes are one flat list, parents before children, each on a line of its own; a node names its
//! children by id. So the nesting of the JSON does not grow with that of the program, which readers
//! of JSON bound, and the text is written as a stream.
//!
//! Integers are written as strings, because Erlang's have no bound and numbers in JSON lose digits
//! in most readers. Any change that could break a reader raises [`VERSION`].

use std::io::{self, Write};

use crate::ast::{Module, NodeId};
use crate::diagnostic::Severity;
use crate::positions::Positions;
use crate::shape::{Field, Shape, Value};
use crate::source::{Encoding, Loc, Span};

/// Version of the shape of the output.
pub const VERSION: u32 = 1;

/// Writes the tree of a module.
pub fn write_module(module: &Module, out: &mut dyn Write) -> io::Result<()> {
    let positions = module.files.iter().map(Positions::new).collect();
    let mut writer = JsonWriter { module, positions, out };
    write!(writer.out, "{{\"version\":{VERSION},\"tool\":\"erlscope\",\"tool_version\":")?;
    writer.string(env!("CARGO_PKG_VERSION"))?;
    write!(writer.out, ",\"command\":\"parse\",\n\"files\":[")?;
    writer.files()?;
    write!(writer.out, "\n],\n\"forms\":")?;
    writer.ids(&module.forms)?;
    write!(writer.out, ",\n\"nodes\":[")?;
    let mut first = true;
    for &form in &module.forms {
        writer.nodes(form, &mut first)?;
    }
    write!(writer.out, "\n],\n\"diagnostics\":[")?;
    writer.diagnostics()?;
    writeln!(writer.out, "\n]}}")
}

struct JsonWriter<'m, 'o> {
    module: &'m Module,
    positions: Vec<Positions<'m>>,
    out: &'o mut dyn Write,
}

impl JsonWriter<'_, '_> {
    fn files(&mut self) -> io::Result<()> {
        for (id, file) in self.module.files.iter().enumerate() {
            self.separate(id == 0, "\n")?;
            write!(self.out, "{{\"id\":{id},\"path\":")?;
            self.string(&file.path.to_string_lossy())?;
            let encoding = match file.encoding {
                Encoding::Utf8 => "utf8",
                Encoding::Latin1 => "latin1",
            };
            write!(self.out, ",\"encoding\":\"{encoding}\",\"included_from\":")?;
            match file.included_from {
                Some(span) => self.span(span)?,
                None => write!(self.out, "null")?,
            }
            write!(self.out, "}}")?;
        }
        Ok(())
    }

    fn diagnostics(&mut self) -> io::Result<()> {
        for (index, diagnostic) in self.module.diagnostics.iter().enumerate() {
            self.separate(index == 0, "\n")?;
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            write!(self.out, "{{\"severity\":\"{severity}\",\"code\":")?;
            self.string(diagnostic.code)?;
            write!(self.out, ",\"message\":")?;
            self.string(&diagnostic.message)?;
            write!(self.out, ",\"span\":")?;
            self.span(diagnostic.span)?;
            let Loc { line, column } = diagnostic.loc;
            write!(self.out, ",\"otp_line\":{line},\"otp_column\":{column}}}")?;
        }
        Ok(())
    }

    fn nodes(&mut self, root: NodeId, first: &mut bool) -> io::Result<()> {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            self.separate(std::mem::take(first), "\n")?;
            let mark = pending.len();
            let shape = self.module.shape(id);
            self.node(id, &shape)?;
            for field in &shape.fields {
                match field.value {
                    Value::Node(child) => pending.push(child),
                    Value::Nodes(children) => pending.extend(children),
                    _ => {}
                }
            }
            pending[mark..].reverse();
        }
        Ok(())
    }

    fn node(&mut self, id: NodeId, shape: &Shape<'_>) -> io::Result<()> {
        let module = self.module;
        write!(self.out, "{{\"id\":{},\"kind\":\"{}\",\"span\":", id.0, shape.kind)?;
        self.span(module.span(id))?;
        let Loc { line, column } = module.loc(id);
        write!(self.out, ",\"otp_line\":{line},\"otp_column\":{column}")?;
        if let Some(expansion) = module.token(module[id].first).expansion {
            write!(self.out, ",\"macro\":")?;
            self.string(module.expansion(expansion).name.as_str())?;
        }
        let is_child = |field: &&Field<'_>| matches!(field.value, Value::Node(_) | Value::Nodes(_));
        write!(self.out, ",\"values\":{{")?;
        self.fields(shape.fields.iter().filter(|field| !is_child(field)))?;
        write!(self.out, "}},\"children\":{{")?;
        self.fields(shape.fields.iter().filter(is_child))?;
        write!(self.out, "}}}}")
    }

    fn fields<'f>(&mut self, fields: impl Iterator<Item = &'f Field<'f>>) -> io::Result<()> {
        for (index, field) in fields.enumerate() {
            self.separate(index == 0, "")?;
            write!(self.out, "\"{}\":", field.name)?;
            match field.value {
                Value::Node(id) => write!(self.out, "{}", id.0)?,
                Value::Nodes(ids) => self.ids(ids)?,
                Value::Text(text) => self.string(text)?,
                Value::Word(word) => self.string(word)?,
                Value::Integer(value) => write!(self.out, "\"{value}\"")?,
                // The shortest form that is read back as the same number, in JSON's syntax.
                Value::Float(value) if value.is_finite() => write!(self.out, "{value:?}")?,
                Value::Float(_) => write!(self.out, "null")?,
                Value::Number(number) => write!(self.out, "{number}")?,
                Value::Flag(flag) => write!(self.out, "{flag}")?,
            }
        }
        Ok(())
    }

    fn ids(&mut self, ids: &[NodeId]) -> io::Result<()> {
        write!(self.out, "[")?;
        for (index, id) in ids.iter().enumerate() {
            self.separate(index == 0, "")?;
            write!(self.out, "{}", id.0)?;
        }
        write!(self.out, "]")
    }

    fn span(&mut self, span: Span) -> io::Result<()> {
        let Span { file, start, end } = span;
        write!(self.out, "{{\"file\":{},\"start\":", file.0)?;
        self.place(span, start)?;
        write!(self.out, ",\"end\":")?;
        self.place(span, end)?;
        write!(self.out, "}}")
    }

    fn place(&mut self, span: Span, offset: u32) -> io::Result<()> {
        let positions = self.positions.get(span.file.0 as usize);
        let Loc { line, column } = positions.map(|p| p.loc(offset)).unwrap_or_default();
        write!(self.out, "{{\"offset\":{offset},\"line\":{line},\"column\":{column}}}")
    }

    fn separate(&mut self, first: bool, white_space: &str) -> io::Result<()> {
        if !first {
            write!(self.out, ",")?;
        }
        write!(self.out, "{white_space}")
    }

    fn string(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "\"")?;
        let mut plain_from = 0;
        for (index, byte) in text.bytes().enumerate() {
            if byte != b'"' && byte != b'\\' && byte >= 0x20 {
                continue;
            }
            self.out.write_all(&text.as_bytes()[plain_from..index])?;
            match byte {
                b'"' | b'\\' => write!(self.out, "\\{}", char::from(byte))?,
                b'\n' => write!(self.out, "\\n")?,
                b'\t' => write!(self.out, "\\t")?,
                _ => write!(self.out, "\\u{byte:04x}")?,
            }
            plain_from = index + 1;
        }
        self.out.write_all(&text.as_bytes()[plain_from..])?;
        write!(self.out, "\"")
    }
}
