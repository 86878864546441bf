//! The tree of a module as text and as JSON.

mod support;

use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::Value;
use support::{DiskFiles, Otp, in_parallel};
use syntax::ast::Module;
use syntax::options::Options;
use syntax::{json, tree_print};

fn read(text: &str) -> Module {
    let files = DiskFiles::default();
    syntax::read_module_bytes(Path::new("m.erl"), text.into(), &files, &Options::default())
}

fn check_tree(text: &str, expected: Expect) {
    expected.assert_eq(&tree_print::module(&read(text)));
}

#[test]
fn tree() {
    check_tree(
        "\
-module(m).
-record(r, {a = 1.5 :: float(), b}).
-spec f(X) -> [X, ...] when X :: 1..2.
f(X) when X > 1 ->
    Y = #r{a = $a, b = \"s\"},
    [m:g(-X, 'A b', 16#FF) || <<Z:8/little-unit:2>> <= Y#r.b, is_atom(Z)];
f(_) ->
    fun Loop(0) -> ok end.
",
        expect![[r#"
            file_attribute #2 1:1-1:1
              file: string "m.erl" #0 1:1-1:1
              line: integer 1 #1 1:1-1:1
            module_attribute #4 1:1-1:12 at 1:2
              name: atom m #3 1:9-1:10
            record_attribute #13 2:1-2:37 at 2:2
              name: atom r #5 2:9-2:10
              fields: record_field_def #11 2:13-2:31
                name: atom a #6 2:13-2:14
                default: float 1.5 #7 2:17-2:20
                type: named_type float #9 2:24-2:31
              fields: record_field_def #12 2:33-2:34
                name: atom b #10 2:33-2:34
            spec_attribute spec #25 3:1-3:39 at 3:2
              name: atom f #14 3:7-3:8
              clauses: bounded_fun_type #24 3:8-3:38
                fun: fun_type #18 3:8-3:23
                  args: var X #15 3:9-3:10
                  result: list_type nonempty #17 3:15-3:23
                    element: var X #16 3:16-3:17
                constraints: constraint_type #23 3:29-3:38
                  var: var X #19 3:29-3:30
                  type: range_type #22 3:34-3:38
                    low: integer 1 #20 3:34-3:35
                    high: integer 2 #21 3:37-3:38
            function f arity=1 #72 4:1-8:27
              clauses: clause #65 4:1-6:74
                patterns: var X #26 4:3-4:4
                guards: guard #30 4:11-4:16 at 4:13
                  tests: binary_op > #29 4:11-4:16 at 4:13
                    left: var X #27 4:11-4:12
                    right: integer 1 #28 4:15-4:16
                body: match #40 5:5-5:28
                  pattern: var Y #31 5:5-5:6
                  value: record #39 5:9-5:28
                    name: atom r #32 5:10-5:11
                    fields: record_field #35 5:12-5:18
                      name: atom a #33 5:12-5:13
                      value: char $a #34 5:16-5:18
                    fields: record_field #38 5:20-5:27
                      name: atom b #36 5:20-5:21
                      value: string "s" #37 5:24-5:27
                body: comprehension list #64 6:5-6:74
                  exprs: call #48 6:6-6:27
                    callee: remote #43 6:6-6:9 at 6:7
                      module: atom m #41 6:6-6:7
                      name: atom g #42 6:8-6:9
                    args: unary_op - #45 6:10-6:12
                      operand: var X #44 6:11-6:12
                    args: atom 'A b' #46 6:14-6:19
                    args: integer 255 #47 6:21-6:26
                  qualifiers: generator binary #60 6:31-6:61 at 6:53
                    pattern: binary #55 6:31-6:52
                      elements: bin_element #54 6:33-6:50
                        value: var Z #49 6:33-6:34
                        size: integer 8 #50 6:35-6:36
                        specs: bin_spec little #51 6:37-6:43
                        specs: bin_spec unit #53 6:44-6:50
                          unit: integer 2 #52 6:49-6:50
                    source: record_access #59 6:56-6:61 at 6:57
                      base: var Y #56 6:56-6:57
                      name: atom r #57 6:58-6:59
                      field: atom b #58 6:60-6:61
                  qualifiers: call #63 6:63-6:73
                    callee: atom is_atom #61 6:63-6:70
                    args: var Z #62 6:71-6:72
              clauses: clause #71 7:1-8:26
                patterns: var _ #66 7:3-7:4
                body: fun Loop #70 8:5-8:26
                  clauses: clause #69 8:9-8:22
                    patterns: integer 0 #67 8:14-8:15
                    body: atom ok #68 8:20-8:22
            end_of_file #73 9:1-9:1
        "#]],
    );
}

fn json_of(module: &Module) -> String {
    let mut bytes = Vec::new();
    json::write_module(module, &mut bytes).expect("well-formed JSON");
    String::from_utf8(bytes).expect("well-formed JSON")
}

#[test]
fn json_text() {
    let text = json_of(&read(
        "-module(m).\nf(X) -> {X, 1.0e300, 12345678901234567890, \"é\\n\\\"\\001\"}.\n",
    ));
    expect![[r#"
        {"version":1,"tool":"erlscope","tool_version":"0.1.0","command":"parse",
        "files":[
        {"id":0,"path":"m.erl","encoding":"utf8","included_from":null}
        ],
        "forms":[2,4,12,13],
        "nodes":[
        {"id":2,"kind":"file_attribute","span":{"file":0,"start":{"offset":0,"line":1,"column":1},"end":{"offset":0,"line":1,"column":1}},"otp_line":1,"otp_column":1,"values":{},"children":{"file":0,"line":1}},
        {"id":0,"kind":"string","span":{"file":0,"start":{"offset":0,"line":1,"column":1},"end":{"offset":0,"line":1,"column":1}},"otp_line":1,"otp_column":1,"values":{"text":"m.erl"},"children":{}},
        {"id":1,"kind":"integer","span":{"file":0,"start":{"offset":0,"line":1,"column":1},"end":{"offset":0,"line":1,"column":1}},"otp_line":1,"otp_column":1,"values":{"value":"1"},"children":{}},
        {"id":4,"kind":"module_attribute","span":{"file":0,"start":{"offset":0,"line":1,"column":1},"end":{"offset":11,"line":1,"column":12}},"otp_line":1,"otp_column":2,"values":{},"children":{"name":3}},
        {"id":3,"kind":"atom","span":{"file":0,"start":{"offset":8,"line":1,"column":9},"end":{"offset":9,"line":1,"column":10}},"otp_line":1,"otp_column":9,"values":{"name":"m"},"children":{}},
        {"id":12,"kind":"function","span":{"file":0,"start":{"offset":12,"line":2,"column":1},"end":{"offset":69,"line":2,"column":57}},"otp_line":2,"otp_column":1,"values":{"name":"f","arity":1},"children":{"clauses":[11]}},
        {"id":11,"kind":"clause","span":{"file":0,"start":{"offset":12,"line":2,"column":1},"end":{"offset":68,"line":2,"column":56}},"otp_line":2,"otp_column":1,"values":{},"children":{"patterns":[5],"guards":[],"body":[10]}},
        {"id":5,"kind":"var","span":{"file":0,"start":{"offset":14,"line":2,"column":3},"end":{"offset":15,"line":2,"column":4}},"otp_line":2,"otp_column":3,"values":{"name":"X"},"children":{}},
        {"id":10,"kind":"tuple","span":{"file":0,"start":{"offset":20,"line":2,"column":9},"end":{"offset":68,"line":2,"column":56}},"otp_line":2,"otp_column":9,"values":{},"children":{"elements":[6,7,8,9]}},
        {"id":6,"kind":"var","span":{"file":0,"start":{"offset":21,"line":2,"column":10},"end":{"offset":22,"line":2,"column":11}},"otp_line":2,"otp_column":10,"values":{"name":"X"},"children":{}},
        {"id":7,"kind":"float","span":{"file":0,"start":{"offset":24,"line":2,"column":13},"end":{"offset":31,"line":2,"column":20}},"otp_line":2,"otp_column":13,"values":{"value":1e300},"children":{}},
        {"id":8,"kind":"integer","span":{"file":0,"start":{"offset":33,"line":2,"column":22},"end":{"offset":53,"line":2,"column":42}},"otp_line":2,"otp_column":22,"values":{"value":"12345678901234567890"},"children":{}},
        {"id":9,"kind":"string","span":{"file":0,"start":{"offset":55,"line":2,"column":44},"end":{"offset":67,"line":2,"column":55}},"otp_line":2,"otp_column":44,"values":{"text":"é\n\"\u0001"},"children":{}},
        {"id":13,"kind":"end_of_file","span":{"file":0,"start":{"offset":70,"line":3,"column":1},"end":{"offset":70,"line":3,"column":1}},"otp_line":3,"otp_column":1,"values":{},"children":{}}
        ],
        "diagnostics":[
        ]}
    "#]].assert_eq(&text);
}

/// That it is JSON, and that each node that is named is there exactly once.
fn check_json(module: &Module) {
    let json: Value = serde_json::from_str(&json_of(module)).expect("well-formed JSON");
    let nodes = json["nodes"].as_array().expect("well-formed JSON");
    let mut listed: Vec<u64> =
        nodes.iter().map(|node| node["id"].as_u64().expect("well-formed JSON")).collect();
    let mut named: Vec<u64> = Vec::new();
    let children = nodes
        .iter()
        .flat_map(|node| node["children"].as_object().expect("well-formed JSON").values());
    for child in children.chain([&json["forms"]]) {
        match child {
            Value::Array(ids) => {
                named.extend(ids.iter().map(|id| id.as_u64().expect("well-formed JSON")))
            }
            id => named.push(id.as_u64().expect("well-formed JSON")),
        }
    }
    listed.sort_unstable();
    named.sort_unstable();
    assert_eq!(listed, named);
    assert!(nodes.iter().all(|node| node["kind"] != "unknown"));
}

#[test]
fn json_of_otp_modules() {
    let Some(otp) = Otp::find("JSON of OTP's modules") else { return };
    let modules: Vec<_> = otp
        .modules()
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("/stdlib-"))
        .collect();
    in_parallel(&modules, |path| check_json(&otp.read(path)));
    eprintln!("JSON of {} modules is well formed", modules.len());
}

#[test]
fn json_of_broken_text() {
    check_json(&read("-module(m).\nf( -> .\n\"\n"));
    check_json(&read(""));
}
