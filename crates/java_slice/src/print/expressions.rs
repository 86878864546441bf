//! Expressions that are printed, and values in the place of those that are not.

use java::names::MethodId;
use java::tree::{Kind, Literal, NodeId};

use super::Printer;

impl Printer<'_> {
    pub(super) fn expr(&mut self, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 << 20, || self.expr_here(node));
    }

    fn expr_here(&mut self, node: NodeId) {
        self.speak(node);
        match self.kind(node) {
            Kind::Call { type_args, function, args } => {
                for ty in self.list(type_args) {
                    self.speak_all(ty);
                }
                self.speak(function);
                if let Kind::Select { target, .. } = self.kind(function) {
                    self.expr(target);
                }
                let method = self.method_of(node);
                let args = self.list(args);
                self.speak_of_any(node, Some(args.len()));
                self.arguments(&args, method);
            }
            Kind::New { outer, type_args, class, args, body } => {
                if let Some(outer) = outer {
                    self.expr(outer);
                }
                for ty in self.list(type_args) {
                    self.speak_all(ty);
                }
                self.speak_all(class);
                let method = self.method_of(node);
                let args = self.list(args);
                self.speak_of_any(node, Some(args.len()));
                self.arguments(&args, method);
                if let Some(body) = body {
                    if let Some(class) = self.program.class_at(self.site(body)) {
                        self.need_class(class);
                    }
                    self.class(body);
                }
            }
            Kind::Lambda { parameters, body } => {
                for parameter in self.list(parameters) {
                    self.speak_all(parameter);
                }
                match self.kind(body) {
                    Kind::Block { .. } => {
                        self.statement(body);
                        self.show(body);
                        self.keep_ends(body);
                    }
                    _ => self.required(body),
                }
            }
            Kind::SwitchExpression { selector, cases } => {
                self.required(selector);
                self.cases(cases, false);
            }
            kind => {
                if matches!(kind, Kind::MethodReference { .. } | Kind::ConstructorReference { .. })
                {
                    self.speak_of_any(node, None);
                }
                let mut children = Vec::new();
                self.program.tree(self.file).children(node, |child| children.push(child));
                for child in children {
                    self.expr(child);
                }
            }
        }
    }

    /// The arguments of a call: a value that nobody needs stands for those that are not needed.
    pub(super) fn arguments(&mut self, args: &[NodeId], method: Option<MethodId>) {
        for (index, &arg) in args.iter().enumerate() {
            if self.is_kept(arg) {
                self.expr(arg);
                continue;
            }
            let info = method.map(|method| self.program.world.method(method));
            let ty =
                info.filter(|info| !info.is_varargs).and_then(|info| info.parameters.get(index));
            let is_simple = matches!(self.kind(arg), Kind::Literal(it) if it != Literal::Null);
            match ty.copied() {
                Some(_) if is_simple && !self.has_inside(arg) => self.speak(arg),
                Some(ty)
                    if !self.has_inside(arg)
                        && !method.is_some_and(|method| self.is_overloaded(method))
                        && !self.is_type_variable(ty) =>
                {
                    let text = self.default(ty);
                    self.replace_node(arg, text);
                }
                _ => self.required(arg),
            }
        }
    }
}
