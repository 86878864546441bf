//! What can only be said when all forms have been seen: undefined and unused functions, types and
//! records, exports of nothing, specs of nothing, attributes that name functions.

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{ExportKind, Kind, NodeId, TypeKind};

use super::term::Term;
use super::types::TypeUser;
use super::{Linter, NameArity, tables};

impl Linter<'_> {
    pub(super) fn finish(&mut self) {
        self.check_behaviours();
        self.check_deprecated_attributes();
        self.check_unused_imports();
        self.check_option_functions("inline", "bad_inline");
        self.check_undefined_functions();
        self.check_option_functions("nowarn_unused_function", "bad_nowarn_unused_function");
        self.check_unused_functions();
        self.check_option_functions("nowarn_bif_clash", "bad_nowarn_bif_clash");
        self.check_specs();
        self.check_types();
        self.check_records();
        self.check_on_load();
        self.check_dialyzer_attributes();
        self.check_callbacks();
        self.check_nifs();
        self.check_file_name();
    }

    /// Values of all attributes with this name.
    fn attributes(&self, name: &str) -> Vec<(NodeId, Term)> {
        let mut found = Vec::new();
        for &form in &self.module.forms {
            if let Kind::Attribute { name: other, values } = self.kind(form)
                && let ([value], true) = (self.module.list(values), other.as_str() == name)
            {
                found.push((form, Term::of(self.module, *value)));
            }
        }
        found
    }

    pub(super) fn is_exported(&self, function: NameArity) -> bool {
        if self.switches.export_all {
            self.is_defined(function)
        } else {
            self.exports.contains_key(&function)
                || self.is_exported_by_transform(function)
                || matches!((function.0.as_str(), function.1), ("module_info", 0 | 1))
        }
    }

    fn is_defined(&self, function: NameArity) -> bool {
        self.defined.contains_key(&function)
            || tables::is_pseudo_local(function)
            || self.is_defined_by_transform(function)
    }

    /// The function that was probably meant: the same name with another arity, or a near name.
    fn suggest_function(&mut self, function: NameArity) -> Option<String> {
        let (name, _) = function;
        let mut arities: Vec<u32> =
            self.defined.keys().filter(|known| known.0 == name).map(|known| known.1).collect();
        arities.sort();
        if let Some(arity) = arities.first() {
            return Some(format!("there is {name}/{arity}"));
        }
        let mut names: Vec<Atom> = self.defined.keys().map(|known| known.0).collect();
        names.sort();
        self.suggest(name, names).map(|near| format!("did you mean {near}?"))
    }

    fn check_undefined_functions(&mut self) {
        let mut undefined: Vec<(NodeId, NameArity)> = self
            .called
            .iter()
            .filter(|(function, _)| !self.is_defined(*function))
            .map(|&(function, at)| (at, function))
            .collect();
        undefined.sort();
        undefined.dedup();
        let mut help: FxHashMap<NameArity, Option<String>> = FxHashMap::default();
        for (text, function) in undefined {
            let suggestion =
                help.entry(function).or_insert_with(|| self.suggest_function(function)).clone();
            let at = self.export_places.get(&text).copied().unwrap_or(text);
            let named = match self.kind(text) {
                Kind::Call { callee, .. } => callee,
                _ => text,
            };
            let span = self.module.span(named);
            let (name, arity) = function;
            let message = format!("there is no function {name}/{arity}");
            let error = self.error(at, "undefined_function", message);
            error.span = span;
            error.help = suggestion;
        }
    }

    fn check_unused_functions(&mut self) {
        if self.switches.export_all || !self.switches.unused_function {
            return;
        }
        let mut calls: FxHashMap<NameArity, Vec<NameArity>> = FxHashMap::default();
        for &(by, function) in &self.usage.calls {
            if let Some(by) = by {
                calls.entry(by).or_default().push(function);
            }
        }
        let mut pending: Vec<NameArity> =
            self.defined.keys().copied().filter(|&function| self.is_exported(function)).collect();
        pending.extend(self.on_load.iter().map(|(function, _)| *function));
        let mut reached: FxHashSet<NameArity> = FxHashSet::default();
        while let Some(function) = pending.pop() {
            if reached.insert(function) {
                pending.extend(calls.get(&function).into_iter().flatten());
            }
        }
        let module = self.module;
        for &form in &module.forms {
            let Kind::Function { name, arity, .. } = self.kind(form) else { continue };
            let function = (name, arity);
            let wanted = self.switches.nowarn_unused_function.contains(&function);
            if reached.contains(&function) || wanted || tables::is_pseudo_local(function) {
                continue;
            }
            let message = format!("the function {name}/{arity} is never used");
            let span = self.module.written(self.module[form].first);
            self.warning(form, "unused_function", message).span = span;
        }
    }

    fn check_unused_imports(&mut self) {
        if !self.switches.unused_import {
            return;
        }
        let module = self.module;
        for &form in &module.forms {
            let Kind::ImportAttribute { names: Some(names), .. } = self.kind(form) else {
                continue;
            };
            for &node in module.list(names) {
                let Some(function) = self.name_arity(node) else { continue };
                let Some(&(from, place)) = self.imports.get(&function) else { continue };
                if place == node && !self.usage.imports.contains(&(function, from)) {
                    let message =
                        format!("the import {from}:{}/{} is never used", function.0, function.1);
                    let span = module.span(node);
                    self.warning(form, "unused_import", message).span = span;
                }
            }
        }
    }

    /// Functions named in compiler options must be there.
    fn check_option_functions(&mut self, option: &str, code: &'static str) {
        let attributes = std::mem::take(&mut self.switches.attributes);
        for (form, value) in &attributes {
            for option_value in value.flatten() {
                let Some((tag, functions)) = option_value.as_pair() else { continue };
                if tag.as_str() != option {
                    continue;
                }
                for function in functions.flatten() {
                    let known = function.as_name_arity().is_some_and(|function| {
                        self.defined.contains_key(&function) || self.imports.contains_key(&function)
                    });
                    if !known {
                        let message =
                            format!("the option {option} names {function}, which is not there");
                        self.error(*form, code, message);
                    }
                }
            }
        }
        self.switches.attributes = attributes;
    }

    fn check_specs(&mut self) {
        let own = self.module_name.unwrap_or(atom::known::EMPTY);
        let mut missing: Vec<(NodeId, NameArity)> = self
            .specs
            .iter()
            .filter(|((module, function), _)| *module == own && !self.is_defined(*function))
            .map(|(&(_, function), &form)| (form, function))
            .collect();
        missing.sort();
        for (form, function) in missing {
            let help = self.suggest_function(function);
            let (name, arity) = function;
            let message = format!("a spec for {name}/{arity}, which is not defined");
            self.error(form, "spec_fun_undefined", message).help = help;
        }
        if self.switches.missing_spec_all || self.switches.missing_spec {
            self.check_missing_specs();
        }
    }

    fn check_missing_specs(&mut self) {
        let specified: FxHashSet<NameArity> =
            self.specs.keys().map(|(_, function)| *function).collect();
        let module = self.module;
        for &form in &module.forms {
            let Kind::Function { name, arity, .. } = self.kind(form) else { continue };
            let function = (name, arity);
            let wanted = self.switches.missing_spec_all || self.is_exported(function);
            if wanted && !specified.contains(&function) {
                let span = module.written(module[form].first);
                let message = format!("the function {name}/{arity} has no spec");
                self.warning(form, "missing_spec", message).span = span;
            }
        }
    }

    fn check_types(&mut self) {
        let uses = std::mem::take(&mut self.type_uses);
        let mut names: Vec<Atom> = self.types.keys().map(|ty| ty.0).collect();
        names.sort();
        for use_of in &uses {
            let ty = use_of.ty;
            let known = self.types.contains_key(&ty) || tables::is_built_in_type(ty, self.release);
            if known {
                continue;
            }
            let help = match self.types.keys().filter(|known| known.0 == ty.0).min() {
                Some((name, arity)) => Some(format!("there is {name}/{arity}")),
                None => self
                    .suggest(ty.0, names.iter().copied())
                    .map(|near| format!("did you mean {near}()?")),
            };
            let span = self.module.span(use_of.text);
            let message = format!("there is no type {}/{}", ty.0, ty.1);
            let error = self.error(use_of.at, "undefined_type", message);
            error.help = help;
            error.span = span;
        }
        if self.switches.unused_type {
            self.check_unused_types(&uses);
        }
        let mut hidden: Vec<(NodeId, NameArity)> = self
            .types
            .iter()
            .filter(|(ty, info)| {
                info.which == TypeKind::Opaque && !self.exported_types.contains(ty)
            })
            .map(|(&ty, info)| (info.node, ty))
            .collect();
        hidden.sort();
        for (node, (name, arity)) in hidden {
            let message = format!("the opaque type {name}/{arity} is not exported");
            self.warning(node, "not_exported_opaque", message);
        }
    }

    fn check_unused_types(&mut self, uses: &[super::types::TypeUse]) {
        let mut by_type: FxHashMap<NameArity, Vec<NameArity>> = FxHashMap::default();
        let mut pending: Vec<NameArity> = Vec::new();
        for use_of in uses {
            match use_of.by {
                TypeUser::Type(by) => by_type.entry(by).or_default().push(use_of.ty),
                TypeUser::Export | TypeUser::Other => pending.push(use_of.ty),
            }
        }
        let mut reached: FxHashSet<NameArity> = FxHashSet::default();
        while let Some(ty) = pending.pop() {
            if reached.insert(ty) {
                pending.extend(by_type.get(&ty).into_iter().flatten());
            }
        }
        let mut unused: Vec<(NodeId, NameArity)> = self
            .types
            .iter()
            .filter(|(ty, info)| info.in_first_file && !reached.contains(ty))
            .map(|(&ty, info)| (info.node, ty))
            .collect();
        unused.sort();
        for (node, (name, arity)) in unused {
            let message = format!("the type {name}/{arity} is never used");
            self.warning(node, "unused_type", message);
        }
    }

    /// Only native records of this module can be exported, which is a use of them.
    fn check_exported_records(&mut self) {
        for (name, at) in std::mem::take(&mut self.exported_records) {
            match self.records.get(&name) {
                Some(info) if info.native => {
                    self.usage.records.insert(name);
                }
                Some(_) => {
                    let message = format!("{name} is a tuple: only native records can be exported");
                    self.error(at, "tuple_record_export", message);
                }
                None => self.undefined_record(at, name),
            }
        }
    }

    fn check_records(&mut self) {
        self.check_exported_records();
        let mut records: Vec<(NodeId, Atom, bool, bool)> = self
            .records
            .iter()
            .map(|(&name, info)| {
                let unused = info.in_first_file && !self.usage.records.contains(&name);
                let untyped = !info.fields.is_empty() && !info.all_typed;
                (info.node, name, unused, untyped)
            })
            .collect();
        records.sort();
        if self.switches.unused_record {
            self.check_nowarn_unused_record(&mut records);
        }
        for (node, name, unused, untyped) in records {
            if unused && self.switches.unused_record {
                let message = format!("the record {name} is never used");
                self.warning(node, "unused_record", message);
            }
            if untyped && self.switches.untyped_record {
                let message = format!("the record {name} has fields without a type");
                self.warning(node, "untyped_record", message);
            }
        }
    }

    /// `-compile({nowarn_unused_record, Names})` counts as a use.
    fn check_nowarn_unused_record(&mut self, records: &mut [(NodeId, Atom, bool, bool)]) {
        let attributes = std::mem::take(&mut self.switches.attributes);
        for (form, value) in &attributes {
            for option in value.flatten() {
                let Some((tag, names)) = option.as_pair() else { continue };
                if tag.as_str() != "nowarn_unused_record" {
                    continue;
                }
                for name in names.flatten() {
                    match name.as_atom() {
                        Some(name) if self.records.contains_key(&name) => {
                            for record in records.iter_mut().filter(|record| record.1 == name) {
                                record.2 = false;
                            }
                        }
                        _ => {
                            let message = format!("there is no record {name}");
                            self.error(*form, "undefined_record", message);
                        }
                    }
                }
            }
        }
        self.switches.attributes = attributes;
    }

    fn check_on_load(&mut self) {
        if let [(function, form)] = self.on_load[..]
            && function.1 == 0
            && !self.is_defined(function)
        {
            let help = self.suggest_function(function);
            let message = format!("the function {}/0 to be run on load is not there", function.0);
            self.error(form, "undefined_on_load", message).help = help;
        }
    }

    fn check_dialyzer_attributes(&mut self) {
        for (form, value) in self.attributes("dialyzer") {
            for item in value.flatten() {
                let Term::Tuple(pair) = item else {
                    match item.as_atom() {
                        Some(option) => self.check_dialyzer_option(form, option, false),
                        None => self.bad_dialyzer_attribute(form, item),
                    }
                    continue;
                };
                let [options, functions] = &pair[..] else {
                    self.bad_dialyzer_attribute(form, item);
                    continue;
                };
                for option in options.flatten() {
                    for function in functions.flatten() {
                        match (option.as_atom(), function.as_name_arity()) {
                            (Some(option), Some(function)) => {
                                self.check_dialyzer_function(form, option, function);
                            }
                            _ => self.bad_dialyzer_attribute(form, item),
                        }
                    }
                }
            }
        }
    }

    fn bad_dialyzer_attribute(&mut self, form: NodeId, value: &Term) {
        let message = format!("-dialyzer does not take {value}");
        self.error(form, "bad_dialyzer_attribute", message);
    }

    fn check_dialyzer_function(&mut self, form: NodeId, option: Atom, function: NameArity) {
        if !is_dialyzer_option(option.as_str(), true) {
            self.check_dialyzer_option(form, option, true);
        } else if !self.defined.contains_key(&function) {
            let help = self.suggest_function(function);
            let (name, arity) = function;
            let message = format!("there is no function {name}/{arity}");
            self.error(form, "undefined_function", message).help = help;
        }
    }

    fn check_dialyzer_option(&mut self, form: NodeId, option: Atom, of_function: bool) {
        if !is_dialyzer_option(option.as_str(), of_function) {
            let message = format!("Dialyzer has no option {option}");
            self.error(form, "bad_dialyzer_option", message);
        }
    }

    fn check_callbacks(&mut self) {
        let mut missing: Vec<(NodeId, NameArity)> = self
            .optional_callbacks
            .iter()
            .filter(|(function, _)| !self.callbacks.contains_key(function))
            .map(|(&function, &form)| (form, function))
            .collect();
        missing.sort();
        for (form, (name, arity)) in missing {
            let message = format!("the optional callback {name}/{arity} is not declared");
            self.error(form, "undefined_callback", message).help =
                Some(format!("add -callback {name}(…) -> …."));
        }
        if !self.defined.contains_key(&(Atom::new("behaviour_info"), 1)) {
            return;
        }
        let mut declared: Vec<(NodeId, NameArity)> =
            self.callbacks.iter().map(|(&function, &form)| (form, function)).collect();
        declared.sort();
        for (form, (name, arity)) in declared {
            let message = format!(
                "the callback {name}/{arity} cannot be declared: behaviour_info/1 is defined"
            );
            self.error(form, "behaviour_info", message);
        }
    }

    fn check_nifs(&mut self) {
        let module = self.module;
        let mut first = None;
        let mut all: Vec<(NodeId, NodeId, Option<NameArity>)> = Vec::new();
        for &form in &module.forms {
            if let Kind::ExportAttribute { which: ExportKind::Nifs, names } = self.kind(form) {
                let names = module.list(names).iter();
                all.extend(names.map(|&node| (form, node, self.name_arity(node))));
            }
        }
        for (form, value) in self.attributes("nifs") {
            let functions = value.flatten().into_iter();
            all.extend(functions.map(|function| (form, form, function.as_name_arity())));
        }
        for (form, node, function) in all {
            first = first.or(Some(form));
            let Some(function) = function else { continue };
            if !self.defined.contains_key(&function) {
                let help = self.suggest_function(function);
                let message = format!("the NIF {}/{} is not defined", function.0, function.1);
                let error = self.error(form, "undefined_nif", message);
                error.span = module.span(node);
                error.help = help;
            }
        }
        if let (Some(form), false) = (first, self.calls_load_nif) {
            let message = "there are NIFs, but erlang:load_nif/2 is not called".into();
            self.warning(form, "no_load_nif", message);
        }
    }

    /// The compiler refuses to write `foo.beam` for a module named `bar`.
    fn check_file_name(&mut self) {
        if !self.options.check_file_name {
            return;
        }
        let Some(name) = self.module_name else { return };
        let Some(file) = self.module.files.first() else { return };
        let stem = file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if let Some(stem) = stem.filter(|stem| stem != name.as_str()) {
            let form = self
                .module
                .forms
                .iter()
                .copied()
                .find(|&form| matches!(self.kind(form), Kind::ModuleAttribute { .. }));
            if let Some(form) = form {
                self.report(
                    syntax::diagnostic::Severity::Error,
                    syntax::diagnostic::Origin::Compiler,
                    form,
                    "module_name",
                    format!("the module is called {name}, but its file {stem}"),
                );
            }
        }
    }
}

fn is_dialyzer_option(option: &str, of_function: bool) -> bool {
    of_function && option == "nowarn_function"
        || matches!(
            option,
            "no_return"
                | "no_unused"
                | "no_improper_lists"
                | "no_fun_app"
                | "no_match"
                | "no_opaque"
                | "no_fail_call"
                | "no_contracts"
                | "no_behaviours"
                | "no_undefined_callbacks"
                | "unmatched_returns"
                | "error_handling"
                | "race_conditions"
                | "no_missing_calls"
                | "specdiffs"
                | "overspecs"
                | "underspecs"
                | "unknown"
                | "no_underspecs"
                | "extra_return"
                | "no_extra_return"
                | "missing_return"
                | "no_missing_return"
                | "no_unknown"
        )
}
