%% Contracts behind one that fails first.
-module(behind).
-export([first/1, outer/1]).

-post("first(_) = R -> R > 100").        %: broken
-post("first(X) = R -> R > X").          %: proven
-post("first(_) = R -> R < 50").         %: broken
-post("outer(_) = R -> R =:= ok").       %: proven
-post("inner(_) = R -> R < 0").          %: broken

-spec first(integer()) -> integer().
first(X) -> X + 1.

-spec outer(integer()) -> ok.
outer(X) -> inner(X), ok.
inner(X) when X < 0 -> X;
inner(X) -> X + 1.
