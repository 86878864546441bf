//! Inputs that take the paths of a function, and proofs.
//!
//! What is at a boundary is there as it is written, which inputs that are made by chance seldom
//! meet: the paths of each version are taken first ([`crate::concolic`]), a limited number of them.
//! Where these are all, those of both together are taken ([`super::proof`]).

use std::time::{Duration, Instant};

use ::inputs::{Input, Shape};

use super::{Proof, Schedules, Work};
use crate::concolic;
use crate::flow;
use crate::inputs::What;
use crate::inputs::subject::Subject;
use crate::run::Ending;

/// Paths of a function whose inputs are run, of each version.
const MOST_PATHS: u64 = 60;

/// Questions that may stay open on the way: what is difficult is left to other inputs.
const MOST_OPEN: u64 = 6;

/// Paths of both versions together, for a proof.
const MOST_TOGETHER: u64 = 600;

/// The part of the time for an entry that paths may take.
const PART: u32 = 3;

/// What paths gave.
#[derive(Default)]
pub(super) struct Paths {
    pub(super) inputs: Vec<Input>,
    pub(super) proven: Option<Proof>,
}

impl Work<'_> {
    pub(super) fn paths(
        &mut self,
        what: &[What; 2],
        subjects: [&Subject; 2],
        until: Option<Instant>,
    ) -> Paths {
        let mut paths = Paths::default();
        let [What::Function(old), What::Function(new)] = what else { return paths };
        if !self.request.options.guided {
            return paths;
        }
        let now = Instant::now();
        let time = until.map(|until| until.saturating_duration_since(now) / PART);
        let mut are_all = true;
        for (name, program) in [old, new].into_iter().zip(self.programs.clone()) {
            let request = concolic::Request {
                max_paths: MOST_PATHS,
                max_open: MOST_OPEN,
                ..self.search(name)
            };
            let control = self.controlled(now, time);
            // Where it cannot be done, other inputs will do.
            let Ok(answer) = concolic::search_in(&request, &program, &control) else {
                return paths;
            };
            are_all &= answer.is_complete();
            paths.inputs.extend(answer.paths.into_iter().map(|ran| ran.input));
        }
        if are_all && self.may_prove() {
            self.together([old, new], subjects, self.controlled(now, time), &mut paths);
        }
        paths
    }

    /// Whether results are all that is compared.
    fn may_prove(&self) -> bool {
        let request = self.request;
        request.points.is_empty() && request.judge.is_none() && request.schedules == Schedules::One
    }

    /// The paths of calling both versions.
    fn together(
        &mut self,
        names: [&String; 2],
        subjects: [&Subject; 2],
        control: crate::Control,
        paths: &mut Paths,
    ) {
        let function = |name: &String| match flow::entry(std::slice::from_ref(name)) {
            Ok(flow::Entry::Functions(named)) => match named.first() {
                Some(&(module, name, Some(arity))) => Some((module, (name, arity))),
                _ => None,
            },
            _ => None,
        };
        let (Some(old), Some(new)) = (function(names[0]), function(names[1])) else { return };
        let Some((program, both)) = self.joined.both(old, new) else { return };
        let shapes = subjects.iter().flat_map(|subject| &subject.shapes);
        let request = concolic::Request {
            max_paths: MOST_TOGETHER,
            max_open: MOST_OPEN,
            depth: 2 * concolic::DEPTH,
            types: shapes.map(Shape::ground).collect(),
            ..self.search(&both)
        };
        let Ok(answer) = concolic::search_in(&request, &program, &control) else { return };
        let says = |ran: &concolic::Ran, word: &str| match &ran.ending {
            Ending::Returned(value) => value == word,
            _ => false,
        };
        let is_same = answer.paths.iter().all(|ran| says(ran, "true"));
        // What differs is run before everything else.
        let different = answer.paths.iter().filter(|ran| says(ran, "false"));
        let first: Vec<Input> = different.map(|ran| ran.input.clone()).collect();
        paths.inputs.splice(0..0, first);
        if answer.is_complete() && is_same {
            paths.inputs.extend(answer.paths.iter().map(|ran| ran.input.clone()));
            paths.proven = Some(Proof { paths: answer.paths.len() as u64 });
        }
    }

    fn search(&self, name: &str) -> concolic::Request {
        concolic::Request {
            measure: false,
            schedules: concolic::Schedules::One,
            running: self.request.running.clone(),
            reading: self.request.reading.clone(),
            ..concolic::Request::new(Vec::new(), name.to_owned())
        }
    }

    /// What is left of the time for paths.
    fn controlled(&self, began: Instant, time: Option<Duration>) -> crate::Control {
        match time {
            Some(time) => self.control.within(time.saturating_sub(began.elapsed())),
            None => self.control.unheard(),
        }
    }
}
