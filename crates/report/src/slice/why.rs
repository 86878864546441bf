//! Why something is in a slice, in words.

use flow::Flow;
use slice::Step;

/// One line for each step.
pub fn why(flow: &Flow, steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        let module = &flow.modules[step.site.module];
        let span = module.tree.span(step.site.node);
        let loc = module.tree.file(span.file).loc(span.start);
        let text = flow.text(step.site);
        let short: String = text.chars().take(60).collect();
        let more = if short.len() < text.len() { " …" } else { "" };
        let by = match step.dependence {
            Some(dependence) => format!("  {dependence} dependence on the {} of", step.role),
            None => "the value of".to_string(),
        };
        out.push_str(&format!(
            "{by} `{short}{more}` ({}:{}:{})\n",
            module.path.display(),
            loc.line,
            loc.column
        ));
    }
    out
}
