//! Types and specifications.

use syntax::ast::{Kind, NodeId, NodeList};
use syntax::source::Loc;
use syntax::token::{TokenKind, TokenValue};

use super::{Bad, Builder, Built, location};
use crate::terms::Term;

impl<'a> Builder {
    pub(super) fn ty(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        self.deeper(term, |this| this.ty_inner(term))
    }

    fn types(&mut self, list: Term<'a>) -> Built<'a, NodeList> {
        self.each(list, |this, term| this.ty(term))
    }

    fn ty_inner(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let elements = term.tuple().ok_or(Bad(term))?;
        let tag = elements.first().and_then(|tag| tag.atom()).map_or("", |tag| tag.as_str());
        let loc = elements.get(1).map(|annotation| location(*annotation)).unwrap_or_default();
        match (tag, elements.get(2..).unwrap_or_default()) {
            ("type", [name, args]) => self.built_in(term, *name, *args, loc),
            ("user_type", [name, args]) => {
                let name = name.atom().ok_or(Bad(term))?;
                let token = self.token(TokenKind::Atom, TokenValue::Name(name), loc);
                let args = self.types(*args)?;
                Ok(self.node_at(Kind::NamedType { name, args }, token))
            }
            ("remote_type", [parts]) => {
                let parts = parts.list().unwrap_or_default();
                let [module, name, args] = parts[..] else { return Err(Bad(term)) };
                let token = self.place(loc);
                let (module, name) = (self.expression(module)?, self.expression(name)?);
                let args = self.types(args)?;
                Ok(self.node_at(Kind::RemoteType { module, name, args }, token))
            }
            ("ann_type", [parts]) => {
                let parts = parts.list().unwrap_or_default();
                let [var, ty] = parts[..] else { return Err(Bad(term)) };
                let token = self.place(loc);
                let (var, ty) = (self.expression(var)?, self.ty(ty)?);
                Ok(self.node_at(Kind::AnnotatedType { var, ty }, token))
            }
            // Literals, variables, operators.
            _ => self.expression(term),
        }
    }

    /// `{type, Anno, Name, Args}`
    fn built_in(
        &mut self,
        term: Term<'a>,
        name: Term<'a>,
        args: Term<'a>,
        loc: Loc,
    ) -> Built<'a, NodeId> {
        let name = name.atom().ok_or(Bad(term))?;
        let token = self.token(TokenKind::Atom, TokenValue::Name(name), loc);
        // `{type, Anno, tuple, any}` and `map` have no list of arguments.
        let Some(list) = args.list() else {
            if !args.is_atom("any") {
                return Err(Bad(term));
            }
            return Ok(self.node_at(Kind::NamedType { name, args: NodeList::EMPTY }, token));
        };
        let kind = match (name.as_str(), &list[..]) {
            ("union", [_, ..]) => Kind::UnionType { members: self.types(args)? },
            ("tuple", _) => Kind::TupleType { elements: self.types(args)? },
            ("list", [element]) => Kind::ListType { element: self.ty(*element)?, nonempty: false },
            ("nonempty_list", [element]) => {
                Kind::ListType { element: self.ty(*element)?, nonempty: true }
            }
            ("nil", []) => Kind::NilType,
            ("map", _) => {
                let fields = self.each(args, |this, field| this.map_field_type(field))?;
                Kind::MapType { fields }
            }
            ("record", [name, ..]) => {
                let name = self.expression(*name)?;
                let mut fields = Vec::new();
                for field in &list[1..] {
                    fields.push(self.record_field_type(*field)?);
                }
                let fields = self.list_of(&fields);
                Kind::RecordType { name, fields }
            }
            ("binary", [size, unit]) => Kind::BinaryType {
                size: Some(self.expression(*size)?),
                unit: Some(self.expression(*unit)?),
            },
            ("range", [low, high]) => {
                Kind::RangeType { low: self.ty(*low)?, high: self.ty(*high)? }
            }
            ("fun", []) => Kind::AnyFunType,
            ("fun", [args, result]) => self.fun_type(*args, *result)?,
            ("bounded_fun", [fun, constraints]) => Kind::BoundedFunType {
                fun: self.ty(*fun)?,
                constraints: self.each(*constraints, |this, term| this.constraint(term))?,
            },
            _ => Kind::NamedType { name, args: self.types(args)? },
        };
        Ok(self.node_at(kind, token))
    }

    /// `{type, _, product, Args}` or `{type, _, any}`, and the result.
    fn fun_type(&mut self, args: Term<'a>, result: Term<'a>) -> Built<'a, Kind> {
        let parts = args.tagged("type").ok_or(Bad(args))?;
        let loc = parts.first().map(|annotation| location(*annotation)).unwrap_or_default();
        let product = self.token(TokenKind::LParen, TokenValue::None, loc);
        let args = match parts[..] {
            [_, any] if any.is_atom("any") => None,
            [_, name, list] if name.is_atom("product") => Some(self.types(list)?),
            _ => return Err(Bad(args)),
        };
        Ok(Kind::FunType { args, product, result: self.ty(result)? })
    }

    fn map_field_type(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let parts = term.tagged("type").ok_or(Bad(term))?;
        let [annotation, name, args] = parts[..] else { return Err(Bad(term)) };
        let exact = name.is_atom("map_field_exact");
        let pair = args.list().unwrap_or_default();
        let (true, [key, value]) = (exact || name.is_atom("map_field_assoc"), &pair[..]) else {
            return Err(Bad(term));
        };
        let token = self.place(location(annotation));
        let (key, value) = (self.ty(*key)?, self.ty(*value)?);
        Ok(self.node_at(Kind::MapField { exact, key, value }, token))
    }

    fn record_field_type(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let parts = term.tagged("type").ok_or(Bad(term))?;
        let [annotation, tag, args] = parts[..] else { return Err(Bad(term)) };
        let pair = args.list().unwrap_or_default();
        let (true, [name, ty]) = (tag.is_atom("field_type"), &pair[..]) else {
            return Err(Bad(term));
        };
        let token = self.place(location(annotation));
        let (name, ty) = (self.expression(*name)?, self.ty(*ty)?);
        Ok(self.node_at(Kind::RecordFieldType { name, ty }, token))
    }

    /// `{type, _, constraint, [{atom, _, is_subtype}, [Var, Type]]}`
    fn constraint(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let parts = term.tagged("type").ok_or(Bad(term))?;
        let [annotation, tag, args] = parts[..] else { return Err(Bad(term)) };
        let args = args.list().unwrap_or_default();
        let (true, [_, pair]) = (tag.is_atom("constraint"), &args[..]) else {
            return Err(Bad(term));
        };
        let pair = pair.list().unwrap_or_default();
        let [var, ty] = pair[..] else { return Err(Bad(term)) };
        let token = self.place(location(annotation));
        let (var, ty) = (self.expression(var)?, self.ty(ty)?);
        Ok(self.node_at(Kind::ConstraintType { var, ty }, token))
    }
}
