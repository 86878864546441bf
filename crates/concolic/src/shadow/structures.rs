//! Cells, tuples and maps: built, and taken apart as they were built.

use solver::{Binop, Comparison, Expr, ExprId, Ternary, Test, Unary, VarId};
use term::{Map, Term};

use super::{State, Value};
use crate::funs::{NO_FUN, Row};

impl State {
    pub(crate) fn head(&mut self, cell: ExprId) -> Option<ExprId> {
        let head = match *self.exprs.get(cell) {
            Expr::Cons(head, _) => head,
            _ => self.exprs.unary(Unary::Hd, cell),
        };
        self.kept(head)
    }

    pub(crate) fn tail(&mut self, cell: ExprId) -> Option<ExprId> {
        let tail = match *self.exprs.get(cell) {
            Expr::Cons(_, tail) => tail,
            _ => self.exprs.unary(Unary::Tl, cell),
        };
        self.kept(tail)
    }

    /// The head and the tail of what is a cell.
    pub(crate) fn cell(&mut self, value: &Value) -> Option<(Value, Value)> {
        let cell = value.term.as_cons()?;
        let (head, tail) = match value.expr {
            Some(expr) => (self.head(expr), self.tail(expr)),
            None => (None, None),
        };
        let head = Value { term: cell.head.clone(), expr: head };
        Some((head, Value { term: cell.tail.clone(), expr: tail }))
    }

    pub(crate) fn cons(&mut self, head: &Value, tail: &Value) -> Option<ExprId> {
        if head.expr.is_none() && tail.expr.is_none() {
            return None;
        }
        let (head, tail) = (self.expr(head), self.expr(tail));
        let cell = self.exprs.cons(head, tail);
        self.kept(cell)
    }

    /// A list of values with what is behind them.
    pub(crate) fn list(&mut self, elements: &[Value], tail: Value) -> Value {
        let mut list = tail;
        for element in elements.iter().rev() {
            let expr = self.cons(element, &list);
            list = Value { term: Term::cons(element.term.clone(), list.term), expr };
        }
        list
    }

    pub(crate) fn tuple(&mut self, elements: &[Value]) -> Option<ExprId> {
        if elements.iter().all(|element| element.expr.is_none()) {
            return None;
        }
        let elements: Vec<ExprId> = elements.iter().map(|element| self.expr(element)).collect();
        let tuple = self.exprs.tuple(elements);
        self.kept(tuple)
    }

    /// Element `index` (from 0) of what is a tuple.
    pub(crate) fn element(&mut self, tuple: &Value, index: usize) -> Value {
        let term = tuple.term.as_tuple().and_then(|t| t.get(index)).cloned().unwrap_or(Term::NIL);
        let expr = tuple.expr.and_then(|expr| {
            let element = match self.exprs.get(expr) {
                Expr::Tuple(elements) if index < elements.len() => elements[index],
                _ => self.exprs.element(index as u32 + 1, expr),
            };
            self.kept(element)
        });
        Value { term, expr }
    }

    /// All elements of what is a tuple of the size that it has.
    pub(crate) fn elements(&mut self, tuple: &Value) -> Vec<Value> {
        let size = tuple.term.as_tuple().map_or(0, <[Term]>::len);
        (0..size).map(|index| self.element(tuple, index)).collect()
    }

    /// The tuple with an element (from 0) replaced.
    pub(crate) fn with_element(
        &mut self,
        tuple: &Value,
        index: usize,
        new: Value,
    ) -> Option<ExprId> {
        if tuple.expr.is_none() && new.expr.is_none() {
            return None;
        }
        let mut elements = self.elements(tuple);
        *elements.get_mut(index)? = new;
        self.tuple(&elements)
    }

    pub(crate) fn map_put(&mut self, map: &Value, key: &Value, value: &Value) -> Option<ExprId> {
        if map.expr.is_none() && key.expr.is_none() && value.expr.is_none() {
            return None;
        }
        let (map, key, value) = (self.expr(map), self.expr(key), self.expr(value));
        let map = self.without_key(map, key);
        let map = self.exprs.ternary(Ternary::MapPut, key, value, map);
        self.kept(map)
    }

    /// The map without what it was given for a key before: it is given another value now.
    fn without_key(&mut self, map: ExprId, key: ExprId) -> ExprId {
        match *self.exprs.get(map) {
            Expr::Ternary(Ternary::MapPut, other, _, inner) if other == key => inner,
            _ => map,
        }
    }

    /// Whether a map has a key, as a condition.
    pub(crate) fn has_key(&mut self, map: ExprId, key: ExprId) -> ExprId {
        let mut below = map;
        while let Expr::Ternary(Ternary::MapPut, other, _, inner) = *self.exprs.get(below) {
            if other == key {
                return self.exprs.bool(true);
            }
            if !self.are_constants(key, other) {
                break;
            }
            below = inner;
        }
        self.exprs.compare(Comparison::IsMapKey, key, below)
    }

    /// The value of a key that a map has.
    pub(crate) fn map_value(&mut self, map: ExprId, key: ExprId) -> Option<ExprId> {
        let mut below = map;
        while let Expr::Ternary(Ternary::MapPut, other, value, inner) = *self.exprs.get(below) {
            if other == key {
                return self.kept(value);
            }
            if !self.are_constants(key, other) {
                break;
            }
            below = inner;
        }
        let value = self.exprs.binop(Binop::MapGet, key, below);
        self.kept(value)
    }

    /// Unknowns for the pairs of a map of so many, which are these in the run; what they are
    /// follows from what the map is, so in each run they are said to be just that, once.
    pub(crate) fn unknown_pairs(
        &mut self,
        map: ExprId,
        pairs: &[(Term, Term)],
    ) -> Vec<(ExprId, ExprId)> {
        let first = match self.pairs.get(&(map, pairs.len())) {
            Some(&first) => first,
            None => {
                let first = self.make_up(2 * pairs.len());
                self.pairs.insert((map, pairs.len()), first);
                first
            }
        };
        let var = |at: usize| VarId(first.0 + at as u32);
        let unknowns: Vec<(ExprId, ExprId)> = (0..pairs.len())
            .map(|at| (self.exprs.var(var(2 * at)), self.exprs.var(var(2 * at + 1))))
            .collect();
        let is_said = |row: &Row| row.fun == NO_FUN && row.result == first;
        if pairs.is_empty() || self.path.rows.iter().any(is_said) {
            return unknowns;
        }
        for (at, (key, value)) in pairs.iter().enumerate() {
            self.model.set(var(2 * at), key.clone());
            self.model.set(var(2 * at + 1), value.clone());
        }
        let mut made = self.exprs.constant(Term::map(Map::new()));
        for &(key, value) in &unknowns {
            made = self.exprs.ternary(Ternary::MapPut, key, value, made);
        }
        let mut all = vec![self.exprs.exact(map, made)];
        for two in unknowns.windows(2) {
            let same = self.exprs.exact(two[0].0, two[1].0);
            all.extend([self.exprs.less_eq(two[0].0, two[1].0), self.exprs.not(same)]);
        }
        let (holds, at) = (self.exprs.and(&all), self.path.decisions.len());
        let (args, given) = (Vec::new(), Vec::new());
        self.path.rows.push(Row { fun: NO_FUN, args, given, result: first, holds, at });
        unknowns
    }

    fn are_constants(&self, a: ExprId, b: ExprId) -> bool {
        self.exprs.as_const(a).is_some() && self.exprs.as_const(b).is_some()
    }

    /// The pairs of a map whose keys are all known, in the order of `maps:to_list/1`.
    pub(crate) fn pairs(&mut self, map: &Value) -> Option<Vec<(Term, Value)>> {
        let terms: &Map = map.term.as_map()?;
        let mut below = map.expr?;
        loop {
            match *self.exprs.get(below) {
                Expr::Ternary(Ternary::MapPut, key, _, inner) => {
                    self.exprs.as_const(key)?;
                    below = inner;
                }
                Expr::Const(_) => break,
                _ => return None,
            }
        }
        let mut pairs = Vec::new();
        for (key, term) in terms.listed() {
            let constant = self.exprs.constant(key.clone());
            let expr = map.expr.and_then(|map| self.map_value(map, constant));
            pairs.push((key.clone(), Value { term: term.clone(), expr }));
        }
        Some(pairs)
    }

    /// The elements of a list, and what is behind them; how long it is, is decided on the way.
    pub(crate) fn spine(&mut self, list: &Value) -> (Vec<Value>, Value) {
        let mut elements = Vec::new();
        let mut rest = list.clone();
        loop {
            let is_cell = rest.term.as_cons().is_some();
            self.decide_test(Test::Cons, &rest, is_cell);
            match self.cell(&rest) {
                Some((head, tail)) => {
                    elements.push(head);
                    rest = tail;
                }
                None => break,
            }
        }
        let is_nil = rest.term.is_nil();
        self.decide_test(Test::Nil, &rest, is_nil);
        (elements, rest)
    }
}
