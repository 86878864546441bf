//! Calls of functions that are not part of the program.

use atom::Atom;
use flow::ModuleId;
use flow::effects::Effects;
use program::resolve::Target;
use syntax::ast::NodeId;

use super::build::Build;

/// The function of the library that a call means, if it is called by its name and is none of the
/// program's own.
pub(crate) fn name(build: &Build<'_>, module: ModuleId, node: NodeId) -> Option<(Atom, Atom)> {
    let loaded = &build.program.modules[module.index()];
    let Some(Target::Remote(of, (name, arity))) = loaded.target(node) else { return None };
    build.find(of, name, arity).is_none().then_some((of, name))
}

/// What such a call does that is not a value.
pub(crate) fn effects(build: &Build<'_>, module: ModuleId, node: NodeId) -> Option<Effects> {
    let (of, name) = name(build, module, node)?;
    let target = build.program.modules[module.index()].target(node)?;
    let Target::Remote(_, (_, arity)) = target else { return None };
    Some(flow::effects::of(of.as_str(), name.as_str(), arity))
}

#[cfg(test)]
mod tests {
    /// Where programs do not call builtins by these names.
    const INTERNAL: &[&str] = &["erlscope_native", "erts_debug", "erts_internal", "prim_file"];

    /// What others can see when it runs has a row in the table of effects, if only to say that it
    /// is nothing.
    #[test]
    fn visible_builtins_have_effects() {
        let visible = machine::builtins::all()
            .filter(|it| it.is_visible() && !INTERNAL.contains(&it.module))
            // An operator: `Kind::BinaryOp`.
            .filter(|it| (it.module, it.name) != ("erlang", "!"));
        let missing: Vec<String> = visible
            .filter(|it| flow::effects::known(it.module, it.name, it.arity).is_none())
            .map(|it| format!("{}:{}/{}", it.module, it.name, it.arity))
            .collect();
        assert_eq!(missing, Vec::<String>::new());
    }
}
