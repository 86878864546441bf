//! Flow graphs as text: the edges that leave each function, what is not known, and how the edges
//! were found.

use std::fmt::Write as _;

use flow::ids::IdVec;
use flow::{Edge, EdgeKind, Flow, FunctionId, Label, ProcessId, ProcessInfo, VertexKind};
use syntax::wording::counted;

use super::{KINDS, reason};

/// The edges of the program, function by function. Neighbourhood edges are counted only.
pub fn text(flow: &Flow) -> String {
    let mut out = String::new();
    let mut by_function: IdVec<FunctionId, Vec<&Edge>> =
        IdVec::filled(Vec::new(), flow.functions.len());
    for edge in flow.graph.edges.iter().filter(|edge| edge.kind != EdgeKind::Neighbor) {
        by_function[flow.graph.vertex(edge.from).function].push(edge);
    }
    for (id, edges) in flow.functions.ids().zip(&mut by_function) {
        if edges.is_empty() {
            continue;
        }
        let reached = if flow.reached[id] { "" } else { "   (never reached)" };
        let _ = writeln!(out, "{}{reached}", flow.function_name(id));
        edges.sort_by_key(|edge| (place_key(flow, edge), edge.kind, edge.to, edge.label));
        for edge in edges {
            let _ = writeln!(out, "  {}", edge_line(flow, edge));
        }
    }
    for unresolved in &flow.unresolved {
        let module = &flow.modules[unresolved.site.module];
        let loc = module.tree.loc(unresolved.site.node);
        let _ = writeln!(
            out,
            "unresolved {}:{}:{} {}: {}",
            module.path.display(),
            loc.line,
            loc.column,
            flow.short_text(unresolved.site),
            reason(unresolved.kind)
        );
    }
    let _ = writeln!(out, "{}", summary(flow));
    out
}

fn place_key(flow: &Flow, edge: &Edge) -> (u32, u32) {
    let site = flow.graph.vertex(edge.from).site;
    let loc = flow.modules[site.module].tree.loc(site.node);
    (loc.line, loc.column)
}

/// An edge without the function that it leaves.
fn edge_line(flow: &Flow, edge: &Edge) -> String {
    let to = flow.graph.vertex(edge.to);
    let target = match to.kind {
        VertexKind::Import | VertexKind::Return => flow.function_name(to.function),
        kind => {
            format!(
                "{kind} at {} in {}",
                flow.vertex_place(edge.to),
                flow.function_name(to.function)
            )
        }
    };
    let clause = match (edge.label, flow.label_text(edge)) {
        (Label::Clause(number), Some(text)) => format!(", clause {number}: {text}"),
        (Label::Clause(number), None) => format!(", clause {number}"),
        _ => String::new(),
    };
    let may = if edge.may { " (may)" } else { "" };
    let kind = edge.kind.text().replace('_', "-");
    format!(
        "{:<7} {} -> {kind} {target}{clause}{may}",
        flow.vertex_place(edge.from),
        flow.vertex_text(edge.from)
    )
}

/// One line of figures.
pub fn summary(flow: &Flow) -> String {
    let edges: Vec<String> = [EdgeKind::Neighbor]
        .into_iter()
        .chain(KINDS)
        .map(|kind| format!("{} {}", flow.graph.count(kind), kind.text().replace('_', "-")))
        .collect();
    format!(
        "{}, {}, {}; edges: {}; {} unresolved",
        counted(flow.modules.len() as u64, "module"),
        counted(flow.functions.len() as u64, "function"),
        counted(flow.graph.vertices.len() as u64, "node"),
        edges.join(", "),
        flow.unresolved.len()
    )
}

/// The order in which iterations found the edges.
pub fn explain(flow: &Flow) -> String {
    let mut out = String::new();
    for iteration in 0..=flow.iterations {
        let found: Vec<&Edge> = flow
            .graph
            .edges
            .iter()
            .filter(|edge| edge.found == iteration && edge.kind != EdgeKind::Neighbor)
            .collect();
        if iteration == 0 {
            let _ = writeln!(
                out,
                "before the first iteration: {} nodes, {} neighbor edges, and",
                flow.graph.vertices.len(),
                flow.graph.count(EdgeKind::Neighbor)
            );
        } else {
            let _ = writeln!(out, "iteration {iteration}:");
        }
        for kind in KINDS {
            for edge in found.iter().filter(|edge| edge.kind == kind) {
                let _ = writeln!(out, "  {}", flow.edge_text(edge));
            }
        }
        if found.is_empty() {
            let _ = writeln!(out, "  nothing new");
        }
    }
    out
}

/// The processes: who starts whom, and who sends what to whom.
pub fn processes(flow: &Flow) -> String {
    let mut out = String::new();
    for (id, process) in flow.processes.enumerate() {
        let _ = writeln!(out, "{}", process_name(flow, id));
        if let Some(site) = process.site {
            let place = flow.graph.at(site).map(|vertex| flow.vertex_place(vertex));
            let by: Vec<String> =
                process.parents.iter().map(|&parent| process_name(flow, parent)).collect();
            let supervised = process.parents.iter().any(|&parent| is_supervisor(flow, parent));
            let _ = writeln!(
                out,
                "  {} at {} {} by {}",
                if supervised { "started and supervised" } else { "started" },
                flow.modules[site.module].path.display(),
                place.unwrap_or_default(),
                if by.is_empty() { "nobody".to_string() } else { by.join(", ") }
            );
        }
        if !process.entries.is_empty() {
            let _ = writeln!(out, "  runs {}", names(flow, &process.entries));
        }
        for line in sent(flow, id) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// Some of the functions; a library may be entered by hundreds.
fn names(flow: &Flow, functions: &[FunctionId]) -> String {
    const MOST: usize = 12;
    let mut names: Vec<String> =
        functions.iter().take(MOST).map(|&id| flow.function_name(id)).collect();
    if functions.len() > MOST {
        names.push(format!("… {} more", functions.len() - MOST));
    }
    names.join(", ")
}

/// A process by its number, and its registered name or else what it runs.
pub(crate) fn process_name(flow: &Flow, id: ProcessId) -> String {
    match process_title(flow, id) {
        title if title.is_empty() => format!("process {}", id.number()),
        title => format!("process {} {title}", id.number()),
    }
}

/// A process by its registered name, else by what it runs.
pub(crate) fn process_title(flow: &Flow, id: ProcessId) -> String {
    let ProcessInfo { site, entries, names, .. } = &flow.processes[id];
    // Of several names it is not known which it has.
    if let [name] = names[..] {
        return format!("'{name}'");
    }
    // What a behaviour begins with says more than what its code calls then.
    let is_init = |&&entry: &&FunctionId| flow.function(entry).name.as_str() == "init";
    match (site, entries.iter().find(is_init).or(entries.first())) {
        (None, _) => "(entry)".to_owned(),
        (Some(_), Some(&entry)) => flow.function_name(entry),
        (Some(_), None) => String::new(),
    }
}

/// A message in a few words: the pattern that takes it, else where it comes from.
pub(crate) fn message_text(flow: &Flow, edge: &Edge) -> String {
    let from = flow.graph.vertex(edge.from);
    flow.label_text(edge).unwrap_or_else(|| match from.kind {
        VertexKind::Return => format!("what {} answers", flow.function_name(from.function)),
        _ => flow.vertex_text(edge.from),
    })
}

/// The processes of a supervisor's children: those that it starts.
pub(crate) fn is_supervisor(flow: &Flow, id: ProcessId) -> bool {
    flow.processes[id].site.is_some_and(|site| flow.text(site).starts_with("supervisor:start"))
}

/// The messages that a process may send, with who may get them.
fn sent(flow: &Flow, id: ProcessId) -> Vec<String> {
    let own = &flow.processes[id].functions;
    let mut lines = Vec::new();
    for edge in flow.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Message) {
        if own.binary_search(&flow.graph.vertex(edge.from).function).is_err() {
            continue;
        }
        let receiver = flow.graph.vertex(edge.to).function;
        for (other, process) in flow.processes.enumerate() {
            if process.functions.binary_search(&receiver).is_ok() {
                let what = message_text(flow, edge);
                lines.push(format!("sends {what} to {}", process_name(flow, other)));
            }
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// The definitions and uses of variables: which definition reaches which use, and what goes through
/// closures, structures and messages.
pub fn def_uses(flow: &Flow) -> String {
    let all = &flow.def_uses;
    let mut out = String::new();
    let place = |site: flow::Site| {
        let loc = flow.modules[site.module].tree.loc(site.node);
        format!("{}:{}", loc.line, loc.column)
    };
    let mut function = None;
    for (id, using) in all.uses.enumerate() {
        let reaching: Vec<String> = all
            .direct(id)
            .map(|definition| {
                let definition = &all.definitions[definition];
                format!("{} ({})", place(definition.site), definition.kind.text())
            })
            .collect();
        if function != Some(using.function) {
            function = Some(using.function);
            let _ = writeln!(out, "{}", flow.function_name(using.function));
        }
        let (place, kind) = (place(using.site), using.kind.text());
        let reaching =
            if reaching.is_empty() { "nothing".to_string() } else { reaching.join(", ") };
        let _ = writeln!(out, "  {place:<7} {} ({kind}) is defined at {reaching}", using.name);
    }
    for hidden in &all.hidden {
        let using = &all.uses[hidden.using];
        let definition = &all.definitions[hidden.definition];
        let module = |site: flow::Site| flow.modules[site.module].name;
        let _ = writeln!(
            out,
            "through a {}: {} at {}:{} becomes {} at {}:{}",
            hidden.through.text(),
            using.name,
            module(using.site),
            place(using.site),
            definition.name,
            module(definition.site),
            place(definition.site)
        );
    }
    let _ = writeln!(
        out,
        "{} definitions, {} uses, {} pairs, {} through closures, structures and messages",
        all.definitions.len(),
        all.uses.len(),
        all.pairs.len(),
        all.hidden.len()
    );
    out
}
