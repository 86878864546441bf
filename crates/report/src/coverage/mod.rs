//! Coverage for people and for other programs.
//!
//! ```text
//! flow::criteria (goals) + Covered ─▶ Report ─▶ text · json · lcov · cobertura · html
//! ```
//!
//! Lines, for formats that know nothing else: a line that is the beginning of an expression is
//! covered as often as the expression on it that was evaluated most often.

mod cobertura;
mod html;
mod json;
mod lcov;
mod text;
mod words;

use std::collections::BTreeMap;

use flow::criteria::{
    Count, Covered, Criteria, Evidence, Figures, Goal, PairGoal, Ratio, Said, Way, figures,
    pair_sites,
};
use flow::{Flow, FunctionId, Label, ModuleId, Site, VertexKind};
use syntax::ast::{Kind, NodeId};

use session::Place;

pub use words::measured;

/// What there is to tell.
pub struct Report<'a> {
    pub flow: &'a Flow,
    pub criteria: &'a Criteria,
    pub covered: &'a Covered,
    /// The modules that count, by their positions.
    pub modules: Vec<ModuleId>,
    /// What ran, and how it went: `stock_tests: 5 passed`.
    pub runs: Vec<String>,
    /// What the reader should know: modules that could not be measured, bounds that were reached.
    pub notes: Vec<String>,
}

/// Something that was not covered.
pub(crate) struct Missing {
    pub(crate) criterion: &'static str,
    pub(crate) site: Site,
    pub(crate) function: FunctionId,
    /// What is not covered about it, in words.
    pub(crate) what: String,
    /// It follows from something else in the list: an expression of a clause that was never
    /// entered.
    pub(crate) implied: bool,
}

impl Report<'_> {
    pub fn text(&self) -> String {
        text::text(self)
    }

    pub fn json(&self) -> String {
        json::json(self)
    }

    pub fn lcov(&self) -> String {
        lcov::lcov(self)
    }

    pub fn cobertura(&self) -> String {
        cobertura::cobertura(self)
    }

    pub fn html(&self) -> String {
        html::html(self)
    }

    /// The figures of each module that counts, and of all together.
    pub fn figures(&self) -> (Vec<Figures>, Figures) {
        let all = figures(self.flow, self.criteria, self.covered);
        let own: Vec<Figures> = self.modules.iter().map(|&module| all[module]).collect();
        let mut total = Figures::default();
        for one in &own {
            let sum = |a: &mut Ratio, b: Ratio| {
                a.covered += b.covered;
                a.all += b.all;
            };
            sum(&mut total.nodes, one.nodes);
            sum(&mut total.clauses, one.clauses);
            sum(&mut total.branches, one.branches);
            sum(&mut total.conditions, one.conditions);
            sum(&mut total.pairs, one.pairs);
            sum(&mut total.messages, one.messages);
        }
        (own, total)
    }

    /// Whether everything is covered.
    pub fn is_complete(&self) -> bool {
        self.figures().1.all().iter().all(|(_, ratio)| ratio.covered == ratio.all)
    }

    pub(crate) fn path(&self, module: ModuleId) -> String {
        let module = &self.flow.modules[module];
        match module.tree.files.first() {
            Some(file) => crate::place::shown_path(file),
            None => module.path.to_string_lossy().into_owned(),
        }
    }

    /// The text of a module's file.
    pub(crate) fn source(&self, module: ModuleId) -> &str {
        self.flow.modules[module].tree.files.first().map_or("", |file| &file.text)
    }

    pub(crate) fn place(&self, site: Site) -> Option<Place> {
        let tree = &self.flow.modules[site.module].tree;
        Place::of(&tree.files, tree.span(site.node))
    }

    fn count(&self, goal: &Goal) -> Count {
        self.covered.count(goal.evidence)
    }

    /// Whether somebody came to a decision: one of its ways was taken, or it was evaluated and
    /// failed.
    pub(crate) fn is_decided(&self, site: Site) -> bool {
        let start = self.criteria.branches.partition_point(|goal| goal.site.module < site.module);
        let mut ways = self.criteria.branches[start..].iter().filter(|goal| goal.site == site);
        ways.any(|goal| self.covered.count(goal.evidence) > 0)
            || self.covered.count(Evidence { site, said: Said::Reached }) > 0
    }

    /// The lines of a module's own file with expressions, and how often they were evaluated.
    pub(crate) fn lines(&self, module: ModuleId) -> BTreeMap<u32, Count> {
        let path = self.path(module);
        let mut lines = BTreeMap::new();
        for goal in self.criteria.nodes.iter().filter(|goal| goal.site.module == module) {
            if let Some(place) = self.place(goal.site).filter(|place| place.file == path) {
                let line: &mut Count = lines.entry(place.line).or_default();
                *line = (*line).max(self.count(goal));
            }
        }
        lines
    }

    /// How often a function was called.
    pub(crate) fn calls(&self, function: FunctionId) -> Count {
        let of = self.flow.function(function);
        let tree = &self.flow.modules[of.module].tree;
        let clauses = tree.list(of.clauses).iter();
        clauses
            .map(|&node| {
                let site = Site { module: of.module, node };
                self.covered.count(Evidence { site, said: Said::Chosen })
            })
            .sum()
    }

    /// The last line that something of a function stands on.
    pub(crate) fn last_line(&self, function: FunctionId) -> u32 {
        let of = self.flow.function(function);
        let tree = &self.flow.modules[of.module].tree;
        let path = self.path(of.module);
        let mut last = 0;
        tree.for_each_below(of.node, |node| {
            let place = self.place(Site { module: of.module, node });
            let line = place.filter(|place| place.file == path).map(|place| place.line);
            last = last.max(line.unwrap_or(0));
        });
        last
    }

    /// The named functions of a module, with their lines.
    pub(crate) fn functions(&self, module: ModuleId) -> Vec<(FunctionId, u32)> {
        let own = self
            .flow
            .functions
            .enumerate()
            .filter(|(_, function)| function.module == module && !function.is_fun());
        own.filter_map(|(id, function)| Some((id, self.place(function.site())?.line))).collect()
    }

    /// All that is not covered in a module, in the order of the text.
    pub(crate) fn missing(&self, module: ModuleId) -> Vec<Missing> {
        let mut found = Vec::new();
        self.missing_clauses(module, &mut found);
        self.missing_nodes(module, &mut found);
        self.missing_branches(module, &mut found);
        self.missing_conditions(module, &mut found);
        self.missing_pairs(module, &mut found);
        self.missing_messages(module, &mut found);
        found.sort_by_key(|missing| {
            let tree = &self.flow.modules[missing.site.module].tree;
            let loc = tree.loc(missing.site.node);
            (loc.line, loc.column, order(missing.criterion))
        });
        found
    }

    fn missing_clauses(&self, module: ModuleId, found: &mut Vec<Missing>) {
        let goals = self.criteria.clauses.iter();
        for goal in goals.filter(|goal| goal.site.module == module && self.count(goal) == 0) {
            let tree = &self.flow.modules[module].tree;
            let what = match tree.kind(goal.site.node) {
                Kind::Receive { .. } => "the `after` of this receive".to_owned(),
                _ => head(self, goal.site),
            };
            found.push(Missing {
                criterion: "clause",
                site: goal.site,
                function: goal.function,
                what,
                implied: self.is_inside_missing_clause(goal.site),
            });
        }
    }

    /// Whether a clause around a node was never entered.
    fn is_inside_missing_clause(&self, site: Site) -> bool {
        let tree = &self.flow.modules[site.module].tree;
        let around = &self.criteria.surroundings[site.module];
        let never = |node: NodeId| {
            let (site, said) = (Site { node, ..site }, Said::Chosen);
            self.covered.count(Evidence { site, said }) == 0
        };
        let mut below = site.node;
        for node in around.ancestors(site.node) {
            let is_missing = match tree.kind(node) {
                Kind::Clause { .. } => never(node),
                Kind::Receive { after: Some(after), .. } => {
                    tree.list(after.body).contains(&below) && never(node)
                }
                _ => false,
            };
            if is_missing {
                return true;
            }
            below = node;
        }
        false
    }

    fn missing_nodes(&self, module: ModuleId, found: &mut Vec<Missing>) {
        let goals = self.criteria.nodes.iter();
        for goal in goals.filter(|goal| goal.site.module == module && self.count(goal) == 0) {
            let around = &self.criteria.surroundings[module];
            let outer = around.ancestors(goal.site.node).find_map(|node| {
                let site = Site { node, ..goal.site };
                self.flow.graph.at(site).map(|_| site)
            });
            let outer_is_missing = outer.is_some_and(|site| {
                let said = Said::Reached;
                self.covered.count(Evidence { site, said }) == 0
            });
            found.push(Missing {
                criterion: "node",
                site: goal.site,
                function: goal.function,
                what: self.flow.short_text(goal.site),
                implied: outer_is_missing || self.is_inside_missing_clause(goal.site),
            });
        }
    }

    fn missing_branches(&self, module: ModuleId, found: &mut Vec<Missing>) {
        for goal in self.criteria.branches.iter().filter(|goal| goal.site.module == module) {
            if self.covered.count(goal.evidence) > 0 {
                continue;
            }
            let text = self.flow.short_text(goal.site);
            let what = match goal.way {
                Way::Clause(number) => format!("clause {number} of {text}"),
                Way::After => format!("the `after` of {text}"),
                Way::True => format!("{text} is never true"),
                Way::False => format!("{text} is never false"),
            };
            // Clauses are listed as such.
            let implied = matches!(goal.way, Way::Clause(_) | Way::After)
                || self.is_inside_missing_clause(goal.site);
            let (site, function) = (goal.site, goal.function);
            found.push(Missing { criterion: "branch", site, function, what, implied });
        }
    }

    fn missing_conditions(&self, module: ModuleId, found: &mut Vec<Missing>) {
        for (id, guard) in self.criteria.guards.enumerate() {
            if guard.clause.module != module {
                continue;
            }
            for (condition, &node) in guard.conditions.enumerate() {
                if self.covered.is_shown(id, condition) {
                    continue;
                }
                let site = Site { node, module };
                let text = self.flow.short_text(site);
                let what = match self.covered.outcomes(id, condition) {
                    (true, true) => format!("{text} was never seen to decide alone"),
                    (true, false) => format!("{text} was never false"),
                    (false, true) => format!("{text} was never true"),
                    (false, false) => format!("{text} was never evaluated"),
                };
                let never = self.covered.outcomes(id, condition) == (false, false);
                found.push(Missing {
                    criterion: "condition",
                    site,
                    function: guard.function,
                    what,
                    implied: never && self.is_inside_missing_clause(guard.clause),
                });
            }
        }
    }

    fn missing_pairs(&self, module: ModuleId, found: &mut Vec<Missing>) {
        let all = &self.flow.def_uses;
        for &goal in &self.criteria.pairs {
            let (from, to) = pair_sites(self.flow, goal);
            if to.module != module || self.covered.pair_count(self.flow, goal) > 0 {
                continue;
            }
            let loc = self.flow.modules[from.module].tree.loc(from.node);
            let (what, function, reached) = match goal {
                PairGoal::Direct(pair) => {
                    let pair = all.pairs[pair];
                    let using = &all.uses[pair.using];
                    let what =
                        format!("{} with its value from {}:{}", using.name, loc.line, loc.column);
                    let evidence = self.criteria.use_evidence[pair.using];
                    (what, using.function, self.covered.count(evidence) > 0)
                }
                PairGoal::Message(hidden) | PairGoal::Structure(hidden) => {
                    let hidden = all.hidden[hidden];
                    let definition = &all.definitions[hidden.definition];
                    let using = &all.uses[hidden.using];
                    let module = self.flow.modules[from.module].name;
                    let is_message = matches!(goal, PairGoal::Message(_));
                    let done = if is_message { "sent" } else { "put into a structure" };
                    let what = format!(
                        "{} with the value of {} {done} at {module}:{}:{}",
                        definition.name, using.name, loc.line, loc.column
                    );
                    let seen = |evidence| self.covered.count(evidence) > 0;
                    let reached = !is_message
                        && seen(self.criteria.use_evidence[hidden.using])
                        && seen(self.criteria.definition_evidence[hidden.definition]);
                    (what, definition.function, reached)
                }
            };
            // What was never reached is listed as a node; a message as an edge.
            found.push(Missing { criterion: "pair", site: to, function, what, implied: !reached });
        }
    }

    fn missing_messages(&self, module: ModuleId, found: &mut Vec<Missing>) {
        for &id in &self.criteria.messages {
            let edge = &self.flow.graph.edges[id];
            let from = self.flow.graph.vertex(edge.from);
            if from.site.module != module || self.covered.edges.contains_key(&id) {
                continue;
            }
            let to = self.flow.graph.vertex(edge.to);
            let clause = match (edge.label, self.flow.label_text(edge)) {
                (Label::Clause(number), Some(text)) => format!(", clause {number}: {text}"),
                (Label::Clause(number), None) => format!(", clause {number}"),
                _ => String::new(),
            };
            let at = match to.kind {
                VertexKind::Import => self.flow.function_name(to.function),
                kind => format!(
                    "the {kind} at {} in {}",
                    self.flow.vertex_place(edge.to),
                    self.flow.function_name(to.function)
                ),
            };
            let sent = match from.kind {
                VertexKind::Return => {
                    format!("what {} returns", self.flow.function_name(from.function))
                }
                _ => self.flow.vertex_text(edge.from),
            };
            let may = if edge.may { " (may)" } else { "" };
            found.push(Missing {
                criterion: "message",
                site: from.site,
                function: from.function,
                what: format!("{sent} never came to {at}{clause}{may}"),
                implied: false,
            });
        }
    }
}

fn order(criterion: &str) -> usize {
    ["clause", "node", "branch", "condition", "pair", "message"]
        .iter()
        .position(|known| *known == criterion)
        .unwrap_or(usize::MAX)
}

/// The patterns and the guard of a clause; of a function with its name.
fn head(report: &Report<'_>, clause: Site) -> String {
    let flow = report.flow;
    let tree = &flow.modules[clause.module].tree;
    let Kind::Clause { patterns, guards, .. } = tree.kind(clause.node) else {
        return flow.short_text(clause);
    };
    let text = |node: &NodeId| flow.short_text(Site { node: *node, ..clause });
    let patterns: Vec<String> = tree.list(patterns).iter().map(text).collect();
    let guards: Vec<String> = tree.list(guards).iter().map(text).collect();
    let patterns = patterns.join(", ");
    let around = &report.criteria.surroundings[clause.module];
    let mut shown = match around.parent(clause.node).map(|node| tree.kind(node)) {
        Some(Kind::Function { name, .. }) => format!("{name}({patterns})"),
        Some(Kind::Fun { .. }) => format!("fun({patterns})"),
        _ => patterns,
    };
    if !guards.is_empty() {
        let space = if shown.is_empty() { "" } else { " " };
        shown = format!("{shown}{space}when {}", guards.join("; "));
    }
    shown
}
