//! How sharp slices are: the mean share of a program's nodes that is left, beside what coarser ways
//! to slice leave.
//!
//! The programs are those of `data`; their uses of variables are the criteria, some of them, or all
//! with `JAVA_SLICE_ALL=1`. `JAVA_SLICE_GENERATED=N` takes so many generated programs, too. Printed
//! are the shares of *slices* (what the text of a slice has), of *statements* (all of a statement
//! of which something is left, as slicers have it that keep statements), of *any context* (calls
//! may return to other calls than those that they were entered by), and for members that are read
//! off an object, of the slices for that *member* and for the *object* with all that it holds.

use std::sync::Arc;

use java::names::FileId;
use java::tree::{Kind, NodeId};
use java_slice::{Graph, Program, Site, Slice, SourceFile, Wanted, When};

mod generate;

/// Where nothing asks for all, one criterion of so many, and one program of so many.
const STEP: usize = 9;

#[derive(Default)]
struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, share: f64) {
        self.sum += share;
        self.count += 1;
    }

    fn percent(&self) -> f64 {
        self.sum * 100.0 / self.count.max(1) as f64
    }
}

#[derive(Default)]
struct Table {
    slices: Mean,
    statements: Mean,
    any_context: Mean,
    members: Mean,
    objects: Mean,
}

/// Whether a node is what slicers of statements keep or leave out as a whole.
fn is_whole(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Block { .. }
            | Kind::Variables { .. }
            | Kind::ExpressionStatement { .. }
            | Kind::If { .. }
            | Kind::While { .. }
            | Kind::Do { .. }
            | Kind::For { .. }
            | Kind::ForEach { .. }
            | Kind::Labeled { .. }
            | Kind::Switch { .. }
            | Kind::Case { .. }
            | Kind::Synchronized { .. }
            | Kind::Try { .. }
            | Kind::Catch { .. }
            | Kind::Return { .. }
            | Kind::Throw { .. }
            | Kind::Yield { .. }
            | Kind::Break { .. }
            | Kind::Continue { .. }
            | Kind::Assert { .. }
            | Kind::Class(_)
            | Kind::Method(_)
            | Kind::Initializer { .. }
            | Kind::EnumConstant { .. }
            | Kind::Import { .. }
            | Kind::Unit { .. }
    )
}

/// How many nodes whole statements have of which something is left.
fn of_statements(program: &Program, slice: &Slice<'_>, wholes: &[NodeId]) -> usize {
    let file = FileId(0);
    let mut left = vec![false; wholes.len()];
    for node in program.tree(file).ids() {
        if slice.contains(Site { file, node }) {
            left[wholes[node.index()].index()] = true;
        }
    }
    wholes.iter().filter(|whole| left[whole.index()]).count()
}

/// By node: the statement or declaration that it belongs to.
fn wholes(program: &Program) -> Vec<NodeId> {
    let file = FileId(0);
    let tree = program.tree(file);
    let whole = |mut node: NodeId| {
        while !is_whole(tree.kind(node)) {
            match program.parent(Site { file, node }) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        node
    };
    tree.ids().map(whole).collect()
}

fn measure(text: &str, step: usize, table: &mut Table) {
    let tree = Arc::new(java::read_text(text));
    let program = Program::new(vec![SourceFile { path: "Main.java".into(), tree }]);
    let nodes = program.files[0].tree.nodes.len() as f64;
    let wholes = wholes(&program);
    for site in program.uses().into_iter().skip(step / 2).step_by(step) {
        let whole = [Wanted { site, members: Some(When::Before) }];
        let graph = Graph::build(&program, &whole);
        let slice = graph.backward(&whole);
        table.slices.add(slice.size() as f64 / nodes);
        table.statements.add(of_statements(&program, &slice, &wholes) as f64 / nodes);
        table.any_context.add(graph.in_any_context(&whole).size() as f64 / nodes);
    }
    let read_off = |site: Site| {
        let parent = Site { node: program.parent(site)?, ..site };
        program.is_member(parent).then_some((site, parent))
    };
    for (object, member) in program.uses().into_iter().filter_map(read_off).step_by(step.min(4)) {
        let object = [Wanted { site: object, members: Some(When::Before) }];
        let member = [Wanted { site: member, members: None }];
        let graph = Graph::build(&program, &object);
        table.objects.add(graph.backward(&object).size() as f64 / nodes);
        table.members.add(graph.backward(&member).size() as f64 / nodes);
    }
}

#[test]
fn table() {
    let step = if std::env::var_os("JAVA_SLICE_ALL").is_some() { 1 } else { STEP };
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let entries = std::fs::read_dir(dir).expect("the programs are there");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a text");
        let parts = text.split("//// ").skip(1).filter_map(|part| part.split_once('\n'));
        programs.extend(parts.map(|(_, text)| text.to_owned()));
    }
    let generated = std::env::var("JAVA_SLICE_GENERATED").ok().and_then(|it| it.parse().ok());
    let programs: Vec<String> = programs.into_iter().step_by(step).collect();
    let generated: Vec<String> = (0..generated.unwrap_or(10)).map(generate::program).collect();
    for (name, programs, step) in [("written", programs, step), ("generated", generated, STEP)] {
        let mut table = Table::default();
        programs.iter().for_each(|text| measure(text, step, &mut table));
        println!(
            "{} {name} programs, {} criteria: slices {:.1} %, statements {:.1} %, any context \
             {:.1} %; of {} members of objects: member {:.1} %, object {:.1} %",
            programs.len(),
            table.slices.count,
            table.slices.percent(),
            table.statements.percent(),
            table.any_context.percent(),
            table.members.count,
            table.members.percent(),
            table.objects.percent(),
        );
        assert!(table.slices.sum <= table.statements.sum);
        assert!(table.slices.sum <= table.any_context.sum);
        assert!(table.members.sum <= table.objects.sum);
    }
}
