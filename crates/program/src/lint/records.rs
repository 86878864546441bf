//! Records: definitions, and their uses in expressions, patterns and guards.
//!
//! Native records (OTP 29) are checked by what the reference manual of OTP 29 says: every field
//! gets a value where one is built, default values are constants; a field that the definition does
//! not have is an error only there, because values may be older than the definition. No OTP is
//! there to compare with, so the tags of errors about native records alone are ours.
//!
//! The default value of a field is checked where the record is defined, without variables. What it
//! calls counts as called where a record is built without that field; so each field remembers the
//! uses of its default value.

use atom::{Atom, known};
use rustc_hash::FxHashMap;
use syntax::ast::{ComprehensionKind, Kind, Module, NodeId, NodeList, RecordName};
use syntax::diagnostic::Severity;

use super::patterns::PatternVars;
use super::scope::Update;
use super::{Linter, Usage, types};

/// The release whose language a module is in: native records are of OTP 29.
pub(super) fn release(module: &Module, release: u32) -> u32 {
    if module.has_native_records { release.max(29) } else { release }
}

pub(super) struct RecordInfo {
    pub(super) node: NodeId,
    pub(super) native: bool,
    pub(super) fields: Vec<FieldInfo>,
    positions: FxHashMap<Atom, usize>,
    pub(super) in_first_file: bool,
    pub(super) all_typed: bool,
}

pub(super) struct FieldInfo {
    pub(super) name: Atom,
    /// Absent if nothing was written, or if there is an error in it.
    default: Option<NodeId>,
    /// Whether there is one, right or wrong.
    written: bool,
    usage: Option<Usage>,
}

impl Linter<'_> {
    pub(super) fn define_record(
        &mut self,
        form: NodeId,
        name: NodeId,
        fields: NodeList,
        native: bool,
    ) {
        let Some(name) = self.atom(name) else { return };
        if let Some(earlier) = self.records.get(&name) {
            let related = self.related("defined here first", earlier.node);
            let message = format!("the record {name} is already defined");
            self.error(form, "redefine_record", message).related.push(related);
            return;
        }
        let field_nodes = self.module.list(fields);
        let mut infos: Vec<FieldInfo> = Vec::new();
        let mut positions = FxHashMap::default();
        let mut field_types = Vec::new();
        let mut all_typed = true;
        for &field in field_nodes {
            let Kind::RecordFieldDef { name: field_name, default, ty } = self.kind(field) else {
                continue;
            };
            field_types.extend(ty);
            all_typed &= ty.is_some();
            let Some(field_name) = self.atom(field_name) else { continue };
            if positions.contains_key(&field_name) {
                self.repeated_field(field, name, field_name);
                continue;
            }
            positions.insert(field_name, infos.len());
            infos.push(self.field_info(field_name, default));
            if native && let Some(value) = default {
                self.check_native_default(value, name, field_name);
            }
        }
        let info = RecordInfo {
            node: form,
            native,
            fields: infos,
            positions,
            in_first_file: self.in_first_file,
            all_typed,
        };
        self.records.insert(name, info);
        self.type_user = types::TypeUser::Other;
        self.check_types_together(&field_types);
    }

    fn field_info(&mut self, name: Atom, default: Option<NodeId>) -> FieldInfo {
        let written = default.is_some();
        let none = FieldInfo { name, default: None, written, usage: None };
        let Some(value) = default else { return none };
        let errors = self.errors;
        let usage = std::mem::take(&mut self.usage);
        self.in_record_definition = true;
        self.expr_updates(value);
        self.in_record_definition = false;
        let own = std::mem::replace(&mut self.usage, usage);
        if self.errors > errors {
            return none;
        }
        let idle = own.calls.is_empty() && own.imports.is_empty() && own.records.is_empty();
        FieldInfo { default: Some(value), usage: (!idle).then_some(own), ..none }
    }

    pub(super) fn repeated_field(&mut self, at: NodeId, record: Atom, field: Atom) {
        let message = format!("the field {field} of the record {record} is given twice");
        self.error(at, "redefine_field", message);
    }

    /// The default value of a native record's field is computed when the module is compiled.
    fn check_native_default(&mut self, value: NodeId, record: Atom, field: Atom) {
        let mut constant = true;
        self.module.for_each_below(value, |id| {
            constant &= !matches!(
                self.module.kind(id),
                Kind::Var(_)
                    | Kind::Call { .. }
                    | Kind::Record { .. }
                    | Kind::RecordAccess { .. }
                    | Kind::RecordIndex { .. }
            );
        });
        if !(constant && self.is_guard_expr(value)) {
            let message =
                format!("the default of {field} in the native record {record} must be a constant");
            self.error(value, "illegal_native_default", message);
        }
    }

    fn is_native(&self, record: Atom) -> bool {
        self.records.get(&record).is_some_and(|info| info.native)
    }

    /// Every field of a native record needs a value.
    fn check_native_values(&mut self, at: NodeId, record: Atom, fields: NodeList) {
        for index in self.omitted(record, fields) {
            let Some(info) = self.records.get(&record) else { return };
            let field = &info.fields[index];
            if !field.written {
                let name = field.name;
                let related = self.related("the record is defined here", info.node);
                let message =
                    format!("the field {name} of the native record {record} is given no value");
                self.error(at, "uninitialized_field", message).related.push(related);
            }
        }
    }

    /// What only tuples can do.
    fn check_tuple_record(&mut self, at: NodeId, record: Atom, what: &str) {
        if self.is_native(record) {
            let message = format!("{what} works for tuple records only, and {record} is native");
            self.error(at, "native_record", message);
        }
    }

    /// Where a field of a native record is looked for, the value may be older than the definition.
    fn unknown_field(&mut self, at: NodeId, record: Atom, field: Atom) {
        let errors = self.errors;
        self.undefined_field(at, record, field);
        if self.is_native(record)
            && let Some(found) = self.found.last_mut()
        {
            found.severity = Severity::Warning;
            self.errors = errors;
        }
    }

    fn undefined_field(&mut self, at: NodeId, record: Atom, field: Atom) {
        let names: Vec<Atom> = self
            .records
            .get(&record)
            .map(|info| info.fields.iter().map(|field| field.name).collect())
            .unwrap_or_default();
        let help = match self.suggest(field, names.iter().copied()) {
            Some(near) => Some(format!("did you mean {near}?")),
            None if names.is_empty() || names.len() > 12 => None,
            None => {
                let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                Some(format!("its fields are {}", names.join(", ")))
            }
        };
        let related = self
            .records
            .get(&record)
            .map(|info| self.related("the record is defined here", info.node));
        let message = format!("the record {record} has no field {field}");
        let error = self.error(at, "undefined_field", message);
        error.help = help;
        error.related.extend(related);
    }

    /// Notes the use of a record; `false`, and an error, if there is no such record.
    fn use_record(&mut self, at: NodeId, name: Atom) -> bool {
        if self.records.contains_key(&name) {
            self.usage.records.insert(name);
            return true;
        }
        if self.imported_records.contains(&name) {
            return false;
        }
        self.undefined_record(at, name);
        false
    }

    pub(super) fn undefined_record(&mut self, at: NodeId, name: Atom) {
        let mut names: Vec<Atom> = self.records.keys().copied().collect();
        names.sort();
        let near = self.suggest(name, names);
        self.error(at, "undefined_record", format!("there is no record {name}")).help =
            near.map(|near| format!("did you mean {near}?"));
    }

    /// A record's name as an argument of `is_record` or `record_info`.
    pub(super) fn use_record_name(&mut self, at: NodeId, record: NodeId) {
        if let Some(name) = self.atom(record) {
            self.use_record(at, name);
        }
    }

    /// The name in `record_info`.
    pub(super) fn use_tuple_record_name(&mut self, at: NodeId, record: NodeId) {
        self.use_record_name(at, record);
        if let Some(name) = self.atom(record) {
            self.check_tuple_record(at, name, "record_info");
        }
    }

    fn has_field(&self, record: Atom, field: Atom) -> bool {
        self.records.get(&record).is_some_and(|info| info.positions.contains_key(&field))
    }

    pub(super) fn check_field_name(&mut self, record: Atom, field: NodeId) {
        if let Some(name) = self.atom(field)
            && !self.has_field(record, name)
        {
            self.unknown_field(field, record, name);
        }
    }

    /// Checks the names of fields in a record expression or pattern, and calls `value` for the
    /// values of those that are right. Returns whether all were.
    fn check_fields<V>(
        &mut self,
        record: Option<Atom>,
        fields: NodeList,
        built: bool,
        vars: &mut V,
        mut value: impl FnMut(&mut Self, NodeId, &mut V),
        mut refused: impl FnMut(&mut V),
    ) {
        let mut seen: Vec<Atom> = Vec::new();
        for &field in self.module.list(fields) {
            let Kind::RecordField { name: name_node, value: value_node } = self.kind(field) else {
                continue;
            };
            let good = match (self.kind(name_node), record) {
                (Kind::Atom(name), Some(record)) => {
                    if seen.contains(&name) {
                        self.repeated_field(field, record, name);
                        false
                    } else {
                        seen.push(name);
                        let known = self.has_field(record, name);
                        match known {
                            true => {}
                            false if built => self.undefined_field(name_node, record, name),
                            false => self.unknown_field(name_node, record, name),
                        }
                        known || !built && self.is_native(record)
                    }
                }
                (Kind::Var(known::UNDERSCORE), None) => {
                    let message = "_ stands for fields of tuple records only".into();
                    self.error(name_node, "native_record", message);
                    false
                }
                (Kind::Var(known::UNDERSCORE), Some(record)) => {
                    self.check_tuple_record(name_node, record, "_ for fields");
                    let repeated = seen.contains(&known::UNDERSCORE);
                    if repeated {
                        self.no_omitted_fields(name_node);
                    }
                    seen.push(known::UNDERSCORE);
                    !repeated
                }
                (Kind::Var(name), Some(record)) => {
                    let message = format!(
                        "a field of the record {record} cannot be named by the variable {name}"
                    );
                    self.error(name_node, "field_name_is_variable", message);
                    false
                }
                // A native record of another module: its fields are not known here.
                _ => true,
            };
            if good {
                value(self, value_node, vars);
            } else {
                refused(vars);
            }
        }
    }

    fn no_omitted_fields(&mut self, at: NodeId) {
        self.error(at, "bad_multi_field_init", "_ stands for no field here".into());
    }

    fn wildcard(&self, fields: NodeList) -> Option<NodeId> {
        self.module.list(fields).iter().find_map(|&field| match self.kind(field) {
            Kind::RecordField { name, .. } if self.kind(name) == Kind::Var(known::UNDERSCORE) => {
                Some(name)
            }
            _ => None,
        })
    }

    /// The fields of a record that are not given.
    fn omitted(&self, record: Atom, fields: NodeList) -> Vec<usize> {
        let Some(info) = self.records.get(&record) else { return Vec::new() };
        let mut given = vec![false; info.fields.len()];
        for &field in self.module.list(fields) {
            if let Kind::RecordField { name, .. } = self.kind(field) {
                let position = self.atom(name).and_then(|name| info.positions.get(&name));
                if let Some(&position) = position {
                    given[position] = true;
                }
            }
        }
        (0..given.len()).filter(|&index| !given[index]).collect()
    }

    /// The record's name if it is one of this module; reports it if it is not there at all.
    /// `None` if nothing can be said about its fields.
    fn known_record(&mut self, at: NodeId, name: RecordName) -> Option<Option<Atom>> {
        match self.record_name(name) {
            None => Some(None),
            Some(name) if self.use_record(at, name) => Some(Some(name)),
            Some(name) if self.imported_records.contains(&name) => Some(None),
            Some(_) => None,
        }
    }

    pub(super) fn record_expr(&mut self, id: NodeId, out: &mut Vec<Update>) {
        match self.kind(id) {
            Kind::RecordIndex { name, field } => {
                self.record_index(id, name, field);
            }
            Kind::RecordAccess { base, name, field } => {
                self.check_record_base(id, base);
                self.expr(base, out);
                if let Some(Some(record)) = self.known_record(id, name) {
                    self.check_field_name(record, field);
                }
            }
            Kind::Record { base: None, name, fields } => {
                let Some(record) = self.known_record(id, name) else { return };
                self.check_fields(record, fields, true, out, |l, id, out| l.expr(id, out), |_| {});
                if let Some(record) = record {
                    if self.is_native(record) {
                        self.check_native_values(id, record, fields);
                    }
                    self.use_defaults(record, fields);
                }
            }
            Kind::Record { base: Some(base), name, fields } => {
                self.check_record_base(id, base);
                let mut updates = Vec::new();
                self.expr(base, &mut updates);
                if let Some(record) = self.known_record(id, name) {
                    let value = |l: &mut Self, id, out: &mut Vec<Update>| l.expr(id, out);
                    self.check_fields(record, fields, false, &mut updates, value, |_| {});
                }
                match (self.wildcard(fields), self.record_name(name)) {
                    (Some(wildcard), Some(name)) => {
                        let message = format!("_ means nothing in an update of the record {name}");
                        self.error(wildcard, "wildcard_in_update", message);
                    }
                    _ => out.extend(updates),
                }
            }
            _ => {}
        }
    }

    /// A record built without some fields does what their default values do.
    fn use_defaults(&mut self, record: Atom, fields: NodeList) {
        let Some(info) = self.records.get(&record) else { return };
        if info.fields.iter().all(|field| field.usage.is_none()) {
            return;
        }
        let function = self.function;
        for index in self.omitted(record, fields) {
            let usage = self.records.get(&record).and_then(|info| info.fields[index].usage.clone());
            let Some(usage) = usage else { continue };
            self.usage.calls.extend(usage.calls.iter().map(|&(_, called)| (function, called)));
            self.usage.imports.extend(&usage.imports);
            self.usage.records.extend(&usage.records);
        }
    }

    fn check_record_base(&mut self, id: NodeId, base: NodeId) {
        let never = match self.kind(base) {
            Kind::Char(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Atom(_)
            | Kind::String(_)
            | Kind::List { .. }
            | Kind::Nil
            | Kind::RecordIndex { .. }
            | Kind::Fun { .. }
            | Kind::FunName { .. }
            | Kind::FunRemote { .. } => true,
            Kind::Comprehension { which, .. } => which == ComprehensionKind::List,
            _ => false,
        };
        if never {
            self.warning(id, "invalid_record", "this can never be a record".into());
        }
    }

    /// `#name.field`
    fn record_index(&mut self, id: NodeId, name: RecordName, field: NodeId) {
        if let Some(Some(record)) = self.known_record(id, name) {
            self.check_tuple_record(id, record, "the position of a field");
            self.check_field_name(record, field);
        }
    }

    pub(super) fn record_pattern(&mut self, id: NodeId, vars: &mut PatternVars) {
        match self.kind(id) {
            Kind::RecordIndex { name, field } => self.record_index(id, name, field),
            Kind::Record { name, fields, .. } => {
                let Some(record) = self.known_record(id, name) else { return };
                if let (Some(wildcard), Some(record)) = (self.wildcard(fields), record)
                    && self.omitted(record, fields).is_empty()
                {
                    self.no_omitted_fields(wildcard);
                }
                let start = vars.new.len();
                self.check_fields(
                    record,
                    fields,
                    false,
                    vars,
                    |linter, id, vars| linter.pattern(id, vars),
                    // As in OTP, a wrong field hides what the fields before it bound.
                    |vars| vars.new.truncate(start),
                );
            }
            _ => {}
        }
    }

    /// The values in a record pattern, each with the position of its field.
    pub(super) fn fields_by_position(
        &self,
        name: RecordName,
        fields: NodeList,
    ) -> Vec<(usize, NodeId)> {
        let info = self.record_name(name).and_then(|name| self.records.get(&name));
        let Some(info) = info else { return Vec::new() };
        let fields = self.module.list(fields).iter();
        fields
            .filter_map(|&field| match self.kind(field) {
                Kind::RecordField { name, value } => {
                    Some((*info.positions.get(&self.atom(name)?)?, value))
                }
                _ => None,
            })
            .collect()
    }

    pub(super) fn guard_record(&mut self, id: NodeId, out: &mut Vec<Update>) {
        match self.kind(id) {
            Kind::RecordIndex { name, field } => self.record_index(id, name, field),
            Kind::RecordAccess { base, name, field } => {
                self.guard_expr(base, out);
                if let Some(Some(record)) = self.known_record(id, name) {
                    self.check_field_name(record, field);
                }
            }
            Kind::Record { name, fields, .. } => {
                let Some(record) = self.known_record(id, name) else { return };
                let value = |l: &mut Self, id, out: &mut Vec<Update>| l.guard_expr(id, out);
                self.check_fields(record, fields, true, out, value, |_| {});
                let native = record.is_none_or(|record| self.is_native(record));
                let (Some(record), false) = (record, native) else {
                    return self.illegal_guard(id);
                };
                // Default values must be fit for a guard too; the fault is in the guard.
                let outermost = self.report_at.is_none();
                if outermost {
                    self.report_at = Some(id);
                }
                for index in self.omitted(record, fields) {
                    let default =
                        self.records.get(&record).and_then(|info| info.fields[index].default);
                    if let Some(default) = default {
                        self.guard_expr(default, &mut Vec::new());
                    }
                }
                if outermost {
                    self.report_at = None;
                }
            }
            _ => {}
        }
    }

    /// Whether a record with these fields can be built in a guard.
    pub(super) fn is_guard_record(&self, name: RecordName, fields: NodeList) -> bool {
        let given = self.module.list(fields).iter().all(|&field| match self.kind(field) {
            Kind::RecordField { value, .. } => self.is_guard_expr(value),
            _ => false,
        });
        // Native records cannot be built in guards.
        let Some(record) = self.record_name(name).filter(|name| !self.is_native(*name)) else {
            return false;
        };
        given
            && self.records.get(&record).is_none_or(|info| {
                self.omitted(record, fields).into_iter().all(|index| {
                    info.fields[index].default.is_none_or(|default| self.is_guard_expr(default))
                })
            })
    }
}
