//! What EUnit's parse transform `eunit_autoexport` does, done to the code: test functions are
//! exported, and `test/0` is added, which runs them.

use atom::{Atom, known};
use code::instr::{Instr, Slot};
use code::module::{Function, Mfa, ModuleCode};
use machine::Term;
use syntax::ast::{Module, NodeId};

/// Does what the transform does if the module asks for it, or the options of its project do.
pub(crate) fn apply(code: &mut ModuleCode, source: &Module, is_asked: bool) {
    if !is_asked && !is_wanted(code) {
        return;
    }
    let functions = code.functions.iter().map(|function| (function.name, function.arity));
    let own: Vec<(Atom, u32)> = functions.filter(|&(name, arity)| is_test(name, arity)).collect();
    for function in own {
        export(code, function);
    }
    let test = Atom::new("test");
    if code.functions.iter().any(|function| (function.name, function.arity) == (test, 0)) {
        return;
    }
    let import = code.imports.len() as u32;
    code.imports.push(Mfa { module: Atom::new("eunit"), name: test, arity: 1 });
    let instrs = vec![
        Instr::Enter { size: 1 },
        Instr::LoadAtom { dst: Slot(0), atom: code.name },
        Instr::TailImport { import, len: 1 },
    ];
    let origin = source.forms.first().copied().unwrap_or(NodeId(0));
    let origins = vec![origin; instrs.len()];
    code.functions.push(Function::lowered(test, 0, 1, instrs, origins));
    export(code, (test, 0));
}

fn export(code: &mut ModuleCode, function: (Atom, u32)) {
    if !code.exports.contains(&function) {
        code.exports.push(function);
    }
}

fn is_wanted(code: &ModuleCode) -> bool {
    let is_transform = |option: &Term| {
        option.as_tuple().is_some_and(|pair| match pair {
            [tag, name] => {
                tag.is_atom(Atom::new("parse_transform"))
                    && name.is_atom(Atom::new("eunit_autoexport"))
            }
            _ => false,
        })
    };
    let compile = code.attributes.iter().filter(|(name, _)| *name == known::COMPILE);
    compile
        .map(|(_, value)| value)
        .any(|value| is_transform(value) || value.elements().any(is_transform))
}

fn is_test(name: Atom, arity: u32) -> bool {
    let name = name.as_str();
    match arity {
        0 => ["_test", "_test_", "_exported_"].iter().any(|suffix| name.ends_with(suffix)),
        1 => name == "eunit_wrapper_" || name.ends_with("_exported_"),
        _ => name.ends_with("_exported_"),
    }
}
