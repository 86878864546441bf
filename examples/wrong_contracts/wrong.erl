%% Contracts that cannot be read.
-module(wrong).
-export([f/1]).

-pre("g(X) -> X > 0").
-pre("f(X) = R -> R > X").
-post("f(X) -> X > 0").
-pre("f(X -> true").
-invariant("S -> S > 0").
-pure("f/1").

f(X) -> X.
