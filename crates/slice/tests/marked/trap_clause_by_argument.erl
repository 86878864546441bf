%% The argument of a call is written: it chooses a clause, the others have no part in the result.
-module(trap_clause_by_argument).
-export([f/1]).

f(N) ->
    Which = 2,
    A = pick(Which, N),
    {«A», ‹pick(1, N)›}.

pick(‹1›, ‹N›) -> ‹helper(N)›;
pick(2, N) -> N * 2;
pick(‹3›, ‹N›) -> ‹N - 1›.

‹helper(N) -> N.›
