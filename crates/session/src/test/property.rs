//! Properties: what is told of them, and the witness of one that fails.

use std::fmt::Write as _;
use std::path::Path;

use ::trace::schedule::Witness;
use machine::Term;
use runner::testing::{Case, Drawn, Property, TestModule, Verdict};
use syntax::ast::Kind;
use syntax::wording::counted;
use term::View;

use super::assertion::as_written;
use super::{CaseAnswer, CaseResult, Delivery, PropertyAnswer, Request, Tester, Value, WithTests};
use crate::Error;
use crate::reading::or_here;
use crate::run::shown;

impl WithTests {
    /// Adds what is known of a property.
    pub(super) fn tell_property(&self, told: &mut CaseAnswer, case: &Case, property: &Property) {
        let values = |all: &[Drawn]| -> Vec<Value> {
            let value = |Drawn { name, value, text }: &Drawn| {
                let name = (!name.is_empty()).then(|| as_written(name));
                Value { name, value: text.clone().unwrap_or_else(|| shown(value)) }
            };
            all.iter().map(value).collect()
        };
        if let Verdict::Failed { reason, .. } = &case.verdict {
            let is_exception = !is_tagged(reason, "property_failed");
            let explained = told.reason.take().filter(|_| is_exception);
            told.reason = Some(why(reason, property, explained));
            if !is_exception {
                told.exception = None;
            }
            if told.source.is_none() {
                self.show_function(told, case);
            }
        }
        told.property = Some(PropertyAnswer {
            tests: property.tests,
            rejected: property.rejected,
            shrinks: property.shrinks,
            minimal: property.is_minimal,
            counterexample: values(&property.values),
            first: values(&property.first),
            input: property.source.clone(),
            statistics: property.statistics.trim().to_owned(),
            witness: None,
            explored: None,
        });
    }

    /// Where a property is written.
    fn show_function(&self, told: &mut CaseAnswer, case: &Case) {
        let Some(Ok(found)) = self.program.sources.module(case.module) else { return };
        let tree = &found.tree;
        let line = tree.forms.iter().find_map(|&form| match tree.kind(form) {
            Kind::Function { name, arity: 0, .. } if name.as_str() == case.function => {
                Some(tree.loc(form).line)
            }
            _ => None,
        });
        if let Some(line) = line {
            self.show_line(told, case.module, line);
        }
    }
}

fn is_tagged(reason: &Term, tag: &str) -> bool {
    matches!(reason.view(), View::Tuple([first, ..]) if first.is_atom(atom::Atom::new(tag)))
}

/// Why a property failed, in words.
fn why(reason: &Term, property: &Property, explained: Option<String>) -> String {
    let after = match property.tests {
        Some(tests) => format!(" after {}", counted(tests, "test")),
        None => String::new(),
    };
    let shrinks = match property.shrinks {
        0 => String::new(),
        1 => ", made smaller once".to_owned(),
        n => format!(", made smaller {n} times"),
    };
    match (reason.view(), explained) {
        (View::Tuple([_, error]), _) if is_tagged(reason, "property_error") => error_text(error),
        (View::Tuple([_, why]), None) if why.is_atom(atom::Atom::new("no_counterexample")) => {
            let tests = counted(property.tests.unwrap_or(0), "test");
            format!("it was meant to fail, and holds in {tests}")
        }
        (View::Tuple([_, why]), None) => format!("{}{after}{shrinks}", failure_text(why)),
        (_, Some(explained)) if property.tests.is_some() => {
            format!("fails{after}{shrinks}\n{explained}")
        }
        (_, explained) => explained.unwrap_or_default(),
    }
}

/// Why a test of a property failed.
fn failure_text(why: &Term) -> String {
    let name = |term: &Term| term.as_atom().map(|atom| atom.to_string()).unwrap_or_default();
    match why.view() {
        View::Tuple([tag, milliseconds]) if name(tag) == "timeout" => {
            format!("takes longer than {} ms", shown(milliseconds))
        }
        View::Tuple([tag, failed]) if name(tag) == "conjunction" => {
            let mut text = String::new();
            for part in failed.to_vec().unwrap_or_default() {
                let Some([part, why]) = part.as_tuple() else { continue };
                let separator = if text.is_empty() { "" } else { "; " };
                let _ = write!(text, "{separator}{}: {}", shown(part), failure_text(why));
            }
            text
        }
        View::Tuple([tag, class, reason, _]) if name(tag) == "exception" => {
            format!("exception {}: {}", shown(class), shown(reason))
        }
        View::Tuple([tag, why]) if name(tag) == "unstable" => {
            format!("{}, but not each time it is run", failure_text(why))
        }
        _ => match name(why).as_str() {
            "false" => "false".to_owned(),
            _ => shown(why),
        },
    }
}

/// Why a property could not be tested.
fn error_text(error: &Term) -> String {
    let arguments = match error.view() {
        View::Tuple([tag, about]) => Some((tag.as_atom().map(|tag| tag.to_string()), about)),
        _ => None,
    };
    match (error.as_atom().map(|atom| atom.to_string()).as_deref(), arguments) {
        (Some("cant_satisfy"), _) => {
            "no test meets the condition of its ?IMPLIES: make values that do".to_owned()
        }
        (Some("cant_generate"), _) => {
            "no value meets the condition of a ?SUCHTHAT: make values that do".to_owned()
        }
        (_, Some((Some(tag), about))) if tag == "non_boolean_result" => {
            format!("a property is true or false, not {}", shown(about))
        }
        (_, Some((Some(tag), about))) if tag == "cant_generate" => {
            format!("no value can be made: {}", undefined_text(about))
        }
        (_, Some((Some(tag), about))) if tag == "not_supported" => match about.view() {
            View::Tuple([module, function]) => {
                format!("{}:{} is not supported", shown(module), shown(function))
            }
            _ => format!("{} is not supported", shown(about)),
        },
        _ => shown(error),
    }
}

/// What there is no value of.
fn undefined_text(about: &Term) -> String {
    match about.view() {
        View::Tuple([tag, name]) if shown(tag) == "undefined_type" => match name.view() {
            View::Tuple([module, name, arity]) => {
                let (module, name, arity) = (shown(module), shown(name), shown(arity));
                format!("{module}:{name}/{arity} is neither a function nor a type")
            }
            _ => shown(about),
        },
        View::Tuple([tag, name]) if shown(tag) == "undefined_record" => {
            format!("there is no record {}", shown(name))
        }
        _ => shown(about),
    }
}

impl Tester<'_> {
    /// Writes the witness of a property that has failed, if that is wanted.
    pub(super) fn with_witness(
        &self,
        module: &TestModule,
        mut told: CaseAnswer,
    ) -> Result<CaseAnswer, Error> {
        let (Some(dir), Some(property)) = (&self.request.witnesses, &mut told.property) else {
            return Ok(told);
        };
        if told.result == CaseResult::Failed && property.tests.is_none_or(|tests| tests > 0) {
            let name = format!("{}:{}", module.name, told.function);
            let reason = told.reason.as_deref().unwrap_or_default();
            let finding = reason.lines().next().unwrap_or_default();
            let input = property.input.clone();
            let made =
                Witness { finding: finding.to_owned(), ..witness(self.request, &name, input) };
            property.witness = Some(write(dir, &name, &made)?);
        }
        Ok(told)
    }
}

/// How a property is run again: with the values that it does not hold for, or all of its tests.
fn witness(request: &Request, name: &str, input: Option<String>) -> Witness {
    Witness {
        test: Some(name.to_owned()),
        seed: request.running.seed,
        any_delivery: request.delivery == Delivery::Any,
        contracts: request.running.checked(),
        runs: request.runs,
        input,
        ..Witness::of(&or_here(&request.paths))
    }
}

pub(super) fn write(dir: &Path, name: &str, witness: &Witness) -> Result<String, Error> {
    std::fs::create_dir_all(dir).map_err(|error| Error::file(dir, error))?;
    let path = dir.join(format!("{}.witness", name.replace(':', "-")));
    std::fs::write(&path, witness.to_text()).map_err(|error| Error::file(&path, error))?;
    Ok(path.display().to_string())
}
