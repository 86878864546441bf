//! Every module of the library is packed as it would be lowered from its source.
#![allow(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use code::instr::Instr;
use code::module::ModuleCode;
use code::print;
use term::Term;

/// The constants that instructions use; others are not packed.
fn used_consts(code: &ModuleCode) -> Vec<&Term> {
    let instrs = code.functions.iter().flat_map(|function| &function.instrs);
    let used = instrs.filter_map(|instr| match instr {
        Instr::LoadConst { index, .. } | Instr::IsConst { index, .. } => Some(*index as usize),
        _ => None,
    });
    used.map(|index| &code.consts[index]).collect()
}

/// All of a module that is not in the text of its functions.
fn head(code: &ModuleCode) -> String {
    let functions: Vec<_> =
        code.functions.iter().map(|one| (one.frame_size, one.origin())).collect();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {functions:?}",
        code.name,
        code.digest,
        code.renamed,
        code.on_load,
        used_consts(code),
        code.attributes,
        code.exports,
        code.imports,
        (&code.closures, &code.bits_parts, &code.switches, code.records.len()),
    )
}

#[test]
fn modules_are_as_lowered() {
    let mut count = 0;
    for source in stdlib::files() {
        let Some(name) = stdlib::module_name(source.path) else { continue };
        let tree = library::tree(name).unwrap();
        let mut lowered = code::lower::lower(&tree).unwrap();
        let mut packed = library::code(name).unwrap();
        lowered.finish();
        packed.finish();
        assert_eq!(head(&packed), head(&lowered), "{name}");
        for (packed, lowered) in packed.functions.iter().zip(&lowered.functions) {
            assert_eq!(print::function(packed), print::function(lowered), "{name}");
            assert_eq!(packed.origins, lowered.origins, "{name}: {}", lowered.name);
            let lines = lowered.origins.iter().map(|&origin| Some(tree.loc(origin).line));
            assert!(lines.eq((0..packed.len()).map(|index| packed.line(index))), "{name}");
        }
        count += 1;
    }
    assert!(count > 100);
}

/// Parse transforms would have to run before lowering.
#[test]
fn no_module_asks_for_a_transform() {
    for source in stdlib::files() {
        let Some(name) = stdlib::module_name(source.path) else { continue };
        let attributes = library::code(name).unwrap().attributes;
        let options = attributes.iter().filter(|(name, _)| name.as_str() == "compile");
        let transforms = options.filter(|(_, value)| format!("{value:?}").contains("transform"));
        assert_eq!(transforms.count(), 0, "{name}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    assert!(library::code("no_such_module").is_none());
    assert!(library::tree("no_such_module").is_none());
}
