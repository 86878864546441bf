//! What is wrong with a program by its types, and whether its module wants to know.
//!
//! A success typing is an upper bound of what can happen. So what is found here is certain: a call
//! that fails whenever it is made, a clause that no value reaches. What may go wrong and may not is
//! not found, and neither is what depends on the values of several variables at once.

use atom::Atom;
use program::index::NameArity;
use syntax::ast::NodeId;

use super::callee::Callee;
use crate::ty::Type;

/// Something that cannot succeed, or never happens.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Where.
    pub node: NodeId,
    pub why: Why,
    /// How it came to that, place by place: first the one that matters most.
    pub because: Vec<(NodeId, Because)>,
}

/// What a place has to do with a finding.
#[derive(Clone, PartialEq, Debug)]
pub enum Because {
    /// A value is what it is since it was here.
    Is(Type),
    /// It always fails here.
    Fails,
    /// A call gives a parameter (from 0) its value; all calls do together what the finding says.
    Given { function: NameArity, place: usize, ty: Type },
    /// A function that does not take what it is given: it returns only for this.
    Takes { function: NameArity, place: usize, ty: Type },
    /// A function that gives such a value.
    Gives { function: NameArity, result: Type },
}

#[derive(Clone, Debug)]
pub enum Why {
    /// A call with such arguments never returns. `bad` is the first argument (from 0) that no
    /// clause takes, with what it would have to be.
    Call { module: Atom, function: NameArity, args: Vec<Type>, bad: Option<(usize, Type)> },
    /// A fun that is called with another number of arguments, or is none, or never returns.
    Fun { fun: Type, args: Vec<Type> },
    /// An operator that fails on such operands.
    Operator { op: &'static str, args: Vec<Type> },
    /// A pattern that never matches such a value.
    Match { value: Type },
    /// A clause that is never chosen for such values: its head does not match, or its guard fails.
    Clause { values: Vec<Type>, guard: bool },
    /// A clause that is never reached, since those before it take all.
    Covered,
    /// A function that never returns, by what was found in it.
    NoReturn { function: NameArity },
    /// A spec that says of an argument (from 0) what it cannot be when the function returns;
    /// `by_specs` if that follows from specs of functions that it calls.
    SpecArgument { place: usize, declared: Type, inferred: Type, by_specs: bool },
    /// A spec whose result is never given.
    SpecResult { declared: Type, inferred: Type, by_specs: bool },
    /// A clause of a spec (from 0) for whose arguments the function never returns.
    SpecClause { clause: usize, by_specs: bool },
    /// A spec of a callback that says of an argument (from 0), or of the result, what the
    /// behaviour's own declaration excludes.
    SpecCallback { behaviour: Atom, place: Option<usize>, declared: Type, wanted: Type },
    /// A callback that returns only for what its behaviour never gives it (an argument, from 0), or
    /// that never gives what its behaviour expects.
    Callback { behaviour: Atom, place: Option<usize>, inferred: Type, wanted: Type },
    /// A value in a field of a record that the record's declaration excludes.
    Field { record: Atom, field: Atom, declared: Type, given: Type },
    /// A function that its module does not export, or does not have.
    Missing { module: Atom, function: NameArity },
    /// What is inside of an opaque type of another module is looked at.
    Opaque { ty: Type },
}

impl Why {
    /// A stable word for what is wrong: a row of the registry.
    pub fn code(&self) -> &'static str {
        match self {
            Why::Call { .. } => "failing_call",
            Why::Fun { .. } => "failing_fun",
            Why::Operator { .. } => "failing_operator",
            Why::Match { .. } => "failing_match",
            Why::Clause { .. } => "unmatched_clause",
            Why::Covered => "covered_clause",
            Why::NoReturn { .. } => "no_return",
            Why::SpecArgument { .. } => "spec_argument",
            Why::SpecResult { .. } => "spec_result",
            Why::SpecClause { .. } => "spec_clause",
            Why::SpecCallback { .. } => "spec_callback",
            Why::Callback { .. } => "callback_type",
            Why::Field { .. } => "record_field",
            Why::Missing { .. } => "missing_function",
            Why::Opaque { .. } => "opaque_term",
        }
    }

    /// The option of a `-dialyzer` attribute that silences it.
    pub fn silenced_by(&self) -> &'static str {
        match self {
            Why::Call { .. } | Why::Operator { .. } => "no_fail_call",
            Why::Fun { .. } => "no_fun_app",
            Why::Match { .. } | Why::Clause { .. } | Why::Covered => "no_match",
            Why::NoReturn { .. } => "no_return",
            Why::SpecArgument { .. } | Why::SpecResult { .. } | Why::SpecClause { .. } => {
                "no_contracts"
            }
            Why::SpecCallback { .. } | Why::Callback { .. } => "no_behaviours",
            Why::Field { .. } => "no_return",
            Why::Missing { .. } => "no_missing_calls",
            Why::Opaque { .. } => "no_opaque",
        }
    }

    /// Whether a macro or a parse transform that makes such code means it: clauses for everything
    /// that could be there.
    pub(super) fn is_usual_in_made_code(&self) -> bool {
        matches!(self, Why::Clause { .. } | Why::Covered)
    }

    /// Whether a function that gets there fails. (That a clause is never chosen is no failure.)
    pub fn fails(&self) -> bool {
        matches!(
            self,
            Why::Call { .. } | Why::Fun { .. } | Why::Operator { .. } | Why::Match { .. }
        )
    }

    /// Why a call fails; `None` if the function never returns, whatever it is given: then it is
    /// not the call that is wrong.
    pub(super) fn call(
        module: Atom,
        function: NameArity,
        args: Vec<Type>,
        callee: &Callee,
    ) -> Option<Why> {
        // One that takes what it is given, and is said never to return then, does what it is for.
        if let Callee::Declared(contract) = callee
            && !contract.apply(&args).is_empty()
        {
            return None;
        }
        let all = callee.ways(&vec![Type::Any; args.len()]);
        // One that returns only where `erlang:raise/3` refuses a stack trace is meant to raise.
        let refused = Type::the_atom(Atom::new("badarg"));
        if all.iter().all(|way| way.result == refused) {
            return None;
        }
        let bad = args.iter().enumerate().find_map(|(place, arg)| {
            // Only this one as it is, the others anything.
            let mut alone = vec![Type::Any; args.len()];
            alone[place] = arg.clone();
            if !callee.ways(&alone).is_empty() {
                return None;
            }
            let expected = all.iter().fold(Type::None, |joined, way| joined.join(&way.args[place]));
            Some((place, expected))
        });
        Some(Why::Call { module, function, args, bad })
    }
}
