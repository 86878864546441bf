//! Statements, and which of them end.

use java::names::Symbol;
use java::names::types::Types;
use java::tree::{Kind, Literal, NodeId, NonZeroName};

use super::Printer;
use crate::program::Site;

impl Printer<'_> {
    /// A statement, if something of it is to be there.
    pub(super) fn statement(&mut self, node: NodeId) -> bool {
        stacker::maybe_grow(128 * 1024, 4 << 20, || {
            let is_there = self.statement_here(node);
            if is_there {
                self.show(node);
            }
            is_there
        })
    }

    fn statements(&mut self, statements: &[NodeId]) -> bool {
        let mut any = false;
        for &statement in statements {
            if self.statement(statement) {
                any = true;
            } else {
                self.delete(statement);
            }
        }
        any
    }

    /// A statement in a place where there has to be one.
    fn body(&mut self, node: NodeId) {
        if self.statement(node) {
            return;
        }
        match self.kind(node) {
            Kind::Block { .. } => {}
            _ => self.replace_node(node, "{ }"),
        }
    }

    fn statement_here(&mut self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Block { statements } => {
                let statements = self.list(statements);
                self.statements(&statements)
            }
            Kind::Variables { .. } => self.variables(node),
            Kind::Class(_) => self.class(node),
            Kind::Empty => false,
            _ if !self.has_inside(node) => false,
            Kind::ExpressionStatement { expression } => self.effects(node, expression),
            Kind::If { condition, then, otherwise } => {
                let below =
                    self.has_inside(then) || otherwise.is_some_and(|it| self.has_inside(it));
                if !self.is_kept(condition) && !below {
                    return self.effects(node, condition);
                }
                self.required(condition);
                self.body(then);
                if let Some(otherwise) = otherwise
                    && !self.statement(otherwise)
                {
                    let ((_, start), (_, end)) = (self.span(then), self.span(otherwise));
                    self.replace(start, end, "");
                }
                true
            }
            Kind::While { condition, body } | Kind::Do { body, condition } => {
                self.required(condition);
                self.body(body);
                true
            }
            Kind::For { init, condition, update, body } => {
                for part in self.list(init) {
                    self.for_part(part);
                }
                if let Some(condition) = condition {
                    self.required(condition);
                }
                for part in self.list(update) {
                    self.for_part(part);
                }
                self.body(body);
                true
            }
            Kind::ForEach { variable, iterable, body } => {
                if !self.is_kept(node) {
                    self.promote(node);
                }
                self.speak_all(variable);
                self.element(variable, iterable);
                self.required(iterable);
                self.body(body);
                true
            }
            Kind::Labeled { statement, .. } => self.statement(statement),
            Kind::Switch { selector, cases } => {
                self.required(selector);
                self.cases(cases, true);
                true
            }
            Kind::Synchronized { lock, body } => {
                self.promote(node);
                self.required(lock);
                self.body(body);
                true
            }
            Kind::Try { .. } => self.try_statement(node),
            _ => self.simple(node),
        }
    }

    /// The variable of a loop: elements that nobody needs may be `null`, which is no number.
    fn element(&mut self, variable: NodeId, iterable: NodeId) {
        let Kind::Parameter { ty: Some(ty), .. } = self.kind(variable) else { return };
        if matches!(self.kind(ty), Kind::Primitive(_)) && !self.is_array(iterable) {
            self.promote(variable);
        }
    }

    /// Whether an expression is surely an array.
    fn is_array(&self, node: NodeId) -> bool {
        let declared = match self.program.symbol(self.site(node)) {
            Some(Symbol::Local(declared, _)) => self.site(declared),
            Some(Symbol::Field(field)) => self.program.field_site(field),
            _ => return matches!(self.kind(node), Kind::NewArray { .. }),
        };
        let ty = match self.program.kind(declared) {
            Kind::Parameter { ty, is_varargs: false, .. } => ty,
            Kind::Variable { .. } => {
                let around = self.program.parent(declared);
                match around.map(|node| self.program.kind(Site { node, ..declared })) {
                    Some(Kind::Variables { ty, .. }) => Some(ty),
                    _ => None,
                }
            }
            _ => None,
        };
        let ty = ty.map(|node| self.program.kind(Site { node, ..declared }));
        matches!(ty, Some(Kind::ArrayType { .. }))
    }

    fn simple(&mut self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Return { value } => {
                if !self.is_kept(node) {
                    return value.is_some_and(|value| self.effects(node, value));
                }
                if let Some(value) = value {
                    self.required(value);
                }
                true
            }
            Kind::Throw { value } | Kind::Yield { value } => {
                if !self.is_kept(node) {
                    return self.effects(node, value);
                }
                self.required(value);
                true
            }
            Kind::Break { .. } | Kind::Continue { .. } => self.is_kept(node),
            Kind::Assert { condition, detail } => {
                self.promote(node);
                self.required(condition);
                if let Some(detail) = detail {
                    self.required(detail);
                }
                true
            }
            _ => false,
        }
    }

    /// An expression whose value the text needs.
    pub(super) fn required(&mut self, node: NodeId) {
        if !self.is_kept(node) {
            self.promote(node);
        }
        self.expr(node);
    }

    /// One of several expressions in the head of a `for`.
    fn for_part(&mut self, node: NodeId) {
        let is_there = match self.kind(node) {
            Kind::ExpressionStatement { expression } if self.has_inside(expression) => {
                self.required(expression);
                true
            }
            Kind::Variables { .. } => self.variables(node),
            _ => false,
        };
        if is_there {
            self.show(node);
            return;
        }
        let (start, mut end) = self.span(node);
        let source = self.source();
        // The semicolon of a declaration belongs to the head.
        if source[start..end].ends_with(';') {
            end -= 1;
        }
        let rest = &source[end..];
        let before = source[..start].trim_end();
        if rest.trim_start().starts_with(',') {
            let comma = rest.len() - rest.trim_start().len() + 1;
            self.replace(start, end + comma, "");
        } else if before.ends_with(',') {
            let at = before.len() - 1;
            self.replace(at, end, "");
        } else {
            self.replace(start, end, "");
        }
    }

    fn variables(&mut self, node: NodeId) -> bool {
        let Kind::Variables { modifiers, ty, variables } = self.kind(node) else { return false };
        let variables = self.list(variables);
        let is_declared = |printer: &Self, variable: NodeId| {
            printer.is_kept(variable) || printer.needs.locals.contains(&printer.site(variable))
        };
        if !variables.iter().any(|&variable| is_declared(self, variable)) {
            if !self.has_inside(node) {
                return false;
            }
            if let [variable] = variables[..]
                && let Kind::Variable { value: Some(value), .. } = self.kind(variable)
            {
                return self.effects(node, value);
            }
        }
        if let Some(modifiers) = modifiers {
            self.speak_all(modifiers);
        }
        self.speak_all(ty);
        let is_var = matches!(self.kind(ty), Kind::Var);
        for variable in variables {
            self.show(variable);
            let Kind::Variable { value: Some(value), .. } = self.kind(variable) else { continue };
            if self.is_kept(variable) {
                self.expr(value);
            } else if is_var || self.has_inside(value) || !self.is_written_again(variable) {
                self.promote(variable);
                self.expr(value);
            } else {
                let text = match self.kind(ty) {
                    Kind::Primitive(primitive) => self.default(Types::primitive(primitive)),
                    _ => "null".to_owned(),
                };
                let Kind::Variable { dims, .. } = self.kind(variable) else { continue };
                let text = if dims.is_empty() { text } else { "null".to_owned() };
                self.replace_node(value, text);
            }
        }
        true
    }

    /// Whether a variable gets other values, too.
    fn is_written_again(&self, variable: NodeId) -> bool {
        let site = self.site(variable);
        self.built.written_again.contains(&site)
    }

    /// What is done in an expression whose value is not needed; the statement becomes that.
    fn effects(&mut self, node: NodeId, expression: NodeId) -> bool {
        if self.is_kept(expression) && self.is_statement(expression) {
            if matches!(self.kind(node), Kind::ExpressionStatement { .. }) {
                self.expr(expression);
            } else {
                let text = self.rendered(expression, |printer| printer.expr(expression));
                self.rewrite(node, format!("{text};"));
            }
            return true;
        }
        let mut found = Vec::new();
        if !self.gather(expression, &mut found) {
            self.promote(expression);
            match self.kind(node) {
                Kind::Variables { variables, .. } => {
                    for variable in self.list(variables) {
                        self.promote(variable);
                    }
                }
                Kind::If { .. } => {}
                _ => self.promote(node),
            }
            self.expr(expression);
            return true;
        }
        if found.is_empty() {
            return false;
        }
        let mut texts = Vec::new();
        for part in found {
            texts.push(format!("{};", self.rendered(part, |printer| printer.expr(part))));
        }
        let parent = self.program.parent(self.site(node)).map(|parent| self.kind(parent));
        let is_among = matches!(parent, Some(Kind::Block { .. } | Kind::Case { .. }));
        let text = match texts.len() {
            1 => texts.remove(0),
            _ if is_among => texts.join(" "),
            _ => format!("{{ {} }}", texts.join(" ")),
        };
        self.rewrite(node, text);
        true
    }

    fn rewrite(&mut self, node: NodeId, text: String) {
        self.replace_node(node, text);
        let site = self.site(node);
        self.rewritten.insert(site);
    }

    /// The outermost expressions in the slice that can be statements; no if there are others.
    fn gather(&mut self, node: NodeId, found: &mut Vec<NodeId>) -> bool {
        if !self.has_inside(node) {
            return true;
        }
        if self.is_kept(node) {
            if self.is_statement(node) {
                found.push(node);
                return true;
            }
            return matches!(self.kind(node), Kind::Parens { inner } if self.gather(inner, found));
        }
        match self.kind(node) {
            Kind::Binary { op: java::tree::BinaryOp::And | java::tree::BinaryOp::Or, .. }
            | Kind::Conditional { .. }
            | Kind::SwitchExpression { .. }
            | Kind::Lambda { .. } => false,
            Kind::New { body: Some(_), .. } => false,
            _ => {
                let mut children = Vec::new();
                self.program.tree(self.file).children(node, |child| children.push(child));
                children.into_iter().all(|child| self.gather(child, found))
            }
        }
    }

    pub(super) fn is_statement(&self, node: NodeId) -> bool {
        use java::tree::UnaryOp;
        match self.kind(node) {
            Kind::Call { .. }
            | Kind::New { .. }
            | Kind::Assign { .. }
            | Kind::CompoundAssign { .. } => true,
            Kind::Unary { op, .. } => matches!(
                op,
                UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
            ),
            _ => false,
        }
    }

    /// The cases of a switch: labels stay, for it to be complete.
    pub(super) fn cases(&mut self, cases: java::tree::List, is_statement: bool) {
        for case in self.list(cases) {
            let Kind::Case { labels, guard, body, is_rule } = self.kind(case) else { continue };
            self.show(case);
            for label in self.list(labels) {
                self.speak_all(label);
            }
            if let Some(guard) = guard {
                self.required(guard);
            }
            let body = self.list(body);
            if !is_rule {
                self.statements(&body);
                continue;
            }
            for part in body {
                match self.kind(part) {
                    Kind::Block { .. } | Kind::Throw { .. } if !is_statement => {
                        if matches!(self.kind(part), Kind::Throw { .. }) {
                            self.promote(part);
                        }
                        self.statement(part);
                    }
                    Kind::ExpressionStatement { expression } if !is_statement => {
                        self.required(expression);
                    }
                    _ if !is_statement => self.required(part),
                    _ => self.body(part),
                }
            }
        }
    }

    fn try_statement(&mut self, node: NodeId) -> bool {
        let Kind::Try { resources, body, catches, finally } = self.kind(node) else { return false };
        for resource in self.list(resources) {
            match self.kind(resource) {
                Kind::Variables { variables, .. } => {
                    for variable in self.list(variables) {
                        self.promote(variable);
                        let site = self.site(variable);
                        self.needs.locals.insert(site);
                    }
                    self.variables(resource);
                }
                _ => self.required(resource),
            }
        }
        let is_empty = !self.statement(body) && resources.is_empty();
        let catches = self.list(catches);
        let mut is_checked = false;
        for &catch in &catches {
            let Kind::Catch { parameter, body } = self.kind(catch) else { continue };
            if is_empty {
                let (start, end) = self.span(catch);
                self.replace(start, end, "");
                continue;
            }
            self.show(catch);
            self.speak_all(parameter);
            self.body(body);
            is_checked |= self.may_be_checked(parameter);
        }
        if is_checked {
            self.promote_calls(body);
        }
        let is_cleaning = finally.is_some_and(|finally| self.statement(finally));
        if is_empty && !is_cleaning {
            return false;
        }
        if let Some(finally) = finally
            && !is_cleaning
            && !(catches.is_empty() && resources.is_empty())
        {
            let (start, end) = self.span(finally);
            let before = self.source()[..start].trim_end().len();
            let at = before.saturating_sub("finally".len());
            self.replace(at, end, "");
        }
        if is_empty && !is_cleaning {
            return false;
        }
        if is_empty && finally.is_none() {
            return false;
        }
        true
    }

    /// Whether the compiler may ask who throws what is caught.
    fn may_be_checked(&self, parameter: NodeId) -> bool {
        let Kind::Parameter { ty: Some(ty), .. } = self.kind(parameter) else { return false };
        let types = match self.kind(ty) {
            Kind::UnionType { alternatives } => self.list(alternatives),
            _ => vec![ty],
        };
        types.into_iter().any(|ty| {
            let tree = self.program.tree(self.file);
            let name = crate::program::last_name(&tree, ty);
            let base = crate::program::base_of(&tree, ty);
            match self.program.symbol(self.site(base)) {
                Some(java::names::Symbol::Class(class)) => {
                    let lineage = self.program.lineage(class);
                    !lineage.iter().any(|&above| {
                        self.program.foreign(above).iter().any(|it| is_unchecked(it.as_str()))
                    })
                }
                _ => {
                    !is_unchecked(name.as_str())
                        && !matches!(name.as_str(), "Exception" | "Throwable")
                }
            }
        })
    }

    /// Whatever may throw in a body stays.
    fn promote_calls(&mut self, node: NodeId) {
        let tree = self.program.tree(self.file);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match tree.kind(node) {
                Kind::Call { .. } | Kind::New { .. } => {
                    let site = self.site(node);
                    if let Some(&made) = self.built.made.get(&site) {
                        self.needs.promoted.insert(made);
                    }
                }
                Kind::Throw { .. } => self.promote(node),
                Kind::Lambda { .. } | Kind::Class(_) => continue,
                _ => {}
            }
            tree.children(node, |child| pending.push(child));
        }
    }

    // ---- Ends ----------------------------------------------------------------------------------

    /// A lambda whose body never ends normally gives something, or throws: it has to go on so.
    pub(super) fn keep_ends(&mut self, body: NodeId) {
        self.as_written = true;
        let ended = self.completes(body);
        self.as_written = false;
        if ended || !self.completes(body) {
            return;
        }
        let tree = self.program.tree(self.file);
        let mut pending = vec![body];
        while let Some(node) = pending.pop() {
            match tree.kind(node) {
                Kind::Return { .. } | Kind::Throw { .. } => self.promote(node),
                Kind::Lambda { .. } | Kind::Class(_) => continue,
                _ => {}
            }
            tree.children(node, |child| pending.push(child));
        }
    }

    /// Whether a node counts: all do in the text as it was written.
    fn counts(&self, node: NodeId) -> bool {
        self.as_written || self.is_shown(node)
    }

    /// Whether a statement as it is printed can end normally (JLS 14.22).
    pub(super) fn completes(&self, node: NodeId) -> bool {
        if !self.counts(node) || !self.as_written && self.rewritten.contains(&self.site(node)) {
            return true;
        }
        match self.kind(node) {
            Kind::Block { statements } => {
                self.list(statements).into_iter().all(|statement| self.completes(statement))
            }
            Kind::If { then, otherwise: Some(otherwise), .. } => {
                self.completes(then) || self.completes(otherwise)
            }
            Kind::While { condition, body } => {
                !self.is_true(condition) || self.has_break(body, node)
            }
            Kind::For { condition, body, .. } => {
                condition.is_some_and(|it| !self.is_true(it)) || self.has_break(body, node)
            }
            Kind::Do { body, condition } => {
                self.has_break(body, node)
                    || !self.is_true(condition) && (self.completes(body) || self.has_continue(body))
            }
            Kind::Labeled { statement, label } => {
                self.completes(statement) || self.has_labelled_break(statement, label)
            }
            Kind::Switch { cases, .. } => self.switch_completes(node, cases),
            Kind::Synchronized { body, .. } => self.completes(body),
            Kind::Try { body, catches, finally, .. } => {
                let catches = self.list(catches);
                let any = self.completes(body)
                    || catches.into_iter().any(|catch| match self.kind(catch) {
                        Kind::Catch { body, .. } => self.counts(catch) && self.completes(body),
                        _ => false,
                    });
                any && finally.is_none_or(|finally| self.completes(finally))
            }
            Kind::Return { .. }
            | Kind::Throw { .. }
            | Kind::Break { .. }
            | Kind::Continue { .. }
            | Kind::Yield { .. } => false,
            _ => true,
        }
    }

    fn switch_completes(&self, node: NodeId, cases: java::tree::List) -> bool {
        let cases = self.list(cases);
        let mut has_default = false;
        let mut last = true;
        for case in cases {
            let Kind::Case { labels, body, is_rule, .. } = self.kind(case) else { continue };
            let labels = self.list(labels);
            has_default |= labels.is_empty()
                || labels.iter().any(|&label| {
                    matches!(
                        self.kind(label),
                        Kind::DefaultLabel
                            | Kind::BindingPattern { .. }
                            | Kind::RecordPattern { .. }
                    )
                });
            let body = self.list(body);
            if body.iter().any(|&part| self.has_break(part, node)) {
                return true;
            }
            last = body.iter().all(|&part| self.completes(part));
            if is_rule && last {
                return true;
            }
        }
        !has_default || last
    }

    fn is_true(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Parens { inner } => self.is_true(inner),
            Kind::Literal(Literal::Boolean) => self.program.tree(self.file).text(node) == "true",
            _ => false,
        }
    }

    /// Whether a `break` that is printed leaves a statement.
    fn has_break(&self, node: NodeId, of: NodeId) -> bool {
        let label = match self.program.parent(self.site(of)).map(|parent| self.kind(parent)) {
            Some(Kind::Labeled { label, .. }) => Some(label),
            _ => None,
        };
        self.any_jump(
            node,
            &mut |printer, jump, depth| match printer.kind(jump) {
                Kind::Break { label: None } => depth == 0,
                Kind::Break { label: Some(it) } => Some(NonZeroName::name(it)) == label,
                _ => false,
            },
            0,
        )
    }

    fn has_labelled_break(&self, node: NodeId, label: atom::Atom) -> bool {
        self.any_jump(node, &mut |printer, jump, _| {
            matches!(printer.kind(jump), Kind::Break { label: Some(it) } if it.name() == label)
        }, 0)
    }

    fn has_continue(&self, node: NodeId) -> bool {
        self.any_jump(
            node,
            &mut |printer, jump, depth| {
                depth == 0 && matches!(printer.kind(jump), Kind::Continue { .. })
            },
            0,
        )
    }

    fn any_jump(
        &self,
        node: NodeId,
        fits: &mut dyn FnMut(&Self, NodeId, usize) -> bool,
        depth: usize,
    ) -> bool {
        let kind = self.kind(node);
        if matches!(kind, Kind::Lambda { .. } | Kind::Class(_)) {
            return false;
        }
        if self.counts(node) && fits(self, node, depth) {
            return true;
        }
        let deeper = matches!(
            kind,
            Kind::While { .. }
                | Kind::Do { .. }
                | Kind::For { .. }
                | Kind::ForEach { .. }
                | Kind::Switch { .. }
        );
        let mut children = Vec::new();
        self.program.tree(self.file).children(node, |child| children.push(child));
        let depth = depth + usize::from(deeper);
        children.into_iter().any(|child| self.any_jump(child, fits, depth))
    }
}

fn is_unchecked(name: &str) -> bool {
    name.ends_with("Error")
        || matches!(
            name,
            "RuntimeException"
                | "NullPointerException"
                | "ArithmeticException"
                | "ClassCastException"
                | "IndexOutOfBoundsException"
                | "ArrayIndexOutOfBoundsException"
                | "StringIndexOutOfBoundsException"
                | "NegativeArraySizeException"
                | "ArrayStoreException"
                | "IllegalArgumentException"
                | "IllegalStateException"
                | "NumberFormatException"
                | "UnsupportedOperationException"
                | "NoSuchElementException"
                | "InputMismatchException"
                | "ConcurrentModificationException"
                | "EmptyStackException"
        )
}
