//! Our tree as the lines that `tests/judge/Judge.java` prints of javac's.
//!
//! Where the two trees differ by intention (see `java::tree`), javac's is made here of ours, with
//! its habits: variables that are declared together share modifiers and type, and all but the last
//! end behind their comma; constants of an enum are fields with a `new`; brackets behind a name
//! belong to the type; fields and constructors of records are copies of the components.

mod expressions;
mod names;

use std::fmt::Write as _;

use java::source::Span;
use java::tree::{ClassKind, Flags, Kind, List, MethodKind, NodeId, PartId, Tree, WildcardBound};

use names::{primitive_name, shown};

/// What a node is for, where that makes a difference.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Plain,
    /// Annotations here are of types.
    Type,
}

pub(crate) struct View<'t> {
    tree: &'t Tree,
    out: String,
    depth: usize,
    /// The release of javac: what it calls some things changed.
    release: u32,
    /// The class whose members are being shown.
    class: Option<PartId>,
}

/// The lines for a tree.
pub(crate) fn lines(tree: &Tree, release: u32) -> String {
    let out = String::with_capacity(tree.nodes.len() * 30);
    let mut view = View { tree, out, depth: 0, release, class: None };
    view.node(tree.root, Use::Plain);
    view.out
}

impl View<'_> {
    // ---- Lines ---------------------------------------------------------------------------------

    fn line(&mut self, kind: &str, start: i64, end: i64, special: Option<&str>) {
        let _ = write!(self.out, "{} {kind} {start} {end}", self.depth);
        if let Some(special) = special {
            self.out.push(' ');
            self.out.push_str(special);
        }
        self.out.push('\n');
    }

    fn at(&mut self, kind: &str, span: Span, special: Option<&str>) {
        self.line(kind, span.start.into(), span.end.into(), special);
    }

    fn within(&mut self, body: impl FnOnce(&mut Self)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    fn all(&mut self, list: List) {
        let ids: Vec<NodeId> = self.tree.list(list).collect();
        for id in ids {
            self.node(id, Use::Plain);
        }
    }

    fn annotations(&mut self, list: List, of: Use) {
        let ids: Vec<NodeId> = self.tree.list(list).collect();
        for id in ids {
            self.node(id, of);
        }
    }

    fn some(&mut self, id: Option<NodeId>) {
        if let Some(id) = id {
            self.node(id, Use::Plain);
        }
    }

    /// A line for a node, and its children in this order.
    fn simple(&mut self, id: NodeId, kind: &str, special: Option<&str>, children: &[NodeId]) {
        self.at(kind, self.tree.span(id), special);
        self.within(|view| {
            for &child in children {
                view.node(child, Use::Plain);
            }
        });
    }

    /// The place behind the next token, if that is this character, else the place itself.
    fn behind(&self, offset: u32, character: u8) -> u32 {
        let at = self.next_token(offset);
        if self.tree.source.text.as_bytes().get(at) == Some(&character) {
            at as u32 + 1
        } else {
            offset
        }
    }

    /// Where the next token begins.
    fn next_token(&self, offset: u32) -> usize {
        let text = self.tree.source.text.as_bytes();
        let mut at = offset as usize;
        loop {
            match text.get(at..).unwrap_or_default() {
                [b' ' | b'\t' | b'\n' | b'\r' | b'\x0C', ..] => at += 1,
                [b'/', b'/', rest @ ..] => {
                    at += 2 + rest.iter().take_while(|&&byte| !b"\n\r".contains(&byte)).count();
                }
                [b'/', b'*', rest @ ..] => {
                    let end = rest.windows(2).position(|pair| pair == b"*/");
                    at += 4 + end.unwrap_or(rest.len());
                }
                _ => return at,
            }
        }
    }

    // ---- Nodes ---------------------------------------------------------------------------------

    fn node(&mut self, id: NodeId, of: Use) {
        let span = self.tree.span(id);
        match self.tree.kind(id) {
            Kind::Unit { package, imports, declarations } => {
                // A file with a module ends with the file, others with their last token.
                let is_module = |id: NodeId| matches!(self.tree.kind(id), Kind::Module { .. });
                let end = match self.tree.list(declarations).any(is_module) {
                    true => self.tree.source.text.len() as u32,
                    false => span.end,
                };
                let is_empty = package.is_none() && imports.is_empty() && declarations.is_empty();
                let span = match is_empty {
                    true => Span { start: self.tree.source.text.len() as u32, end: 0 },
                    false => Span { end, ..span },
                };
                self.at("COMPILATION_UNIT", span, None);
                self.within(|view| {
                    view.some(package);
                    view.all(imports);
                    view.all(declarations);
                });
            }
            Kind::Package { annotations, name } => {
                self.at("PACKAGE", span, None);
                self.within(|view| {
                    view.all(annotations);
                    view.node(name, Use::Plain);
                });
            }
            Kind::Import { is_static, name } => {
                self.simple(id, "IMPORT", is_static.then_some("static"), &[name]);
            }
            Kind::Module { .. }
            | Kind::Requires { .. }
            | Kind::Exports { .. }
            | Kind::Opens { .. }
            | Kind::Uses { .. }
            | Kind::Provides { .. } => self.module(id, span),
            Kind::Class(class) => self.class(class, span, span.start),
            Kind::Method(method) => self.method(method, span),
            Kind::Initializer { modifiers, body } => {
                let is_static = self.tree.flags(modifiers).has(Flags::STATIC);
                self.at("BLOCK", span, is_static.then_some("static"));
                if let Kind::Block { statements } = self.tree.kind(body) {
                    self.within(|view| view.all(statements));
                }
            }
            Kind::Variables { .. } => self.variables(id, false),
            Kind::Parameter { .. } => self.parameter(id),
            Kind::Receiver { modifiers, ty, name } => {
                self.at("VARIABLE", span, Some("this"));
                self.within(|view| {
                    view.modifiers(modifiers, &[], None);
                    view.node(ty, Use::Plain);
                    view.node(name, Use::Plain);
                });
            }
            Kind::EnumConstant { .. } => self.constant(id, span),
            Kind::Annotation { name, args } => {
                let kind = if of == Use::Type { "TYPE_ANNOTATION" } else { "ANNOTATION" };
                self.at(kind, span, None);
                self.within(|view| {
                    view.node(name, Use::Plain);
                    view.all(args);
                });
            }
            Kind::TypeParameter { annotations, name, bounds } => {
                self.at("TYPE_PARAMETER", span, Some(name.as_str()));
                self.within(|view| {
                    view.annotations(annotations, Use::Type);
                    view.all(bounds);
                });
            }
            _ if self.ty(id, span) || self.statement(id, span) => {}
            _ => self.expression(id, span),
        }
    }

    fn module(&mut self, id: NodeId, span: Span) {
        let (kind, special, first, others) = match self.tree.kind(id) {
            Kind::Module { annotations, is_open, name, directives } => {
                let special = if is_open { "OPEN" } else { "STRONG" };
                let end = self.tree.source.text.len() as u32;
                self.at("MODULE", Span { end, ..span }, Some(special));
                self.within(|view| {
                    view.all(annotations);
                    view.node(name, Use::Plain);
                    view.all(directives);
                });
                return;
            }
            Kind::Requires { is_static, is_transitive, name } => {
                ("REQUIRES", Some(format!("{is_static} {is_transitive}")), name, List::default())
            }
            Kind::Exports { package, to } => ("EXPORTS", None, package, to),
            Kind::Opens { package, to } => ("OPENS", None, package, to),
            Kind::Uses { service } => ("USES", None, service, List::default()),
            Kind::Provides { service, with } => ("PROVIDES", None, service, with),
            _ => return,
        };
        self.at(kind, span, special.as_deref());
        self.within(|view| {
            view.node(first, Use::Plain);
            view.all(others);
        });
    }

    // ---- Declarations --------------------------------------------------------------------------

    /// Modifiers with the flags that javac adds. `instead`: the place that javac gives modifiers of
    /// which nothing is written.
    fn modifiers(&mut self, id: Option<NodeId>, add: &[Flags], instead: Option<(i64, i64)>) {
        let (mut flags, annotations) = match id.map(|id| self.tree.kind(id)) {
            Some(Kind::Modifiers { flags, annotations }) => (flags, annotations),
            _ => (Flags::default(), List::default()),
        };
        for &flag in add {
            flags = flags.with(flag);
        }
        let (start, end) = match id {
            Some(id) => {
                let span = self.tree.span(id);
                let end = instead.map_or(i64::from(span.end), |(_, end)| end.max(span.end.into()));
                (i64::from(span.start), end)
            }
            None => instead.unwrap_or((-1, -1)),
        };
        self.line("MODIFIERS", start, end, Some(&shown(flags)));
        self.within(|view| view.all(annotations));
    }

    fn class(&mut self, id: PartId, span: Span, start: u32) {
        let class = *self.tree.class(id);
        let kind = match class.which {
            ClassKind::Class => "CLASS",
            ClassKind::Interface => "INTERFACE",
            ClassKind::Enum => "ENUM",
            ClassKind::Record => "RECORD",
            ClassKind::Annotation => "ANNOTATION_TYPE",
        };
        let name = class.name.map_or("", |name| name.as_str());
        self.line(kind, start.into(), span.end.into(), Some(name));
        let outer = self.class.replace(id);
        self.within(|view| {
            // The `@` of `@interface` belongs to the modifiers.
            let at = (class.which == ClassKind::Annotation).then(|| {
                let from = class.modifiers.map_or(span.start, |id| view.tree.span(id).end);
                let at = view.next_token(from) as i64;
                (at, at + 1)
            });
            view.modifiers(class.modifiers, &[], at);
            view.all(class.type_parameters);
            view.some(class.extends);
            view.all(class.implements);
            view.all(class.permits);
            for component in view.tree.list(class.components).collect::<Vec<_>>() {
                view.component(component, true);
            }
            view.all(class.members);
        });
        self.class = outer;
    }

    /// A component of a record as a field, or as a parameter of its compact constructor.
    fn component(&mut self, id: NodeId, is_field: bool) {
        let Kind::Parameter { modifiers, ty, name, dims, .. } = self.tree.kind(id) else { return };
        let span = self.tree.span(id);
        let end = if is_field { i64::from(span.end) } else { -1 };
        self.line("VARIABLE", span.start.into(), end, Some(name.as_str()));
        let added: &[Flags] = if is_field { &[Flags::PRIVATE, Flags::FINAL] } else { &[] };
        self.within(|view| {
            view.modifiers(modifiers, added, None);
            if let Some(ty) = ty {
                view.declared_type(ty, dims);
            }
        });
    }

    fn method(&mut self, id: PartId, span: Span) {
        let method = *self.tree.method(id);
        let is_method = method.which == MethodKind::Method;
        let name = if is_method { method.name.as_str() } else { "<init>" };
        self.at("METHOD", span, Some(name));
        self.within(|view| {
            let start = i64::from(span.start);
            let instead = (!method.type_parameters.is_empty()).then_some((start, start));
            view.modifiers(method.modifiers, &[], instead.filter(|_| method.modifiers.is_none()));
            view.within(|view| view.all(method.annotations));
            if let Some(result) = method.result {
                view.declared_type(result, method.dims);
            }
            view.all(method.type_parameters);
            if method.which == MethodKind::Compact
                && let Some(class) = view.class
            {
                let components = view.tree.class(class).components;
                for component in view.tree.list(components).collect::<Vec<_>>() {
                    view.component(component, false);
                }
            }
            view.all(method.parameters);
            view.some(method.receiver);
            view.all(method.throws);
            view.some(method.body);
            view.some(method.default);
        });
    }

    fn variables(&mut self, id: NodeId, is_resource: bool) {
        let Kind::Variables { modifiers, ty, variables } = self.tree.kind(id) else { return };
        let span = self.tree.span(id);
        let variables: Vec<NodeId> = self.tree.list(variables).collect();
        for (index, &variable) in variables.iter().enumerate() {
            let Kind::Variable { name, dims, value, .. } = self.tree.kind(variable) else {
                continue;
            };
            let end = if index + 1 < variables.len() {
                self.behind(self.tree.span(variable).end, b',')
            } else if is_resource {
                self.behind(span.end, b';')
            } else {
                span.end
            };
            self.line("VARIABLE", span.start.into(), end.into(), Some(name.as_str()));
            self.within(|view| {
                if is_resource && view.release < 21 {
                    let type_end = view.tree.span(ty).end.into();
                    let instead = modifiers.is_none().then_some((span.start.into(), type_end));
                    view.modifiers(modifiers, &[Flags::FINAL], instead);
                } else {
                    view.modifiers(modifiers, &[], None);
                }
                view.declared_type(ty, dims);
                view.some(value);
            });
        }
    }

    /// A resource that is an expression: its semicolon belongs to it.
    fn resource(&mut self, id: NodeId) {
        let from = self.out.len();
        self.node(id, Use::Plain);
        let end = self.tree.span(id).end;
        let behind = self.behind(end, b';');
        let first = self.out[from..].lines().next().map_or(0, str::len);
        let line =
            self.out[from..from + first].replacen(&format!(" {end}"), &format!(" {behind}"), 1);
        self.out.replace_range(from..from + first, &line);
    }

    fn parameter(&mut self, id: NodeId) {
        let Kind::Parameter { modifiers, ty, name, dims, is_varargs, .. } = self.tree.kind(id)
        else {
            return;
        };
        self.at("VARIABLE", self.tree.span(id), Some(name.as_str()));
        self.within(|view| {
            view.modifiers(modifiers, &[], None);
            match ty {
                Some(ty) if is_varargs => view.varargs(ty),
                Some(ty) => view.declared_type(ty, dims),
                None => {}
            }
        });
    }

    /// The type of `T[][]... a`: to javac the dots are the innermost brackets, and the outermost
    /// end with them, too.
    fn varargs(&mut self, id: NodeId) {
        let mut levels = Vec::new();
        let mut element = id;
        while let Kind::ArrayType { element: inner } = self.tree.kind(element) {
            levels.push(self.tree.span(element));
            element = inner;
        }
        let depth = self.depth;
        for index in 0..levels.len() {
            let is_middle = index > 0 && index + 1 < levels.len();
            self.at("ARRAY_TYPE", levels[if is_middle { levels.len() - 1 } else { 0 }], None);
            self.depth += 1;
        }
        self.node(element, Use::Plain);
        self.depth = depth;
    }

    /// A type with the brackets that stand behind the name.
    fn declared_type(&mut self, ty: NodeId, dims: List) {
        let dims: Vec<NodeId> = self.tree.list(dims).collect();
        self.array_types(ty, &dims);
    }

    /// An element type with brackets around it; all of them end with the last.
    fn array_types(&mut self, element: NodeId, dims: &[NodeId]) {
        let Some((&first, rest)) = dims.split_first() else {
            if !matches!(self.tree.kind(element), Kind::Var) {
                self.node(element, Use::Plain);
            }
            return;
        };
        let start = self.tree.span(element).start;
        let end = dims.last().map_or(start, |&last| self.tree.span(last).end);
        let span = Span { start, end };
        let annotations = match self.tree.kind(first) {
            Kind::Dimension { annotations, .. } => annotations,
            _ => List::default(),
        };
        let array = |view: &mut Self| {
            view.at("ARRAY_TYPE", span, None);
            view.within(|view| view.array_types(element, rest));
        };
        if annotations.is_empty() {
            array(self);
        } else {
            self.at("ANNOTATED_TYPE", span, None);
            self.within(|view| {
                view.annotations(annotations, Use::Type);
                array(view);
            });
        }
    }

    fn constant(&mut self, id: NodeId, span: Span) {
        let Kind::EnumConstant { modifiers, name, name_at, args, body, .. } = self.tree.kind(id)
        else {
            return;
        };
        let class = self.class.and_then(|class| self.tree.class(class).name);
        let class = class.map_or("", |name| name.as_str());
        self.at("VARIABLE", span, Some(name.as_str()));
        self.within(|view| {
            view.modifiers(modifiers, &[Flags::PUBLIC, Flags::STATIC, Flags::FINAL], None);
            view.line("IDENTIFIER", name_at.into(), -1, Some(class));
            let (mut start, mut end) = (i64::from(name_at), -1);
            if !args.is_empty() || body.is_some() {
                let name_end = name_at + name.as_str().len() as u32;
                (start, end) = (view.next_token(name_end) as i64, span.end.into());
            }
            view.line("NEW_CLASS", start, end, None);
            view.within(|view| {
                view.line("IDENTIFIER", name_at.into(), -1, Some(class));
                view.all(args);
                if let Some(body) = body
                    && let Kind::Class(class) = view.tree.kind(body)
                {
                    view.class(class, view.tree.span(body), name_at);
                }
            });
        });
    }

    // ---- Types and patterns --------------------------------------------------------------------

    fn ty(&mut self, id: NodeId, span: Span) -> bool {
        match self.tree.kind(id) {
            Kind::Primitive(primitive) => {
                self.at("PRIMITIVE_TYPE", span, Some(primitive_name(primitive)));
            }
            Kind::Var => self.at("IDENTIFIER", span, Some("var")),
            Kind::ArrayType { element } => self.simple(id, "ARRAY_TYPE", None, &[element]),
            Kind::ParameterizedType { base, args } => {
                self.at("PARAMETERIZED_TYPE", span, None);
                self.within(|view| {
                    view.node(base, Use::Plain);
                    view.all(args);
                });
            }
            Kind::AnnotatedType { annotations, ty } => {
                self.at("ANNOTATED_TYPE", span, None);
                self.within(|view| {
                    view.annotations(annotations, Use::Type);
                    view.node(ty, Use::Plain);
                });
            }
            Kind::Wildcard { bound, ty } => {
                let kind = match bound {
                    WildcardBound::Any => "UNBOUNDED_WILDCARD",
                    WildcardBound::Extends => "EXTENDS_WILDCARD",
                    WildcardBound::Super => "SUPER_WILDCARD",
                };
                self.simple(id, kind, None, ty.as_slice());
            }
            Kind::UnionType { alternatives } => {
                self.at("UNION_TYPE", span, None);
                self.within(|view| view.all(alternatives));
            }
            Kind::BindingPattern { variable } => {
                self.simple(id, "BINDING_PATTERN", None, &[variable]);
            }
            Kind::RecordPattern { ty, patterns } => {
                self.at("DECONSTRUCTION_PATTERN", span, None);
                self.within(|view| {
                    view.node(ty, Use::Plain);
                    view.all(patterns);
                });
            }
            _ => return false,
        }
        true
    }

    // ---- Statements ----------------------------------------------------------------------------

    fn statement(&mut self, id: NodeId, span: Span) -> bool {
        let mut rest: Vec<NodeId> = Vec::new();
        let (kind, special) = match self.tree.kind(id) {
            Kind::Block { statements } => {
                rest.extend(self.tree.list(statements));
                ("BLOCK", None)
            }
            Kind::Empty => ("EMPTY_STATEMENT", None),
            Kind::ExpressionStatement { expression } => {
                rest.push(expression);
                ("EXPRESSION_STATEMENT", None)
            }
            Kind::If { condition, then, otherwise } => {
                rest.extend([condition, then]);
                rest.extend(otherwise);
                ("IF", None)
            }
            Kind::While { condition, body } => {
                rest.extend([condition, body]);
                ("WHILE_LOOP", None)
            }
            Kind::Do { body, condition } => {
                rest.extend([body, condition]);
                ("DO_WHILE_LOOP", None)
            }
            Kind::For { init, condition, update, body } => {
                rest.extend(self.tree.list(init).chain(condition));
                rest.extend(self.tree.list(update).chain([body]));
                ("FOR_LOOP", None)
            }
            Kind::ForEach { variable, iterable, body } => {
                rest.extend([variable, iterable, body]);
                ("ENHANCED_FOR_LOOP", None)
            }
            Kind::Labeled { label, statement } => {
                rest.push(statement);
                ("LABELED_STATEMENT", Some(label.as_str()))
            }
            Kind::Switch { selector, cases } => {
                rest.extend([selector].into_iter().chain(self.tree.list(cases)));
                ("SWITCH", None)
            }
            Kind::Case { .. } => {
                self.case(id, span);
                return true;
            }
            Kind::Synchronized { lock, body } => {
                rest.extend([lock, body]);
                ("SYNCHRONIZED", None)
            }
            Kind::Try { resources, body, catches, finally } => {
                self.at("TRY", span, None);
                self.within(|view| {
                    for resource in view.tree.list(resources).collect::<Vec<_>>() {
                        match view.tree.kind(resource) {
                            Kind::Variables { .. } => view.variables(resource, true),
                            _ => view.resource(resource),
                        }
                    }
                    view.node(body, Use::Plain);
                    view.all(catches);
                    view.some(finally);
                });
                return true;
            }
            Kind::Catch { parameter, body } => {
                rest.extend([parameter, body]);
                ("CATCH", None)
            }
            Kind::Return { value } => {
                rest.extend(value);
                ("RETURN", None)
            }
            Kind::Throw { value } => {
                rest.push(value);
                ("THROW", None)
            }
            Kind::Yield { value } => {
                rest.push(value);
                ("YIELD", None)
            }
            Kind::Break { label } => {
                ("BREAK", Some(label.map_or("null", |label| label.name().as_str())))
            }
            Kind::Continue { label } => {
                ("CONTINUE", Some(label.map_or("null", |label| label.name().as_str())))
            }
            Kind::Assert { condition, detail } => {
                rest.push(condition);
                rest.extend(detail);
                ("ASSERT", None)
            }
            _ => return false,
        };
        self.simple(id, kind, special, &rest);
        true
    }

    fn case(&mut self, id: NodeId, span: Span) {
        let Kind::Case { labels, guard, body, is_rule } = self.tree.kind(id) else { return };
        self.at("CASE", span, Some(if is_rule { "RULE" } else { "STATEMENT" }));
        self.within(|view| {
            for label in view.tree.list(labels).collect::<Vec<_>>() {
                let place = view.tree.span(label);
                match view.tree.kind(label) {
                    Kind::DefaultLabel if view.release < 21 => {}
                    Kind::DefaultLabel => view.at("DEFAULT_CASE_LABEL", place, None),
                    _ if view.release < 21 => view.node(label, Use::Plain),
                    Kind::BindingPattern { .. } | Kind::RecordPattern { .. } => {
                        view.at("PATTERN_CASE_LABEL", place, None);
                        view.within(|view| view.node(label, Use::Plain));
                    }
                    _ => {
                        view.at("CONSTANT_CASE_LABEL", place, None);
                        view.within(|view| view.node(label, Use::Plain));
                    }
                }
            }
            view.some(guard);
            view.all(body);
        });
    }
}
