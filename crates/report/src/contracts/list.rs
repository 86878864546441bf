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

/// A page with the contracts of each function.
pub fn html(modules: &[Listing]) -> String {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>Contracts</title>\n\
         <style>body{font-family:sans-serif;max-width:60em;margin:2em auto}\
         code{white-space:pre-wrap}dt{font-weight:bold;margin-top:.5em}</style></head><body>\n",
    );
    for module in modules.iter().filter(|module| !module.contracts.is_empty()) {
        let _ = writeln!(page, "<h1>Module {}</h1>", escaped(&module.module));
        let mut functions: Vec<Option<&str>> = Vec::new();
        for contract in &module.contracts {
            if !functions.contains(&contract.function.as_deref()) {
                functions.push(contract.function.as_deref());
            }
        }
        for function in functions {
            let name = function.unwrap_or("state");
            let _ = writeln!(page, "<h2 id=\"{0}\">{0}</h2>\n<dl>", escaped(name));
            let own = module.contracts.iter().filter(|it| it.function.as_deref() == function);
            for contract in own {
                let kind = contract.contract.to_uppercase();
                let text = escaped(&contract.text);
                let _ = writeln!(page, "<dt>{kind}</dt><dd><code>{text}</code></dd>");
            }
            page.push_str("</dl>\n");
        }
    }
    page.push_str("</body></html>\n");
    page
}
