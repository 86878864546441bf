//! Which warnings are wanted: compiler options from `-compile` attributes and from the caller.
//!
//! As in `erlc`, the caller's options come after those of the module, and of two options that
//! contradict each other the last counts.

use atom::{Atom, known};
use rustc_hash::FxHashSet;
use syntax::ast::{Kind, Module, NodeId};

use super::term::Term;
use super::{LintOptions, NameArity, own};

pub(super) struct Switches {
    pub(super) unused_vars: bool,
    pub(super) underscore_match: bool,
    pub(super) export_all_warning: bool,
    pub(super) export_vars: bool,
    pub(super) shadow_vars: bool,
    pub(super) unused_import: bool,
    pub(super) unused_function: bool,
    pub(super) unused_type: bool,
    pub(super) bif_clash: bool,
    pub(super) unused_record: bool,
    pub(super) deprecated_function: bool,
    pub(super) obsolete_guard: bool,
    pub(super) untyped_record: bool,
    pub(super) missing_spec: bool,
    pub(super) missing_spec_all: bool,
    pub(super) removed: bool,
    pub(super) nif_inline: bool,
    pub(super) keywords: bool,
    /// How much to say about format strings; 0 is nothing.
    pub(super) format: u32,

    pub(super) export_all: bool,
    pub(super) inline: bool,
    pub(super) no_auto_import_types: bool,
    pub(super) warnings_as_errors: bool,
    /// `no_auto_import` without a list: for all functions.
    no_auto_import_all: bool,
    no_auto_import: FxHashSet<NameArity>,
    pub(super) nowarn_bif_clash: FxHashSet<NameArity>,
    pub(super) nowarn_unused_function: FxHashSet<NameArity>,
    pub(super) nowarn_deprecated: FxHashSet<(Atom, Atom, u32)>,
    pub(super) nowarn_removed: FxHashSet<(Atom, Atom, u32)>,
    pub(super) nowarn_removed_modules: FxHashSet<Atom>,
    /// Kinds of warnings of later passes that are not wanted.
    pub(super) nowarn_late: Vec<&'static str>,
    /// Which lints of our own are wanted.
    pub(super) own: Vec<&'static str>,
    /// The `-compile` attributes, each with its options.
    pub(super) attributes: Vec<(NodeId, Term)>,
}

impl Switches {
    pub(super) fn new(module: &Module, options: &LintOptions) -> Switches {
        let mut attributes = Vec::new();
        for &form in &module.forms {
            if let Kind::Attribute { name: known::COMPILE, values } = module.kind(form)
                && let [value] = module.list(values)
            {
                attributes.push((form, Term::of(module, *value)));
            }
        }
        let all: Vec<&Term> = attributes
            .iter()
            .flat_map(|(_, value)| value.flatten())
            .chain(options.compile.iter().flat_map(Term::flatten))
            .collect();
        let switch = |name: &str, default: bool| {
            let (on, off) = (format!("warn_{name}"), format!("nowarn_{name}"));
            all.iter().fold(default, |value, option| match option {
                Term::Atom(atom) if atom.as_str() == on => true,
                Term::Atom(atom) if atom.as_str() == off => false,
                _ => value,
            })
        };
        let given = |name: &str| all.iter().any(|option| option.is(name));
        let listed = |name: &str| {
            all.iter()
                .filter_map(|option| option.as_pair())
                .filter(|(tag, _)| tag.as_str() == name)
                .flat_map(|(_, value)| value.flatten())
                .collect::<Vec<&Term>>()
        };
        let functions =
            |name: &str| listed(name).iter().filter_map(|t| t.as_name_arity()).collect();
        let remote = |name: &str| listed(name).iter().filter_map(|t| as_mfa(t)).collect();
        let mut switches = Switches {
            unused_vars: switch("unused_vars", true),
            underscore_match: switch("underscore_match", true),
            export_all_warning: switch("export_all", true),
            export_vars: switch("export_vars", false),
            shadow_vars: switch("shadow_vars", true),
            unused_import: switch("unused_import", false),
            unused_function: switch("unused_function", true),
            unused_type: switch("unused_type", true),
            bif_clash: switch("bif_clash", true),
            unused_record: switch("unused_record", true),
            deprecated_function: switch("deprecated_function", true),
            obsolete_guard: switch("obsolete_guard", true),
            untyped_record: switch("untyped_record", false),
            missing_spec: switch("missing_spec", false),
            missing_spec_all: switch("missing_spec_all", false),
            removed: switch("removed", true),
            nif_inline: switch("nif_inline", true),
            keywords: switch("keywords", false),
            format: format_level(&all),
            export_all: given("export_all"),
            inline: given("inline")
                || all.iter().any(|option| {
                    option.as_pair().is_some_and(|(tag, value)| {
                        tag.as_str() == "inline"
                            && matches!(value, Term::List(items) if !items.is_empty())
                    })
                }),
            no_auto_import_types: given("no_auto_import_types"),
            warnings_as_errors: given("warnings_as_errors"),
            no_auto_import_all: given("no_auto_import"),
            no_auto_import: functions("no_auto_import"),
            nowarn_bif_clash: functions("nowarn_bif_clash"),
            nowarn_unused_function: functions("nowarn_unused_function"),
            nowarn_deprecated: remote("nowarn_deprecated_function"),
            nowarn_removed: remote("nowarn_removed"),
            nowarn_removed_modules: listed("nowarn_removed")
                .iter()
                .filter_map(|term| term.as_atom())
                .collect(),
            nowarn_late: ["failed", "ignored", "nomatch"]
                .into_iter()
                .filter(|kind| given("nowarn_opportunistic") || given(&format!("nowarn_{kind}")))
                .collect(),
            own: own::wanted(&all),
            attributes: Vec::new(),
        };
        switches.attributes = attributes;
        switches
    }

    /// Whether the automatic import of a function is switched off.
    pub(super) fn no_auto_import(&self, function: NameArity) -> bool {
        self.no_auto_import_all || self.no_auto_import.contains(&function)
    }
}

fn format_level(options: &[&Term]) -> u32 {
    options.iter().fold(1, |level, option| match option {
        Term::Atom(atom) if atom.as_str() == "warn_format" => 1,
        Term::Atom(atom) if atom.as_str() == "nowarn_format" => 0,
        other => match other.as_pair() {
            Some((tag, value)) if tag.as_str() == "warn_format" => value.as_arity().unwrap_or(1),
            _ => level,
        },
    })
}

fn as_mfa(term: &Term) -> Option<(Atom, Atom, u32)> {
    match term {
        Term::Tuple(items) => match &items[..] {
            [module, name, arity] => Some((module.as_atom()?, name.as_atom()?, arity.as_arity()?)),
            _ => None,
        },
        _ => None,
    }
}
