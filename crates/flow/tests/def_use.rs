//! Definitions and uses of small programs: the pairs, and what goes through closures, structures
//! and messages: `def_use/NAME.erl` and `NAME.pairs`. `UPDATE_EXPECT=1` rewrites the latter.

use std::path::{Path, PathBuf};

use expect_test::{expect, expect_file};
use flow::def_use::{DefinitionId, UseId};
use flow::{Entry, Flow, Site};
use program::{LoadOptions, Program};

fn load(path: PathBuf) -> Flow {
    let options = LoadOptions { without_otp: true, without_lint: true, ..LoadOptions::default() };
    let program = Program::load(&[path], &options).expect("no OTP is asked for");
    flow::analyse(&program, &Entry::Exported).expect("exported functions need no name")
}

fn place(flow: &Flow, site: Site) -> String {
    let loc = flow.modules[site.module].tree.loc(site.node);
    format!("{}:{}", loc.line, loc.column)
}

fn shown(flow: &Flow) -> String {
    let all = &flow.def_uses;
    let mut lines = String::new();
    let definition = |id: DefinitionId| {
        let definition = &all.definitions[id];
        let (place, kind) = (place(flow, definition.site), definition.kind.text());
        format!("{} {place} ({kind})", definition.name)
    };
    let using = |id: UseId| {
        let using = &all.uses[id];
        format!("{} {} ({})", using.name, place(flow, using.site), using.kind.text())
    };
    for pair in &all.pairs {
        lines += &format!("{} -> {}\n", definition(pair.definition), using(pair.using));
    }
    for hidden in &all.hidden {
        let clause = hidden.message.map(|(_, _, clause)| format!(", clause {clause}"));
        lines += &format!(
            "{} => {} through {}{}\n",
            using(hidden.using),
            definition(hidden.definition),
            hidden.through.text(),
            clause.unwrap_or_default()
        );
    }
    lines
}

#[test]
fn programs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/def_use");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("programs").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    paths.sort();
    for path in paths {
        expect_file![path.with_extension("pairs")].assert_eq(&shown(&load(path.clone())));
    }
}

/// In the paper's example the value of `Result` may come from the argument of `init_gen`.
#[test]
fn reaching_definitions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/generator/example.erl");
    let flow = load(path);
    let all = &flow.def_uses;
    let result = all.uses.position(|using| using.name.as_str() == "Result");
    let reaching = all.reaching(result.expect("a use of Result"));
    let found: Vec<String> = reaching
        .iter()
        .map(|&id| {
            let definition = &all.definitions[id];
            format!("{} {}", definition.name, place(&flow, definition.site))
        })
        .collect();
    expect![[r#"
        Value 4:6
        Start 12:10
        Result 22:17"#]]
    .assert_eq(&found.join("\n"));
}
