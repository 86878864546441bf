//! Completeness, checked by running: the values that a criterion takes in the program are the first
//! ones that it takes in the slice, for the same input.
//!
//! The original is run once for each input with all criteria told at once; each slice is printed,
//! read, linted, and run for those inputs that reach the criterion. A criterion that no input
//! reaches is only read and linted.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use atom::{Atom, known};
use flow::{Flow, ModuleId, Site};
use program::Program;
use program::lint::{LintOptions, lint};
use slice::{Criterion, Graph, Options, Slice};
use syntax::ast::{Kind, Module, NodeId};
use syntax::diagnostic::Severity;
use syntax::source::FileId;

use super::corpus::Case;
use super::inputs;
use super::instrument::instrument;
use super::node::{Loaded, Node, Told, begins_with, path_of, read};

/// A program with its graph and what it told.
pub(crate) struct Study<'g> {
    pub(crate) case: &'g Case,
    pub(crate) program: &'g Program,
    pub(crate) flow: &'g Rc<Flow>,
    pub(crate) graph: &'g Graph<'g>,
    pub(crate) criteria: Vec<(Site, Criterion)>,
    pub(crate) calls: Vec<String>,
    /// For each call, what the original told; criteria by their index.
    pub(crate) told: Vec<Told>,
    node: &'g Node,
}

/// A module as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Text {
    pub(crate) module: Atom,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What is wrong with a slice.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// A module of it is rejected.
    Rejected(Atom, Vec<String>),
    /// The criterion is not in it, or cannot be told from others.
    Lost,
    /// The Machine could not run it.
    Unsupported(String),
    /// Other values.
    Values { call: String, original: String, slice: String },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Rejected(module, messages) => {
                write!(f, "{module} is rejected: {}", messages.join("; "))
            }
            Wrong::Lost => write!(f, "the criterion is lost"),
            Wrong::Unsupported(what) => write!(f, "not supported: {what}"),
            Wrong::Values { call, original, slice } => {
                write!(f, "{call}\n  original: {original}\n  slice:    {slice}")
            }
        }
    }
}

/// Calls `work` with a study of a program.
pub(crate) fn study<T>(
    case: &Case,
    node: &Node,
    options: Options,
    each: usize,
    work: impl FnOnce(&Study<'_>) -> T,
) -> T {
    let program = case.load();
    let flow = flow::analyse(&program, &flow::Entry::Exported).expect("the entry is there");
    let flow = Rc::new(flow);
    let graph = Graph::build(&program, &flow, options);
    let calls = inputs::calls(&case.name, &case.entries, each);
    let criteria = graph.criteria();
    let mut modules = Vec::new();
    for (id, module) in flow.modules.enumerate() {
        let text = telling(&flow, &criteria, id);
        let tree = read(&program, &module.path, &text);
        assert!(tree.diagnostics.is_empty(), "{}: {:?}\n{text}", module.name, tree.diagnostics);
        modules.push((module.name, Arc::new(tree)));
    }
    let loaded = node.load(modules, &calls);
    let told: Vec<Told> = (0..calls.len()).map(|call| loaded.run(call)).collect();
    for (call, told) in calls.iter().zip(&told) {
        let unsupported = told.unsupported.as_ref();
        assert!(unsupported.is_none(), "{call}: {unsupported:?}");
        assert!(!told.bounded, "{call} does not end");
    }
    let graph = &graph;
    work(&Study { case, program: &program, flow: &flow, graph, criteria, calls, told, node })
}

/// The text of a module that tells all criteria in it.
fn telling(flow: &Flow, criteria: &[(Site, Criterion)], module: ModuleId) -> String {
    let here = criteria.iter().enumerate();
    let here = here.filter(|(_, (site, _))| site.module == module);
    let wanted: Vec<(NodeId, u32)> =
        here.map(|(number, (site, _))| (site.node, number as u32)).collect();
    instrument(&flow.modules[module].tree, &wanted)
}

impl Study<'_> {
    /// The program with another value of a variable of an expression: told as it is, and changed
    /// then.
    pub(crate) fn load_changed(&self, criterion: usize) -> Option<Loaded> {
        let (site, wanted) = &self.criteria[criterion];
        let name = wanted.variable;
        let mut modules = Vec::new();
        for (id, module) in self.flow.modules.enumerate() {
            let mut text = telling(self.flow, &self.criteria, id);
            if id == site.module {
                let as_it_is = format!("self(),{criterion}|{name}]),{name}}}))");
                let changed = format!(
                    "self(),{criterion}|{name}]),if is_integer({name}) -> {name} + 1; \
                     is_boolean({name}) -> not {name}; is_atom({name}) -> other; \
                     is_list({name}) -> [{name}]; true -> {name} end}}))"
                );
                if !text.contains(&as_it_is) {
                    return None;
                }
                text = text.replace(&as_it_is, &changed);
            }
            let tree = read(self.program, &module.path, &text);
            if !tree.diagnostics.is_empty() {
                return None;
            }
            modules.push((module.name, Arc::new(tree)));
        }
        Some(self.node.load(modules, &self.calls))
    }

    /// The calls that reach a criterion.
    pub(crate) fn reaching(&self, criterion: usize) -> Vec<usize> {
        let number = criterion as u32;
        (0..self.calls.len()).filter(|&call| !self.told[call].of(number).is_empty()).collect()
    }

    /// A criterion, for a person.
    pub(crate) fn name(&self, criterion: usize) -> String {
        let Criterion { module, line, column, variable, .. } = &self.criteria[criterion].1;
        format!("{module}.erl:{line}:{} {variable}", column.unwrap_or_default())
    }

    /// The modules of a slice as texts.
    pub(crate) fn texts(&self, slice: &Slice<'_>) -> Vec<Text> {
        let text = |module: &flow::FlowModule| Text {
            module: module.name,
            path: path_of(self.program, module.name),
            text: slice.source(module.name).expect("a module of the program"),
        };
        self.flow.modules.iter().map(text).collect()
    }

    /// Which of the variables of its name in the slice a criterion is.
    pub(crate) fn rank(&self, slice: &Slice<'_>, criterion: usize) -> usize {
        let (site, wanted) = &self.criteria[criterion];
        let before = self.criteria[..criterion].iter().filter(|(other, named)| {
            other.module == site.module
                && named.variable == wanted.variable
                && slice.contains(*other)
        });
        before.count()
    }

    /// Slices for a criterion and says what is wrong with the slice, and how often it was run.
    pub(crate) fn check(&self, criterion: usize) -> (Vec<Text>, Result<usize, Wrong>) {
        let slice = self.graph.backward(&[self.criteria[criterion].0]);
        let texts = self.texts(&slice);
        let rank = self.rank(&slice, criterion);
        let result = self.check_texts(criterion, &texts, rank);
        (texts, result)
    }

    /// Says whether texts are a slice for a criterion, the `rank`th variable of its name in its
    /// module.
    pub(crate) fn check_texts(
        &self,
        criterion: usize,
        texts: &[Text],
        rank: usize,
    ) -> Result<usize, Wrong> {
        let trees = self.read_all(texts)?;
        let reaching = self.reaching(criterion);
        if reaching.is_empty() {
            return Ok(0);
        }
        let loaded = self.load(criterion, texts, trees, rank)?;
        for &call in &reaching {
            let told = loaded.run(call);
            if let Some(what) = told.unsupported {
                return Err(Wrong::Unsupported(what));
            }
            let original = self.told[call].of(criterion as u32);
            let found = told.of(criterion as u32);
            if !begins_with(&original, &found) {
                return Err(Wrong::Values {
                    call: self.calls[call].clone(),
                    original: sequences(&original, &found),
                    slice: sequences(&found, &original),
                });
            }
        }
        Ok(reaching.len())
    }

    /// The program itself with a mark at every node.
    pub(crate) fn marked(&self) -> Loaded {
        let modules =
            self.flow.modules.iter().map(|module| (module.name, Arc::clone(&module.tree)));
        self.node.load_marked(modules.collect(), &self.calls)
    }

    /// A slice that tells the values of its criterion.
    pub(crate) fn telling(&self, slice: &Slice<'_>, criterion: usize) -> Result<Loaded, Wrong> {
        let texts = self.texts(slice);
        let trees = self.read_all(&texts)?;
        self.load(criterion, &texts, trees, self.rank(slice, criterion))
    }

    /// Reads modules; none of them may have an error.
    fn read_all(&self, texts: &[Text]) -> Result<Vec<Module>, Wrong> {
        let mut trees = Vec::new();
        for Text { module, path, text } in texts {
            let tree = read(self.program, path, text);
            let mut found = tree.diagnostics.clone();
            if found.is_empty() {
                found = lint(&tree, &LintOptions::default());
            }
            let errors = found.iter().filter(|found| found.severity == Severity::Error);
            let errors: Vec<String> =
                errors.map(|found| format!("{}: {}", found.loc.line, found.message)).collect();
            if !errors.is_empty() {
                return Err(Wrong::Rejected(*module, errors));
            }
            trees.push(tree);
        }
        Ok(trees)
    }

    fn load(
        &self,
        criterion: usize,
        texts: &[Text],
        trees: Vec<Module>,
        rank: usize,
    ) -> Result<Loaded, Wrong> {
        let (site, wanted) = &self.criteria[criterion];
        let mut modules = Vec::new();
        for (index, (Text { module, path, .. }, mut tree)) in texts.iter().zip(trees).enumerate() {
            if index == site.module.index() {
                let named =
                    variables(&tree).into_iter().filter(|(name, _)| *name == wanted.variable);
                let Some((_, node)) = named.into_iter().nth(rank) else { return Err(Wrong::Lost) };
                let text = instrument(&tree, &[(node, criterion as u32)]);
                tree = read(self.program, path, &text);
            }
            modules.push((*module, Arc::new(tree)));
        }
        Ok(self.node.load(modules, &self.calls))
    }
}

/// Sequences of values, not too long: what is equal in both at the beginning is counted.
fn sequences(processes: &[Vec<&str>], others: &[Vec<&str>]) -> String {
    const MOST: usize = 12;
    let mut shown = Vec::new();
    for (index, values) in processes.iter().enumerate() {
        let other = others.get(index).map_or(&[][..], Vec::as_slice);
        let equal = values.iter().zip(other).take_while(|(left, right)| left == right).count();
        let equal = if values.len() > MOST { equal.saturating_sub(1) } else { 0 };
        let mut text = if equal > 0 { format!("({equal} equal) ") } else { String::new() };
        text += &values[equal..].iter().take(MOST).copied().collect::<Vec<_>>().join(" ");
        if values.len() > equal + MOST {
            text += " …";
        }
        shown.push(text);
    }
    match shown.is_empty() {
        true => "(nothing)".to_owned(),
        false => shown.join(" | "),
    }
}

/// The variables that are written in the functions of a module, in the order of the text.
pub(crate) fn variables(tree: &Module) -> Vec<(Atom, NodeId)> {
    let mut found = Vec::new();
    for &form in &tree.forms {
        if !matches!(tree.kind(form), Kind::Function { .. }) {
            continue;
        }
        tree.for_each_below(form, |node| {
            let Kind::Var(name) = tree.kind(node) else { return };
            let token = tree.token(tree[node].first);
            let is_written = token.expansion.is_none() && token.span.file == FileId::MAIN;
            if is_written && name != known::UNDERSCORE {
                found.push((token.span.start, name, node));
            }
        });
    }
    found.sort_by_key(|(start, _, node)| (*start, *node));
    found.into_iter().map(|(_, name, node)| (name, node)).collect()
}
