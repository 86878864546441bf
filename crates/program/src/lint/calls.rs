//! Calls: local, imported, automatically imported and remote functions.

use atom::{Atom, known};
use syntax::ast::{ComprehensionKind, Kind, NodeId, NodeList};

use super::scope::Update;
use super::{Linter, NameArity, tables};

impl Linter<'_> {
    pub(super) fn call(
        &mut self,
        id: NodeId,
        callee: NodeId,
        args: NodeList,
        out: &mut Vec<Update>,
    ) {
        let args = self.module.list(args);
        match self.kind(callee) {
            Kind::Atom(name) => self.local_call(id, callee, name, args, out),
            Kind::Remote { module, name } => match (self.atom(module), self.atom(name)) {
                (Some(known::ERLANG), Some(function))
                    if function.as_str() == "is_record" && args.len() == 2 =>
                {
                    self.is_record(id, callee, function, args, out);
                }
                (Some(module), Some(function))
                    if self.match_spec_call(module, function, args, out) => {}
                (Some(module), Some(function)) => {
                    if self.switches.keywords {
                        self.check_keyword(name, function);
                    }
                    self.remote_call(id, module, function, args);
                    self.check_module_name(module, id);
                    self.exprs(args, out);
                }
                (module_name, _) => {
                    if let Some(module_name) = module_name {
                        self.check_module_name(module_name, module);
                    }
                    self.expr(module, out);
                    self.expr(name, out);
                    self.exprs(args, out);
                }
            },
            _ => {
                if self.is_never_a_fun(callee) {
                    self.warning(id, "invalid_call", "this can never be called".into());
                }
                self.expr(callee, out);
                self.exprs(args, out);
            }
        }
    }

    fn is_never_a_fun(&self, id: NodeId) -> bool {
        match self.kind(id) {
            Kind::Char(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::String(_)
            | Kind::List { .. }
            | Kind::Nil
            | Kind::RecordIndex { .. } => true,
            Kind::Comprehension { which, .. } => which == ComprehensionKind::List,
            Kind::Tuple { elements } => elements.len != 2,
            _ => false,
        }
    }

    fn is_record(
        &mut self,
        id: NodeId,
        callee: NodeId,
        name: Atom,
        args: &[NodeId],
        out: &mut Vec<Update>,
    ) {
        match *args {
            [value, record] if self.atom(record).is_some() => {
                self.expr(value, out);
                self.use_record_name(record, record);
            }
            _ => self.plain_local_call(id, callee, name, args, out),
        }
    }

    fn local_call(
        &mut self,
        id: NodeId,
        callee: NodeId,
        name: Atom,
        args: &[NodeId],
        out: &mut Vec<Update>,
    ) {
        if name.as_str() == "is_record" {
            self.is_record(id, callee, name, args, out);
        } else {
            self.plain_local_call(id, callee, name, args, out);
        }
    }

    fn plain_local_call(
        &mut self,
        id: NodeId,
        callee: NodeId,
        name: Atom,
        args: &[NodeId],
        out: &mut Vec<Update>,
    ) {
        if self.switches.keywords {
            self.check_keyword(callee, name);
        }
        self.exprs(args, out);
        let function = (name, args.len() as u32);
        let automatic = tables::is_auto_imported_in(function, self.release);
        let suppressed = self.switches.no_auto_import(function);
        let imported = self.imports.get(&function).copied();
        let local = self.locals.contains_key(&function);
        if !local && imported.is_none() && automatic && !suppressed {
            self.check_deprecated_function(id, known::ERLANG, name, args.len() as u32);
            return;
        }
        if let Some((from, _)) = imported {
            self.remote_call(id, from, name, args);
            self.usage.imports.insert((function, from));
            return;
        }
        if name == known::RECORD_INFO && args.len() == 2 {
            self.record_info(id, callee, args);
            return;
        }
        if automatic && !suppressed {
            self.check_hidden_function(id, function);
        }
        if self.function != Some(function) {
            self.call_function(id, function);
        }
    }

    /// A call of a function that has the name of an automatically imported one.
    fn check_hidden_function(&mut self, id: NodeId, function: NameArity) {
        let (name, arity) = function;
        if !self.switches.bif_clash || self.switches.nowarn_bif_clash.contains(&function) {
            return;
        }
        let message = format!(
            "{name}/{arity} is a function of this module and an automatically imported one"
        );
        let report = if tables::is_old_auto_imported(function) {
            self.error(id, "call_to_redefined_old_bif", message)
        } else {
            self.warning(id, "call_to_redefined_bif", message)
        };
        report.help = Some(format!(
            "write erlang:{name}(…), or add -compile({{no_auto_import,[{name}/{arity}]}})"
        ));
    }

    /// `record_info(fields, name)` and `record_info(size, name)`, which the compiler computes.
    fn record_info(&mut self, id: NodeId, callee: NodeId, args: &[NodeId]) {
        let [what, record] = *args else { return };
        match (self.atom(what), self.atom(record)) {
            (Some(info), Some(_)) if matches!(info.as_str(), "fields" | "size") => {
                self.use_tuple_record_name(callee, record);
            }
            (Some(_), Some(_)) => {
                let message = "record_info knows of 'fields' and 'size' only".into();
                self.error(what, "illegal_record_info", message);
            }
            _ => {
                let message = "record_info/2 takes constant atoms".into();
                self.error(id, "illegal_record_info", message);
            }
        }
    }

    /// Checks a call of a known function of another module.
    fn remote_call(&mut self, id: NodeId, module: Atom, name: Atom, args: &[NodeId]) {
        self.check_deprecated_function(id, module, name, args.len() as u32);
        match (module.as_str(), name.as_str()) {
            ("qlc", "q") => self.check_qlc(id, args),
            ("erlang", "load_nif") if args.len() == 2 => {
                self.calls_load_nif = true;
                if self.switches.nif_inline && self.switches.inline {
                    let message = "with inlining, calls of NIFs may run their Erlang code".into();
                    self.warning(id, "nif_inline", message);
                }
            }
            ("io" | "io_lib", "format" | "fwrite") => self.check_format(id, args),
            _ => {}
        }
    }

    fn check_qlc(&mut self, id: NodeId, args: &[NodeId]) {
        let Some(&first) = args.first() else { return };
        let comprehension =
            matches!(self.kind(first), Kind::Comprehension { which: ComprehensionKind::List, .. });
        if comprehension && args.len() < 3 && !self.includes_qlc {
            let message = "qlc:q needs the header qlc.hrl".into();
            self.warning(id, "missing_qlc_hrl", message).help =
                Some("add -include_lib(\"stdlib/include/qlc.hrl\").".into());
        }
    }
}
