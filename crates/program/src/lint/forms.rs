//! The order of forms, and attributes: module, export, import, on_load, behaviours.
//!
//! A module starts with `-module`; then come attributes, then functions. Records, types, specs
//! and a few more may stand between functions, other attributes may not.

use atom::{Atom, known};
use syntax::ast::{ExportKind, Kind, NodeId, NodeList};
use syntax::token::Literal;

use super::term::Term;
use super::{Linter, NameArity, tables, types};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Start,
    Attributes,
    Functions,
}

impl Linter<'_> {
    pub(super) fn run_forms(&mut self) {
        self.scan();
        self.check_compile_options();
        let module = self.module;
        for &form in &module.forms {
            self.form(form);
        }
    }

    /// What must be known before the first form is looked at.
    fn scan(&mut self) {
        let module = self.module;
        for &form in &module.forms {
            match module.kind(form) {
                Kind::Function { name, arity, .. } => {
                    self.locals.entry((name, arity)).or_insert(form);
                }
                Kind::FileAttribute { file, .. } => {
                    let name = self.string(file).unwrap_or_default();
                    self.includes_qlc |= name.rsplit('/').next() == Some("qlc.hrl");
                    self.first_file.get_or_insert(name);
                }
                _ => {}
            }
        }
    }

    fn string(&self, id: NodeId) -> Option<String> {
        match self.kind(id) {
            Kind::String(literal) => match self.module.literal(literal) {
                Literal::String(text) => Some(text.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Options in `-compile` attributes that are errors or worth a warning by themselves.
    fn check_compile_options(&mut self) {
        let attributes = std::mem::take(&mut self.switches.attributes);
        for (form, value) in &attributes {
            let exports_all = value.flatten().iter().any(|option| option.is("export_all"));
            if exports_all && self.switches.export_all_warning {
                self.warning(*form, "export_all", "all functions are exported".into()).help =
                    Some("list the functions in an -export attribute".into());
            }
            let whole = !self.switches.bif_clash
                && value.flatten().iter().any(|option| option.is("nowarn_bif_clash"));
            let single = value.as_pair().is_some_and(|(tag, value)| {
                tag.as_str() == "nowarn_bif_clash"
                    && matches!(value, Term::Tuple(items) if items.len() == 2)
            });
            if whole || single {
                self.error(
                    *form,
                    "disallowed_nowarn_bif_clash",
                    "the option nowarn_bif_clash is no longer allowed".into(),
                )
                .help = Some(
                    "name the module in the call, or use -compile({no_auto_import,[F/A]})".into(),
                );
            }
        }
        self.switches.attributes = attributes;
    }

    fn form(&mut self, form: NodeId) {
        match self.kind(form) {
            Kind::ErrorForm { .. } | Kind::WarningForm { .. } => return,
            Kind::FileAttribute { file, .. } => {
                self.in_first_file = self.string(file) == self.first_file;
                return;
            }
            Kind::Attribute { name: known::COMPILE, .. } => return,
            _ => {}
        }
        if self.stage == Stage::Start {
            self.stage = Stage::Attributes;
            if let Kind::ModuleAttribute { name } = self.kind(form) {
                self.module_name = self.atom(name);
                if let Some(name) = self.module_name {
                    self.check_module_name(name, form);
                }
                return;
            }
            self.error(form, "undefined_module", "the module has no -module attribute".into())
                .help = Some("put -module(name). before all other forms".into());
        }
        match self.stage {
            Stage::Functions => self.form_among_functions(form),
            _ => self.form_among_attributes(form),
        }
    }

    fn form_among_attributes(&mut self, form: NodeId) {
        match self.kind(form) {
            Kind::ModuleAttribute { .. } => {
                if self.module_name.is_some() {
                    self.error(form, "redefine_module", "the module is named twice".into());
                }
            }
            Kind::ExportAttribute { which, names } => self.exports(form, which, names),
            Kind::ImportAttribute { module, names } => {
                if let Some(names) = names {
                    self.import(form, module, names);
                }
            }
            Kind::SpecAttribute { .. }
            | Kind::RecordAttribute { .. }
            | Kind::TypeAttribute { .. } => self.declaration(form),
            Kind::Attribute { name, values } => self.attribute(form, name, values),
            _ => {
                self.stage = Stage::Functions;
                self.form_among_functions(form);
            }
        }
    }

    /// Records, types and specs: wherever they stand.
    fn declaration(&mut self, form: NodeId) {
        match self.kind(form) {
            Kind::RecordAttribute { name, fields, native } => {
                self.define_record(form, name, fields, native);
            }
            Kind::TypeAttribute { which, name, params, body } => {
                self.define_type(form, which, name, params, body);
            }
            Kind::SpecAttribute { which, module, name, clauses } => {
                self.spec(form, which, module, name, clauses);
            }
            _ => {}
        }
    }

    fn form_among_functions(&mut self, form: NodeId) {
        match self.kind(form) {
            Kind::Function { name, arity, clauses } => {
                self.define_function(form, name, arity, clauses);
            }
            Kind::RecordAttribute { .. } | Kind::TypeAttribute { .. } => self.declaration(form),
            Kind::SpecAttribute { which: syntax::ast::SpecKind::Spec, .. } => {
                self.declaration(form);
            }
            Kind::EndOfFile => {}
            Kind::Attribute { name: known::DIALYZER | known::DOC, .. } => {}
            _ => {
                let name = self.attribute_name(form);
                self.error(
                    form,
                    "attribute",
                    format!("the attribute -{name} must stand before the first function"),
                );
            }
        }
    }

    fn attribute_name(&self, form: NodeId) -> &'static str {
        match self.kind(form) {
            Kind::ModuleAttribute { .. } => "module",
            Kind::ExportAttribute { which, .. } => match which {
                ExportKind::Functions => "export",
                ExportKind::Types => "export_type",
                ExportKind::OptionalCallbacks => "optional_callbacks",
                ExportKind::Nifs => "nifs",
                ExportKind::Records => "export_record",
            },
            Kind::ImportAttribute { .. } => "import",
            Kind::SpecAttribute { .. } => "callback",
            Kind::Attribute { name, .. } => name.as_str(),
            _ => "",
        }
    }

    fn attribute(&mut self, form: NodeId, name: Atom, values: NodeList) {
        if name.as_str() == "import_record" {
            if let [_, names] = self.module.list(values) {
                let names = Term::of(self.module, *names);
                self.imported_records.extend(names.flatten().iter().filter_map(|t| t.as_atom()));
            }
            return;
        }
        let [value] = self.module.list(values) else { return };
        let value = Term::of(self.module, *value);
        match name {
            known::BEHAVIOUR | known::BEHAVIOR => {
                if let Some(behaviour) = value.as_atom() {
                    self.behaviours.push((form, behaviour));
                }
            }
            known::ON_LOAD => self.on_load(form, value),
            known::EXPORT_TYPE => {
                let Term::List(items) = &value else {
                    self.bad_export_type(form);
                    return;
                };
                match items.iter().map(Term::as_name_arity).collect::<Option<Vec<NameArity>>>() {
                    Some(types) => {
                        for ty in types {
                            self.export_type(form, ty, form);
                        }
                    }
                    None => self.bad_export_type(form),
                }
            }
            known::OPTIONAL_CALLBACKS => {
                // A list that is not one of functions is not read as an export is.
                let functions = value.flatten().iter().map(|term| term.as_name_arity()).collect();
                if let Some(functions) = functions {
                    self.optional_callbacks(form, functions);
                }
            }
            _ => {}
        }
    }

    fn bad_export_type(&mut self, form: NodeId) {
        let message = "-export_type takes a list of types, name/arity".into();
        self.error(form, "bad_export_type", message);
    }

    fn exports(&mut self, form: NodeId, which: ExportKind, names: NodeList) {
        let names = self.module.list(names);
        let functions: Vec<(NameArity, NodeId)> =
            names.iter().filter_map(|&id| Some((self.name_arity(id)?, id))).collect();
        match which {
            ExportKind::Functions => {
                for (function, node) in functions {
                    self.export(form, function, node);
                }
            }
            ExportKind::Types => {
                for (ty, node) in functions {
                    self.export_type(form, ty, node);
                }
            }
            ExportKind::OptionalCallbacks => {
                self.optional_callbacks(form, functions.into_iter().map(|(f, _)| f).collect());
            }
            ExportKind::Nifs => {}
            ExportKind::Records => {
                for &id in names {
                    self.exported_records.extend(self.atom(id).map(|name| (name, id)));
                }
            }
        }
    }

    /// `name/arity` in an attribute.
    pub(super) fn name_arity(&self, id: NodeId) -> Option<NameArity> {
        Term::of(self.module, id).as_name_arity()
    }

    fn export(&mut self, form: NodeId, function: NameArity, node: NodeId) {
        let (name, arity) = function;
        let built_in = name == known::MODULE_INFO && arity < 2;
        let earlier = self.exports.get(&function).copied();
        if built_in || earlier.is_some() {
            let span = self.module.span(node);
            let related = earlier.map(|earlier| self.related("exported here first", earlier));
            let warning = self.warning(
                form,
                "duplicated_export",
                format!("the function {name}/{arity} is already exported"),
            );
            warning.span = span;
            warning.related.extend(related);
        }
        self.exports.entry(function).or_insert(node);
        self.called.push((function, node));
        self.export_places.insert(node, form);
    }

    fn export_type(&mut self, form: NodeId, ty: NameArity, node: NodeId) {
        if !self.exported_types.insert(ty) {
            let span = self.module.span(node);
            let message = format!("the type {}/{} is already exported", ty.0, ty.1);
            self.warning(form, "duplicated_export_type", message).span = span;
            return;
        }
        self.type_user = types::TypeUser::Export;
        self.use_type(ty, form, node);
    }

    fn import(&mut self, form: NodeId, module: NodeId, names: NodeList) {
        let Some(from) = self.atom(module) else { return };
        self.check_module_name(from, form);
        let names = self.module.list(names);
        let functions: Vec<(NameArity, NodeId)> =
            names.iter().filter_map(|&id| Some((self.name_arity(id)?, id))).collect();
        let mut refused = false;
        for &(function, node) in &functions {
            let (name, arity) = function;
            let span = self.module.span(node);
            if let Some((other, earlier)) = self.imports.get(&function).copied() {
                refused = true;
                let related = self.related("imported here", earlier);
                let message = format!("{name}/{arity} is already imported from {other}");
                let error = self.error(form, "redefine_import", message);
                error.span = span;
                error.related.push(related);
            } else if tables::is_auto_imported(function)
                && self.switches.bif_clash
                && !self.switches.nowarn_bif_clash.contains(&function)
                && !self.switches.no_auto_import(function)
            {
                let message =
                    format!("importing {name}/{arity} hides the automatically imported function");
                let report = if tables::is_old_auto_imported(function) {
                    self.error(form, "redefine_old_bif_import", message)
                } else {
                    self.warning(form, "redefine_bif_import", message)
                };
                report.span = span;
                report.help = Some(format!("add -compile({{no_auto_import,[{name}/{arity}]}})"));
            }
        }
        if !refused {
            for (function, node) in functions {
                self.imports.insert(function, (from, node));
            }
        }
    }

    fn on_load(&mut self, form: NodeId, value: Term) {
        let Some(function) = value.as_name_arity() else {
            self.error(form, "bad_on_load", "-on_load takes one function, name/0".into());
            return;
        };
        self.on_load.push((function, form));
        let (name, arity) = function;
        if self.on_load.len() > 1 {
            let related = self.related("the first one", self.on_load[0].1);
            let message = "there is more than one -on_load attribute".into();
            self.error(form, "multiple_on_loads", message).related.push(related);
        } else if arity != 0 {
            let message =
                format!("{name}/{arity} cannot be run on load: it must take no arguments");
            self.error(form, "bad_on_load_arity", message);
        }
    }

    fn optional_callbacks(&mut self, form: NodeId, functions: Vec<NameArity>) {
        for function in functions {
            if self.optional_callbacks.insert(function, form).is_some() {
                let (name, arity) = function;
                let message = format!("the optional callback {name}/{arity} is declared twice");
                self.error(form, "redefine_optional_callback", message);
            }
        }
    }

    /// Names that no file could have.
    pub(super) fn check_module_name(&mut self, name: Atom, at: NodeId) {
        let text = name.as_str();
        let invisible = |c: char| matches!(c, ' ' | '\u{A0}' | '\u{AD}');
        if text.is_empty() {
            self.error(at, "empty_module_name", "a module's name must not be empty".into());
            return;
        }
        if text.chars().all(invisible) {
            let message = "a module's name must have a visible character".into();
            self.error(at, "blank_module_name", message);
            return;
        }
        if text.chars().any(|c| c as u32 > 255) {
            let message = "a module's name must be of Latin-1 characters".into();
            self.error(at, "non_latin1_module_unsupported", message);
        }
        if text.chars().any(|c| (c as u32) < 0x20 || (0x7F..0xA0).contains(&(c as u32))) {
            let message = "a module's name must not have control characters".into();
            self.error(at, "ctrl_chars_in_module_name", message);
        }
    }
}
