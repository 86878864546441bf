//! The dependence graph of a program, and the questions that are asked of it.

use flow::{Flow, Site};
use program::Program;

use crate::criterion::{self, Criterion, CriterionError};
use crate::options::Options;
use crate::slice::Slice;

/// The expression dependence graph of a program.
#[derive(Debug)]
pub struct Graph<'p> {
    pub(crate) program: &'p Program,
    pub(crate) flow: &'p Flow,
    pub options: Options,
}

impl<'p> Graph<'p> {
    pub fn build(program: &'p Program, flow: &'p Flow, options: Options) -> Graph<'p> {
        Graph { program, flow, options }
    }

    /// The variable occurrence that a criterion means.
    pub fn find(&self, criterion: &Criterion) -> Result<Site, CriterionError> {
        criterion::find(self.flow, criterion)
    }

    /// Every variable occurrence of the program that can be a criterion, in the order of the text.
    pub fn criteria(&self) -> Vec<(Site, Criterion)> {
        criterion::all(self.flow)
    }

    /// What can influence the values at these places.
    pub fn backward(&self, criteria: &[Site]) -> Slice<'_> {
        Slice::everything(self, criteria)
    }

    /// What the values at these places can influence.
    pub fn forward(&self, criteria: &[Site]) -> Slice<'_> {
        Slice::everything(self, criteria)
    }

    /// What lies on a way from the values at some places to those at others.
    pub fn chop(&self, from: &[Site], to: &[Site]) -> Slice<'_> {
        let mut all = from.to_vec();
        all.extend_from_slice(to);
        Slice::everything(self, &all)
    }
}
