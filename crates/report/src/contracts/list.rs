//! The contracts of a program: a line each, as JSON, and as a page in EDoc's manner.

use std::fmt::Write as _;

use serde::Serialize;
use session::contracts::{Listed, Listing};

use crate::drawing::escaped;
use crate::json::{VERSION, to_line};

/// A line for each contract.
pub fn list(modules: &[Listing]) -> String {
    let mut text = String::new();
    for module in modules {
        for contract in &module.contracts {
            let Listed { contract: kind, line, column, text: said, .. } = contract;
            let about = contract.function.as_deref().unwrap_or("the state");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let file = &module.file;
            let _ = writeln!(text, "{file}:{line}:{column}: {kind} of {about}: {said}");
        }
    }
    text
}

/// What is wrong with contracts, a line each.
pub fn problems(modules: &[Listing]) -> Vec<String> {
    let each = |module: &Listing| {
        let file = module.file.clone();
        let lines = module.problems.iter().map(move |problem| {
            format!("{file}:{}:{}: {}", problem.line, problem.column, problem.message)
        });
        lines.collect::<Vec<_>>()
    };
    modules.iter().flat_map(each).collect()
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    modules: &'a [Listing],
}

/// All of them as one line of JSON.
pub fn json(modules: &[Listing]) -> String {
    let document = Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "contracts",
        modules,
    };
    format!("{}\n", to_line(&document))
}

/// A page in EDoc's manner: of each module what is said of it, an index of its functions with
/// contracts, and of each of these its spec, the comment above it and its contracts.
pub fn html(modules: &[Listing]) -> String {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>Contracts</title>\n\
         <style>body{font-family:sans-serif;max-width:60em;margin:2em auto}\
         code{white-space:pre-wrap}dt{font-weight:bold;margin-top:.5em}\
         td{padding-right:2em;vertical-align:top}</style></head><body>\n",
    );
    for module in modules.iter().filter(|module| !module.contracts.is_empty()) {
        let name = escaped(&module.module);
        let _ = writeln!(page, "<h1>Module {name}</h1>");
        paragraph(&mut page, &module.about);
        let state: Vec<&Listed> =
            module.contracts.iter().filter(|it| it.function.is_none()).collect();
        if !state.is_empty() {
            let _ = writeln!(page, "<h2 id=\"{name}\">The process</h2>");
            contracts(&mut page, &state);
        }
        if module.described.is_empty() {
            continue;
        }
        page.push_str("<h2>Function index</h2>\n<table>\n");
        for one in &module.described {
            let (function, first) = (escaped(&one.function), first_sentence(&one.comment));
            let _ = writeln!(
                page,
                "<tr><td><a href=\"#{name}-{function}\">{function}</a>{}</td><td>{}</td></tr>",
                if one.exported { "" } else { "*" },
                escaped(first)
            );
        }
        page.push_str("</table>\n<h2>Function details</h2>\n");
        for one in &module.described {
            let function = escaped(&one.function);
            let _ = writeln!(page, "<h3 id=\"{name}-{function}\">{function}</h3>");
            let _ = writeln!(page, "<p><code>{}</code></p>", escaped(&one.head));
            paragraph(&mut page, &one.comment);
            let own = module.contracts.iter();
            let own = own.filter(|it| it.function.as_ref() == Some(&one.function));
            contracts(&mut page, &own.collect::<Vec<_>>());
        }
    }
    page.push_str("</body></html>\n");
    page
}

fn paragraph(page: &mut String, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", escaped(text));
    }
}

/// The contracts of a function, or of a process.
fn contracts(page: &mut String, own: &[&Listed]) {
    page.push_str("<dl>\n");
    for contract in own {
        // The spec stands above.
        if contract.contract != "spec" {
            let kind = contract.contract.to_uppercase().replace('_', " ");
            let text = escaped(&contract.text);
            let _ = writeln!(page, "<dt>{kind}</dt><dd><code>{text}</code></dd>");
        }
    }
    page.push_str("</dl>\n");
}

fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").or_else(|| text.find(".\n")).map_or(text.len(), |at| at + 1);
    &text[..end]
}
