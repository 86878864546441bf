//! Files, classes and their members.

use java::names::types::{Ty, TypeKind, Types};
use java::names::{FileId, MethodId, Symbol};
use java::tree::{ClassKind, Flags, Kind, MethodKind, NodeId};

use super::Printer;
use super::edits::apply;

impl Printer<'_> {
    /// A file; `None` if nothing of it is left.
    pub(super) fn unit(&mut self, file: FileId) -> Option<String> {
        self.file = file;
        self.edits.clear();
        let tree = self.program.tree(file);
        let Kind::Unit { imports, declarations, .. } = tree.kind(tree.root) else { return None };
        let mut is_empty = true;
        for node in tree.list(declarations) {
            match tree.kind(node) {
                Kind::Class(_) => {
                    if self.class(node) {
                        is_empty = false;
                    } else {
                        self.delete(node);
                    }
                }
                Kind::Module { .. } => self.delete(node),
                _ => {}
            }
        }
        if is_empty {
            return None;
        }
        for import in tree.list(imports) {
            let Kind::Import { name, .. } = tree.kind(import) else { continue };
            if !self.is_import_good(name) {
                self.delete(import);
            }
        }
        self.show(tree.root);
        let edits = std::mem::take(&mut self.edits);
        Some(apply(&tree.source.text, 0, tree.source.text.len(), &edits))
    }

    /// Whether what is imported is still there.
    fn is_import_good(&self, name: NodeId) -> bool {
        let Kind::Select { target, name: last } = self.kind(name) else { return true };
        let class_there = |node: NodeId| match self.program.symbol(self.site(node)) {
            Some(Symbol::Class(class)) => Some(self.needs.classes.contains(&class)),
            _ => None,
        };
        if let Some(there) = class_there(name) {
            return there;
        }
        if let Some(there) = class_there(target) {
            // A static member of a class of the program, or all of them.
            let Some(Symbol::Class(class)) = self.program.symbol(self.site(target)) else {
                return there;
            };
            let info = self.program.world.class(class);
            let field = info
                .fields
                .get(&last)
                .is_some_and(|field| self.needs.fields.contains(&self.program.same_field(*field)));
            let method = info
                .methods
                .get(&last)
                .into_iter()
                .flatten()
                .any(|&method| self.needs.methods.contains(&self.program.same_method(method)));
            return there && (last.as_str() == "*" || field || method);
        }
        if last.as_str() != "*" {
            return true;
        }
        // All classes of a package of the program: some has to be there.
        let tree = self.program.tree(self.file);
        let package = tree.text(target).to_owned();
        let files = self.program.world.files.iter().enumerate();
        let mut of_program = files.filter(|(_, file)| file.package.as_str() == package).peekable();
        of_program.peek().is_none()
            || of_program.any(|(index, _)| {
                self.needs
                    .classes
                    .iter()
                    .any(|&class| self.program.world.class(class).file.0 as usize == index)
            })
    }

    /// A class, if it is to be there.
    pub(super) fn class(&mut self, node: NodeId) -> bool {
        let site = self.site(node);
        let Some(class) = self.program.class_at(site) else { return false };
        if !self.has_inside(node) && !self.needs.classes.contains(&class) {
            return false;
        }
        self.show(node);
        self.need_class(class);
        let Some(written) = self.program.written_class(class) else { return false };
        let whole = written.which == ClassKind::Annotation;
        if whole {
            self.speak_all(node);
            return true;
        }
        for part in [written.modifiers, written.extends].into_iter().flatten() {
            self.speak_all(part);
        }
        for list in
            [written.type_parameters, written.components, written.implements, written.permits]
        {
            for part in self.list(list) {
                self.speak_all(part);
            }
        }
        for member in self.list(written.members) {
            self.member(written.which, member);
        }
        true
    }

    fn member(&mut self, which: ClassKind, member: NodeId) {
        match self.kind(member) {
            Kind::Class(_) => {
                let is_there = self.class(member);
                self.delete_unless(is_there, member);
            }
            Kind::Method(_) => self.method(which, member),
            Kind::Initializer { body, .. } => {
                if self.has_inside(body) {
                    self.show(member);
                    self.statement(body);
                } else {
                    self.delete(member);
                }
            }
            Kind::Variables { .. } => self.fields(member),
            Kind::EnumConstant { args, body, .. } => {
                self.speak(member);
                let method = self.method_of(member);
                let args = self.list(args);
                self.arguments(&args, method);
                if let Some(body) = body
                    && !self.class(body)
                {
                    // Its methods may be abstract above it.
                    self.speak(body);
                    if let Some(class) = self.program.class_at(self.site(body)) {
                        self.need_class(class);
                    }
                }
            }
            _ => {}
        }
    }

    fn delete_unless(&mut self, is_there: bool, node: NodeId) {
        if !is_there {
            self.delete(node);
        }
    }

    pub(super) fn method_of(&self, node: NodeId) -> Option<MethodId> {
        match self.program.symbol(self.site(node)) {
            Some(Symbol::Method(method)) => Some(method),
            _ => None,
        }
    }

    fn fields(&mut self, node: NodeId) {
        let Kind::Variables { modifiers, ty, variables } = self.kind(node) else { return };
        let variables = self.list(variables);
        let is_wanted = |printer: &Self, variable: NodeId| {
            let field = printer.program.field_at(printer.site(variable));
            printer.has_inside(variable)
                || field.is_some_and(|field| printer.needs.fields.contains(&field))
        };
        if !variables.iter().any(|&variable| is_wanted(self, variable)) {
            self.delete(node);
            return;
        }
        self.show(node);
        if let Some(modifiers) = modifiers {
            self.speak_all(modifiers);
        }
        self.speak_all(ty);
        let is_final = self.program.flags(self.site(node)).has(Flags::FINAL);
        for &variable in &variables {
            self.show(variable);
            let Kind::Variable { value, .. } = self.kind(variable) else { continue };
            match value {
                Some(value) if self.is_kept(variable) => self.expr(value),
                Some(value) if self.has_inside(value) || is_final => {
                    self.promote(variable);
                    self.expr(value);
                }
                Some(value) => self.without_value(variable, value),
                None => {}
            }
            if value.is_none() && is_final && self.is_assignment_gone(variable) {
                self.without_word(modifiers, "final");
            }
        }
    }

    /// Whether some assignment of a field is not printed.
    fn is_assignment_gone(&self, variable: NodeId) -> bool {
        let field = self.program.field_at(self.site(variable));
        let tree = self.program.tree(self.file);
        let is_target = |node: NodeId| match tree.kind(node) {
            Kind::Assign { target, .. } => {
                let symbol = self.program.symbol(self.site(target));
                matches!(symbol, Some(Symbol::Field(it)) if Some(it) == field)
            }
            _ => false,
        };
        tree.ids().any(|node| is_target(node) && !self.is_kept(node))
    }

    fn without_word(&mut self, modifiers: Option<NodeId>, word: &str) {
        let Some(modifiers) = modifiers else { return };
        let (start, end) = self.span(modifiers);
        let source = self.source();
        if let Some(at) = source[start..end].find(word) {
            let at = start + at;
            let rest = &source[at + word.len()..];
            let space = rest.len() - rest.trim_start().len();
            self.replace(at, at + word.len() + space, "");
        }
    }

    /// A variable without its initialiser.
    pub(super) fn without_value(&mut self, variable: NodeId, value: NodeId) {
        let (_, end) = self.span(value);
        let (start, _) = self.span(variable);
        let (value_start, _) = self.span(value);
        let source = self.source();
        if let Some(at) = source[start..value_start].rfind('=') {
            let before = source[start..start + at].trim_end().len();
            self.replace(start + before, end, "");
        }
    }

    // ---- Methods -------------------------------------------------------------------------------

    fn method(&mut self, which: ClassKind, node: NodeId) {
        let site = self.site(node);
        let Some(method) = self.program.method_at(site) else { return };
        let is_canonical =
            which == ClassKind::Record && self.program.world.method(method).is_constructor;
        let is_wanted =
            self.has_inside(node) || self.needs.methods.contains(&method) || is_canonical;
        if !is_wanted {
            self.delete(node);
            return;
        }
        let Kind::Method(part) = self.kind(node) else { return };
        let written = *self.program.tree(self.file).method(part);
        self.show(node);
        if let Some(modifiers) = written.modifiers {
            self.speak_all(modifiers);
            self.override_annotation(modifiers, method);
        }
        for part in [written.result, written.receiver, written.default].into_iter().flatten() {
            self.speak_all(part);
        }
        for list in
            [written.type_parameters, written.annotations, written.parameters, written.throws]
        {
            for part in self.list(list) {
                self.speak_all(part);
            }
        }
        let Some(body) = written.body else { return };
        if written.which != MethodKind::Method {
            self.constructor_call(body, is_canonical);
        }
        self.statement(body);
        let result = self.program.world.method(method).result;
        if written.which == MethodKind::Method && result != Types::VOID && self.completes(body) {
            self.add_return(body, result);
        }
    }

    /// `return` with a value that nobody needs.
    fn add_return(&mut self, body: NodeId, result: Ty) {
        let (start, end) = self.span(body);
        let text = format!("return {}; ", self.default(result));
        let source = self.source();
        let (line, brace) = (source[..end - 1].rfind('\n').map_or(0, |at| at + 1), end - 1);
        let is_alone = line > start && source[line..brace].trim().is_empty();
        match is_alone {
            true => {
                let indent = source[line..brace].to_owned();
                self.replace(line, line, format!("{indent}    {}\n", text.trim_end()));
            }
            false => self.replace(brace, brace, text),
        }
    }

    /// A value of a type.
    pub(super) fn default(&self, ty: Ty) -> String {
        match ty {
            Types::BOOLEAN => "false",
            Types::CHAR => "'0'",
            Types::BYTE => "(byte) 0",
            Types::SHORT => "(short) 0",
            Types::INT | Types::LONG | Types::FLOAT | Types::DOUBLE => "0",
            _ => "null",
        }
        .to_owned()
    }

    fn override_annotation(&mut self, modifiers: NodeId, method: MethodId) {
        let Kind::Modifiers { annotations, .. } = self.kind(modifiers) else { return };
        for annotation in self.list(annotations) {
            let Kind::Annotation { name, .. } = self.kind(annotation) else { continue };
            let is_override =
                matches!(self.kind(name), Kind::Name(it) if it.as_str() == "Override");
            if is_override && self.overrides_nothing(method) {
                let (start, end) = self.span(annotation);
                let rest = &self.source()[end..];
                let space = rest.len() - rest.trim_start().len();
                self.replace(start, end + space, "");
            }
        }
    }

    /// What a constructor cannot do without: the call of another one, and a record's fields.
    fn constructor_call(&mut self, body: NodeId, is_canonical: bool) {
        let Kind::Block { statements } = self.kind(body) else { return };
        for statement in self.list(statements) {
            let Kind::ExpressionStatement { expression } = self.kind(statement) else { continue };
            match self.kind(expression) {
                Kind::Call { function, .. }
                    if matches!(self.kind(function), Kind::This { .. } | Kind::Super { .. }) =>
                {
                    self.force(statement, expression);
                }
                Kind::Assign { target, .. } if is_canonical => {
                    if let Some(Symbol::Field(_)) = self.program.symbol(self.site(target)) {
                        self.promote(expression);
                    }
                }
                _ => {}
            }
        }
    }

    /// Keeps a statement whatever the slice says.
    fn force(&mut self, statement: NodeId, expression: NodeId) {
        for node in [statement, expression] {
            self.kept[self.file.0 as usize][node.index()] = true;
            self.inside[self.file.0 as usize][node.index()] = true;
        }
    }

    /// Whether `null` would leave open which of several methods is meant.
    pub(super) fn is_overloaded(&self, method: MethodId) -> bool {
        let info = self.program.world.method(method);
        let class = self.program.world.class(self.program.same_class(info.class));
        let all = match info.is_constructor {
            true => class.constructors.clone(),
            false => class.methods.get(&info.name).cloned().unwrap_or_default(),
        };
        let count = self.program.arity(method);
        all.iter().filter(|&&it| self.program.takes(it, count)).count() > 1
    }

    pub(super) fn is_type_variable(&self, ty: Ty) -> bool {
        matches!(self.program.world.types.kind(ty), TypeKind::Var(_))
    }
}
