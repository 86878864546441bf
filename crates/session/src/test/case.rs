//! What became of one test, with its place in the program.

use std::path::Path;

use atom::Atom;
use machine::contract::Violation;
use machine::exception::Class;
use machine::{Machine, Term};
use runner::testing::{self, Case, Verdict};
use syntax::source::{FileId, Loc, Span};

use super::assertion::assertion;
use super::{CaseAnswer, CaseResult, WithTests};
use crate::run::{Exception, frame, shown};
use crate::{Excerpt, contracts};

impl WithTests {
    pub(super) fn case(&self, case: &Case, machine: &Machine) -> CaseAnswer {
        let mut told = CaseAnswer {
            name: case.path(),
            function: case.function.clone(),
            groups: case.groups.clone(),
            title: case.title.clone(),
            result: CaseResult::Ok,
            reason: None,
            exception: None,
            assertion: Vec::new(),
            contracts: Vec::new(),
            unsupported: case.unsupported.clone(),
            place: None,
            source: None,
            output: case.output.clone(),
            virtual_ms: case.milliseconds,
            comment: case.comment.clone(),
            property: None,
        };
        match &case.verdict {
            Verdict::Passed => {}
            Verdict::Failed { class, reason, stack } => {
                self.failed(&mut told, case.module, (*class, reason, stack), machine);
            }
            Verdict::Skipped { reason, .. } => {
                told.result = CaseResult::Skipped;
                told.reason = Some(reason.clone());
            }
            Verdict::Aborted { what, class, reason, stack } => {
                self.failed(&mut told, case.module, (*class, reason, stack), machine);
                told.result = CaseResult::Cancelled;
                let reason = told.reason.take().unwrap_or_default();
                told.reason = Some(format!("{what}: {reason}"));
            }
            Verdict::Cancelled(reason) => {
                told.result = CaseResult::Cancelled;
                told.reason = Some(reason.clone());
            }
        }
        if let Some(property) = &case.property {
            self.tell_property(&mut told, case, property);
        }
        if !case.unsupported.is_empty() && told.result != CaseResult::Skipped {
            told.result = CaseResult::Unsupported;
        }
        told
    }

    fn failed(
        &self,
        told: &mut CaseAnswer,
        module: Atom,
        (class, reason, stack): (Class, &Term, &Term),
        machine: &Machine,
    ) {
        told.result = CaseResult::Failed;
        let frames = stack.to_vec().unwrap_or_default();
        let explanation = testing::explain(machine, class, reason, stack);
        let mut line = None;
        if let Some(assertion) = assertion(reason) {
            told.reason = Some(format!("{} failed", assertion.name));
            line = assertion.line.map(|line| (assertion.module.unwrap_or(module), line));
            told.assertion = assertion.entries;
        } else {
            told.reason = Some(explanation.clone());
        }
        let broken = machine.violations().iter().find(|violation| is_about(violation, reason));
        told.contracts = broken.map(contracts::broken).into_iter().collect();
        told.exception = Some(Exception {
            class: class.to_string(),
            reason: shown(reason),
            explanation: Some(explanation),
            stack: frames.iter().filter_map(frame).collect(),
        });
        let line = line.or_else(|| frames.iter().find_map(|entry| self.own_line(entry)));
        if let Some((module, line)) = line {
            self.show_line(told, module, line);
        }
    }

    /// Contracts that did not hold, and that no test failed for: each is a test that failed.
    pub(super) fn broken(&self, machine: &Machine, cases: &[CaseAnswer]) -> Vec<CaseAnswer> {
        let told: Vec<&contracts::Broken> =
            cases.iter().flat_map(|case| case.contracts.iter()).collect();
        let broken = machine.violations().iter().map(contracts::broken);
        let broken = broken.filter(|broken| !told.contains(&broken));
        broken
            .map(|broken| {
                let about = broken.function.clone().unwrap_or_else(|| broken.module.clone());
                let name = format!("contract {} of {about}", broken.contract);
                let mut told = CaseAnswer {
                    function: name.clone(),
                    name,
                    groups: Vec::new(),
                    title: None,
                    result: CaseResult::Failed,
                    reason: None,
                    exception: None,
                    assertion: Vec::new(),
                    contracts: Vec::new(),
                    unsupported: Vec::new(),
                    place: None,
                    source: None,
                    output: String::new(),
                    virtual_ms: 0,
                    comment: None,
                    property: None,
                };
                self.show_line(&mut told, Atom::new(&broken.module), broken.line);
                told.contracts.push(broken);
                told
            })
            .collect()
    }

    /// Where an entry of a stack trace is, if it is in the program under study.
    fn own_line(&self, entry: &Term) -> Option<(Atom, u32)> {
        let frame = frame(entry)?;
        let module = Atom::new(&frame.module);
        let found = self.program.sources.module(module)?.ok()?;
        // Suites are named without their directory.
        let own = found.unit.path.as_path();
        let file = frame.file?;
        let is_own = own == Path::new(&file) || own.file_name().is_some_and(|name| *name == *file);
        is_own.then_some((module, frame.line?))
    }

    /// Adds the source of a line.
    pub(super) fn show_line(&self, told: &mut CaseAnswer, module: Atom, line: u32) {
        let Some(Ok(found)) = self.program.sources.module(module) else { return };
        let Some(file) = found.tree.files.first() else { return };
        let text = file.line_text(line);
        let Some(&start) = file.line_starts.get(line as usize - 1) else { return };
        let code = text.split('%').next().unwrap_or(text).trim_end();
        let code = if code.trim().is_empty() { text.trim_end() } else { code };
        let indent = (text.len() - text.trim_start().len()) as u32;
        let span = Span {
            file: FileId::MAIN,
            start: start + indent,
            end: start + code.len().max(indent as usize) as u32,
        };
        let at = Loc { line, column: indent + 1 };
        let source = Excerpt { module: found.tree.clone(), span, at };
        told.place = source.place();
        told.source = Some(source);
    }
}

/// Whether an exception says that a contract did not hold.
fn is_about(violation: &Violation, reason: &Term) -> bool {
    match reason.as_tuple() {
        Some([tag, kind, call, _]) if tag.is_atom(Atom::new("contract_violation")) => {
            let args = call.as_tuple().and_then(|call| call.get(2)?.to_vec()).unwrap_or_default();
            kind.is_atom(Atom::new(violation.contract.kind.name()))
                && args.iter().map(term::print::to_string).eq(violation.arguments.iter().cloned())
        }
        _ => false,
    }
}
