//! What kind of slice is asked for.

/// How much of the program is one thing that is either in the slice or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    /// Every expression, down to single literals and elements of data structures.
    #[default]
    Expression,
    /// Whole expressions of bodies, as in a classic program dependence graph. For comparison.
    Statement,
}

/// Which exceptions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exceptions {
    /// All that anybody may notice: handlers, and other processes that go on where one has failed.
    #[default]
    All,
    /// Those inside of a `try` or `catch`: no process ends by an exception, or nobody goes on then.
    Handled,
    /// None: nothing fails.
    None,
}

/// The choices behind a dependence graph. The defaults give the smallest slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether edges remember which part of a data structure they carry.
    pub constraints: bool,
    pub granularity: Granularity,
    /// Whether clauses that can never be chosen are left out.
    pub clause_reachability: bool,
    pub exceptions: Exceptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            constraints: true,
            granularity: Granularity::Expression,
            clause_reachability: true,
            exceptions: Exceptions::All,
        }
    }
}
