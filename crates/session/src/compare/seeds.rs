//! Inputs that the programs write down themselves: calls of functions with values that are known
//! without running anything, which tests are full of.
//!
//! Every module of both versions is looked at, tests among them. A call whose arguments are not all
//! values (a variable, a call) gives nothing.

use std::collections::BTreeMap;

use ::compare::Function;
use ::inputs::{Input, text};
use program::{LoadedModule, Program};
use syntax::ast::{Kind, NodeId, NodeList};
use syntax::unparse;

use crate::inputs::subject::Subject;

/// Calls of one function that are kept.
const MOST: usize = 200;

/// Arguments by function.
pub(super) struct Seeds(BTreeMap<Function, Vec<Input>>);

impl Seeds {
    pub(super) fn of(programs: [&Program; 2]) -> Seeds {
        let mut seeds = Seeds(BTreeMap::new());
        for program in programs {
            for module in &program.modules {
                seeds.add(program, module);
            }
        }
        seeds
    }

    fn add(&mut self, program: &Program, module: &LoadedModule) {
        let tree = &module.tree;
        for &form in &tree.forms {
            let Kind::Function { .. } = tree.kind(form) else { continue };
            tree.for_each_below(form, |node| {
                let Kind::Call { args, .. } = tree.kind(node) else { return };
                let target = module.target(node).and_then(|target| target.mfa(module.name));
                let Some((of, name, arity)) = target else { return };
                if program.module(of).is_none() || args.len == 0 {
                    return;
                }
                let known = self.0.entry((of, (name, arity))).or_default();
                if known.len() < MOST
                    && let Some(input) = values(module, args)
                    && !known.contains(&input)
                {
                    known.push(input);
                }
            });
        }
    }

    /// Inputs for a function, of both versions.
    pub(super) fn of_calls(&self, old: &Subject, new: &Subject) -> Vec<Input> {
        if old.start.is_some() {
            return Vec::new();
        }
        let functions = old.functions.iter().chain(&new.functions);
        let mut inputs: Vec<Input> = Vec::new();
        for input in functions.filter_map(|function| self.0.get(function)).flatten() {
            if !inputs.contains(input) {
                inputs.push(input.clone());
            }
        }
        inputs
    }
}

/// Arguments, if they are values.
fn values(module: &LoadedModule, args: NodeList) -> Option<Input> {
    let tree = &module.tree;
    let value = |&arg: &NodeId| {
        let mut is_value = true;
        tree.for_each_below(arg, |node| {
            is_value &= !matches!(
                tree.kind(node),
                Kind::Var(_) | Kind::Call { .. } | Kind::Fun { .. } | Kind::Comprehension { .. }
            );
        });
        is_value.then(|| text::read(&unparse::one_line(tree, arg)).ok()).flatten()
    };
    let inputs: Option<Vec<Input>> = tree.list(args).iter().map(value).collect();
    inputs.map(Input::Tuple)
}
