//! Attributes: how their values are read, and what each of them must be.
//!
//! A value is read as expressions first and judged afterwards, when all of it has been read, as in
//! OTP: `-export(foo) bar.` is a bad export, not a syntax error.

use atom::{Atom, known};

use crate::ast::{BinaryOp, ExportKind, Kind, Node, NodeId, NodeList, SpecKind, TypeKind};
use crate::quote;
use crate::token::{TokenId, TokenKind};

use super::{Parsed, Parser, Part};

/// What stands behind the name of an attribute.
enum Value {
    Expressions(Vec<Part>),
    /// `name, {field :: type}` where at least one field has a type.
    TypedRecord {
        name: Part,
        fields: Vec<Field>,
    },
    /// `head :: type`
    Type {
        head: Part,
        ty: Part,
    },
}

/// A field of a record declaration: an expression, and its type if there is one.
struct Field {
    expression: Part,
    ty: Option<Part>,
    last: TokenId,
}

impl Parser<'_> {
    /// An attribute, up to but without the full stop.
    pub(super) fn attribute(&mut self) -> Parsed<NodeId> {
        let dash = self.advance();
        let name_token = self.expect(TokenKind::Atom, "the name of an attribute")?;
        let name = self.module.token(name_token).name().unwrap_or(known::EMPTY);
        let kind = match name {
            known::SPEC => self.spec(SpecKind::Spec)?,
            known::CALLBACK => self.spec(SpecKind::Callback)?,
            known::RECORD if self.kind == TokenKind::Hash => self.native_record()?,
            known::RECORD if self.kind == TokenKind::LParen && self.follows(TokenKind::Hash) => {
                self.advance();
                let record = self.native_record()?;
                self.expect(TokenKind::RParen, "')' at the end of the attribute")?;
                record
            }
            _ => match self.attribute_value()? {
                Value::Expressions(values) => self.plain_attribute(name, &values)?,
                Value::TypedRecord { name: record, fields } => {
                    self.typed_record(name, name_token, record, fields)?
                }
                Value::Type { head, ty } => self.type_declaration(name, name_token, head, ty)?,
            },
        };
        self.module.has_native_records |= kind.is_about_native_records();
        Ok(self.part(kind, dash, name_token).node)
    }

    fn attribute_value(&mut self) -> Parsed<Value> {
        let first = if self.kind == TokenKind::LParen {
            let open = self.advance();
            let inner = self.expression()?;
            match self.kind {
                TokenKind::ColonColon => {
                    self.advance();
                    let ty = self.top_type()?;
                    self.expect(TokenKind::RParen, "'|' or ')' behind the type")?;
                    return Ok(Value::Type { head: inner, ty });
                }
                TokenKind::Comma => {
                    let value = self.more_values(inner)?;
                    self.expect(TokenKind::RParen, "')' at the end of the attribute")?;
                    return Ok(value);
                }
                _ => {
                    self.expect(TokenKind::RParen, "an operator, ',', '::' or ')'")?;
                    self.expression_from(Part::new(inner.node, open))?
                }
            }
        } else {
            self.expression()?
        };
        match self.kind {
            TokenKind::ColonColon => {
                self.advance();
                Ok(Value::Type { head: first, ty: self.top_type()? })
            }
            TokenKind::Comma => self.more_values(first),
            _ => Ok(Value::Expressions(vec![first])),
        }
    }

    /// The values behind the first comma; the comma is the current token.
    fn more_values(&mut self, first: Part) -> Parsed<Value> {
        self.advance();
        let second = if self.kind == TokenKind::LBrace {
            let open = self.here();
            let fields = self.fields()?;
            if fields.iter().any(|field| field.ty.is_some()) {
                return Ok(Value::TypedRecord { name: first, fields });
            }
            let mark = self.mark();
            self.children.extend(fields.iter().map(|field| field.expression.node));
            let elements = self.list_since(mark);
            let tuple = self.part(Kind::Tuple { elements }, open, open);
            self.expression_from(tuple)?
        } else {
            self.expression()?
        };
        let mut values = vec![first, second];
        while self.eat(TokenKind::Comma) {
            values.push(self.expression()?);
        }
        Ok(Value::Expressions(values))
    }

    /// Expressions with optional types between braces.
    fn fields(&mut self) -> Parsed<Vec<Field>> {
        self.advance();
        let mut fields = Vec::new();
        if self.eat(TokenKind::RBrace) {
            return Ok(fields);
        }
        loop {
            let expression = self.expression()?;
            let mut ty = None;
            if self.eat(TokenKind::ColonColon) {
                ty = Some(self.top_type()?);
            }
            let last = self.previous();
            fields.push(Field { expression, ty, last });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "an operator, '::', ',' or '}'")?;
        Ok(fields)
    }

    // ---- Attributes that have a shape of their own -------------------------------------------

    fn plain_attribute(&mut self, name: Atom, values: &[Part]) -> Parsed<Kind> {
        let nodes: Vec<NodeId> = values.iter().map(|value| value.node).collect();
        let kinds: Vec<Kind> = nodes.iter().map(|&node| self.kind_of(node)).collect();
        match (name, &nodes[..], &kinds[..]) {
            (known::MODULE, &[name], [Kind::Atom(_)]) => Ok(Kind::ModuleAttribute { name }),
            (known::MODULE, &[_, parameters], [Kind::Atom(_), _]) => {
                self.check_variables(parameters)?;
                Ok(Kind::Attribute { name, values: self.list_of(&nodes) })
            }
            (known::EXPORT, &[list], _) => {
                let names = self.name_arities(list)?;
                Ok(Kind::ExportAttribute { which: ExportKind::Functions, names })
            }
            (known::IMPORT, &[module, list], [Kind::Atom(_), _]) => {
                let names = Some(self.name_arities(list)?);
                Ok(Kind::ImportAttribute { module, names })
            }
            (known::RECORD, &[record, tuple], [Kind::Atom(_), _]) => {
                let Kind::Tuple { elements } = self.kind_of(tuple) else {
                    let token = self.first_anchor(tuple);
                    return self.reject(token, "bad_declaration", "bad record declaration");
                };
                let elements = self.module.list(elements).to_vec();
                let fields = elements.into_iter().map(|node| {
                    let Node { first, last, .. } = self.module[node];
                    Field { expression: Part::new(node, first), ty: None, last }
                });
                let fields = fields.collect::<Vec<_>>();
                let fields = self.field_definitions(&fields)?;
                Ok(Kind::RecordAttribute { name: record, fields, native: false })
            }
            (known::FILE, &[file, line], [Kind::String(_), Kind::Integer(_)]) => {
                Ok(Kind::FileAttribute { file, line })
            }
            (known::EXPORT | known::IMPORT, &[_, other, ..], _)
            | (known::MODULE | known::IMPORT | known::RECORD | known::FILE, &[other, ..], _) => {
                self.bad_declaration(other, name)
            }
            (_, &[value], _) => self.free_attribute(name, value),
            (_, &[_, _], [Kind::Atom(_), _]) if name.as_str() == "import_record" => {
                Ok(Kind::Attribute { name, values: self.list_of(&nodes) })
            }
            (_, &[_, other, ..], _) => {
                let token = self.first_anchor(other);
                self.reject(token, "bad_attribute", "bad attribute")
            }
            (_, &[], _) => self.unexpected("a value"),
        }
    }

    /// An attribute whose value may be any term.
    fn free_attribute(&mut self, name: Atom, value: NodeId) -> Parsed<Kind> {
        self.convert_name_arities(value);
        if !self.module.denotes_term(value) {
            let token = self.first_anchor(value);
            return self.reject(token, "bad_attribute", "bad attribute");
        }
        let which = match name {
            known::EXPORT_TYPE => Some(ExportKind::Types),
            known::OPTIONAL_CALLBACKS => Some(ExportKind::OptionalCallbacks),
            known::NIFS => Some(ExportKind::Nifs),
            _ if name.as_str() == "export_record" => Some(ExportKind::Records),
            _ => None,
        };
        let names = match self.kind_of(value) {
            Kind::List { elements, tail: None } => Some(elements),
            Kind::Nil => Some(NodeList::EMPTY),
            _ => None,
        };
        if let (Some(which), Some(names)) = (which, names) {
            let fits = |&node: &NodeId| match which {
                ExportKind::Records => matches!(self.kind_of(node), Kind::Atom(_)),
                _ => matches!(self.kind_of(node), Kind::NameArity { .. }),
            };
            if self.module.list(names).iter().all(fits) {
                return Ok(Kind::ExportAttribute { which, names });
            }
        }
        Ok(Kind::Attribute { name, values: self.list_of(&[value]) })
    }

    fn list_of(&mut self, nodes: &[NodeId]) -> NodeList {
        let mark = self.mark();
        self.children.extend_from_slice(nodes);
        self.list_since(mark)
    }

    fn bad_declaration<T>(&mut self, node: NodeId, name: Atom) -> Parsed<T> {
        let token = self.first_anchor(node);
        self.bad_declaration_at(token, name)
    }

    fn bad_declaration_at<T>(&mut self, token: TokenId, name: Atom) -> Parsed<T> {
        let name = quote::atom(name.as_str());
        self.reject_formatted(token, "bad_declaration", ["bad ", &name, " declaration"])
    }

    /// The parameters of a parameterised module, which no longer exist: a list of variables.
    fn check_variables(&mut self, node: NodeId) -> Parsed<()> {
        let mut node = node;
        while let Kind::List { elements, tail } = self.kind_of(node) {
            for (index, element) in self.module.list(elements).to_vec().into_iter().enumerate() {
                if !matches!(self.kind_of(element), Kind::Var(_)) {
                    let token = self.cell_anchor(node, index, element);
                    return self.reject(token, "bad_variable_list", "bad variable list");
                }
            }
            match tail {
                Some(tail) => node = tail,
                None => return Ok(()),
            }
        }
        if self.kind_of(node) == Kind::Nil {
            return Ok(());
        }
        let token = self.first_anchor(node);
        self.reject(token, "bad_variable_list", "bad variable list")
    }

    /// Where OTP's `cons` cell number `index` of a list stands.
    fn cell_anchor(&self, list: NodeId, index: usize, element: NodeId) -> TokenId {
        if index == 0 { self.module[list].anchor } else { self.first_anchor(element) }
    }

    /// A list of `name/arity`.
    fn name_arities(&mut self, list: NodeId) -> Parsed<NodeList> {
        const CODE: &str = "bad_name_arity";
        let mark = self.mark();
        let mut node = list;
        while let Kind::List { elements, tail } = self.kind_of(node) {
            for (index, element) in self.module.list(elements).to_vec().into_iter().enumerate() {
                let Kind::BinaryOp { op: BinaryOp::Div, left, right } = self.kind_of(element)
                else {
                    let token = self.cell_anchor(node, index, element);
                    return self.reject(token, CODE, "bad Name/Arity");
                };
                if !matches!(self.kind_of(left), Kind::Atom(_)) {
                    let token = self.first_anchor(left);
                    return self.reject(token, CODE, "bad function name");
                }
                if !matches!(self.kind_of(right), Kind::Integer(_)) {
                    let token = self.first_anchor(right);
                    return self.reject(token, CODE, "bad function arity");
                }
                self.convert_name_arity(element);
                self.children.push(element);
            }
            match tail {
                Some(tail) => node = tail,
                None => return Ok(self.list_since(mark)),
            }
        }
        if self.kind_of(node) == Kind::Nil {
            return Ok(self.list_since(mark));
        }
        let token = self.first_anchor(node);
        self.reject(token, CODE, "bad Name/Arity")
    }

    /// Makes `name/arity` of the division that it was read as.
    fn convert_name_arity(&mut self, node: NodeId) {
        if let Kind::BinaryOp { op: BinaryOp::Div, left: name, right: arity } = self.kind_of(node)
            && matches!(self.kind_of(name), Kind::Atom(_))
            && matches!(self.kind_of(arity), Kind::Integer(_))
        {
            self.module.nodes[node.0 as usize].kind = Kind::NameArity { name, arity };
        }
    }

    /// Does so everywhere in a value, but for the keys of maps.
    fn convert_name_arities(&mut self, value: NodeId) {
        let mut pending = vec![value];
        while let Some(node) = pending.pop() {
            match self.kind_of(node) {
                Kind::List { elements, tail } => {
                    pending.extend(self.module.list(elements));
                    pending.extend(tail);
                }
                Kind::Tuple { elements } => pending.extend(self.module.list(elements)),
                Kind::Map { base: None, fields } => {
                    pending.extend(self.module.list(fields));
                }
                Kind::MapField { value, .. } => pending.push(value),
                _ => self.convert_name_arity(node),
            }
        }
    }

    // ---- Records -----------------------------------------------------------------------------

    fn typed_record(
        &mut self,
        attribute: Atom,
        token: TokenId,
        record: Part,
        fields: Vec<Field>,
    ) -> Parsed<Kind> {
        match (attribute, self.kind_of(record.node)) {
            (known::RECORD, Kind::Atom(_)) => {
                let fields = self.field_definitions(&fields)?;
                Ok(Kind::RecordAttribute { name: record.node, fields, native: false })
            }
            _ => self.bad_typed(attribute, token),
        }
    }

    /// Whether the token after this one is of a kind.
    fn follows(&self, kind: TokenKind) -> bool {
        self.module.tokens.get(self.pos as usize + 1).is_some_and(|token| token.kind == kind)
    }

    /// `#name{…}` of `-record #name{…}.` and `-record(#name{…}).`
    fn native_record(&mut self) -> Parsed<Kind> {
        self.advance();
        let is_word =
            matches!(self.kind, TokenKind::Atom | TokenKind::Var) || self.kind.is_keyword();
        if !is_word || self.is_underscore() {
            return self.unexpected("a record name");
        }
        let name = self.name_behind_hash();
        if self.kind != TokenKind::LBrace {
            return self.unexpected("'{' behind a record name");
        }
        let fields = self.fields()?;
        let fields = self.field_definitions(&fields)?;
        Ok(Kind::RecordAttribute { name, fields, native: true })
    }

    fn field_definitions(&mut self, fields: &[Field]) -> Parsed<NodeList> {
        let mark = self.mark();
        for &Field { expression, ty, last } in fields {
            let node = expression.node;
            let (name, default) = match self.kind_of(node) {
                Kind::Atom(_) => (node, None),
                Kind::Match { pattern, value }
                    if matches!(self.kind_of(pattern), Kind::Atom(_)) =>
                {
                    (pattern, Some(value))
                }
                _ => {
                    let token = self.first_anchor(node);
                    return self.reject(token, "bad_record_field", "bad record field");
                }
            };
            let anchor = self.module[name].anchor;
            let ty = ty.map(|ty| ty.node);
            let kind = Kind::RecordFieldDef { name, default, ty };
            let field = self.node(kind, expression.first(), anchor, last);
            self.children.push(field);
        }
        Ok(self.list_since(mark))
    }

    // ---- Types and specs ---------------------------------------------------------------------

    fn type_declaration(
        &mut self,
        attribute: Atom,
        token: TokenId,
        head: Part,
        ty: Part,
    ) -> Parsed<Kind> {
        let which = match attribute {
            known::TYPE => TypeKind::Type,
            known::OPAQUE => TypeKind::Opaque,
            known::NOMINAL => TypeKind::Nominal,
            _ => return self.bad_typed(attribute, token),
        };
        let Kind::Call { callee: name, args: params } = self.kind_of(head.node) else {
            return self.bad_typed(attribute, token);
        };
        if !matches!(self.kind_of(name), Kind::Atom(_)) {
            return self.bad_typed(attribute, token);
        }
        let nodes = self.module.list(params).to_vec();
        let underscore = |&&node: &&NodeId| self.kind_of(node) == Kind::Var(known::UNDERSCORE);
        let other = |&&node: &&NodeId| !matches!(self.kind_of(node), Kind::Var(_));
        let bad = nodes.iter().find(underscore).or_else(|| nodes.iter().find(other));
        if let Some(&bad) = bad {
            let token = self.first_anchor(bad);
            return self.reject(token, "bad_type_variable", "bad type variable");
        }
        Ok(Kind::TypeAttribute { which, name, params, body: ty.node })
    }

    fn bad_typed<T>(&mut self, attribute: Atom, token: TokenId) -> Parsed<T> {
        match attribute {
            known::RECORD | known::TYPE | known::OPAQUE | known::NOMINAL => {
                self.bad_declaration_at(token, attribute)
            }
            _ => self.reject(token, "bad_attribute", "bad attribute"),
        }
    }

    fn spec(&mut self, which: SpecKind) -> Parsed<Kind> {
        let parenthesised = self.eat(TokenKind::LParen);
        let mut name = self.atom_node("the name of a function")?;
        let mut module = None;
        if self.eat(TokenKind::Colon) {
            module = Some(name);
            name = self.atom_node("the name of a function")?;
        }
        let clauses = self.signatures()?;
        if parenthesised {
            self.expect(TokenKind::RParen, "'|', ';', 'when' or ')'")?;
        }
        // The arity of the function is that of the first signature; OTP crashes where it has none.
        let first = self.module.list(clauses).first().copied();
        let first = first.map(|clause| match self.kind_of(clause) {
            Kind::BoundedFunType { fun, .. } => fun,
            _ => clause,
        });
        if let Some(clause) = first
            && let Kind::FunType { args: None, product, .. } = self.kind_of(clause)
        {
            return self.reject(product, "bad_spec", "bad spec declaration");
        }
        Ok(Kind::SpecAttribute { which, module, name, clauses })
    }
}
