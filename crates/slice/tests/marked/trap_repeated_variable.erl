%% A variable that stands in a head twice has a value only if both are equal; the match is a part of a pattern.
-module(trap_repeated_variable).
-export([f/2]).

f(A, B) -> g({A, ‹1›}, B).

g({«X», ‹_Y›} = ‹_P›, X) -> ‹same›;
g(_, _) -> ‹other›.
