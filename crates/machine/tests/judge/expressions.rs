//! Files of expressions.
//!
//! One a line. Empty lines and lines that start with `%` are skipped.
//! * `%pool NAME = A ;; B ;; C` names alternatives.
//! * `<| A ;; B ;; C |>` in an expression stands for each of the alternatives, `<|NAME|>` for each
//!   of a pool: the line becomes one expression for every combination.
//! * A line that ends in ` %% differs: REASON` is evaluated too, and must differ.

use std::collections::BTreeMap;

/// An expression of a file, with combinations taken apart.
pub(crate) struct Expression {
    pub text: String,
    /// Why the two differ, if they do.
    pub differs: Option<String>,
}

/// Reads a file of expressions.
pub(crate) fn expressions(text: &str) -> Vec<Expression> {
    let mut pools: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut all = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(pool) = line.strip_prefix("%pool ") {
            let (name, values) = pool.split_once('=').unwrap_or_else(|| panic!("pool: {line}"));
            let values = alternatives(values, &pools);
            pools.insert(name.trim().to_owned(), values);
            continue;
        }
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        let (text, differs) = match line.split_once(" %% differs: ") {
            Some((text, reason)) => (text.trim(), Some(reason.to_owned())),
            None => (line, None),
        };
        for text in combinations(text, &pools) {
            all.push(Expression { text, differs: differs.clone() });
        }
    }
    all
}

fn alternatives(text: &str, pools: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    text.split(";;")
        .map(str::trim)
        .flat_map(|part| pools.get(part).cloned().unwrap_or_else(|| vec![part.to_owned()]))
        .collect()
}

/// Every way to choose an alternative at every place of a line.
fn combinations(text: &str, pools: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut done = vec![String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<|") {
        let (choice, after) = after.split_once("|>").unwrap_or_else(|| panic!("no |> in {text}"));
        let choices = alternatives(choice, pools);
        done = done
            .iter()
            .flat_map(|start| choices.iter().map(move |choice| format!("{start}{before}{choice}")))
            .collect();
        rest = after;
    }
    done.into_iter().map(|start| start + rest).collect()
}
