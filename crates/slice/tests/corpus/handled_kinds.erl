%% One handler for many kinds of failure, each with a part of its reason.
%% inputs: main(one(arith; match; clause; key; fun_; throw; exit; none), int)
-module(handled_kinds).
-export([main/2]).

main(Kind, X) ->
    put(done, []),
    R = try
        note(begin_),
        do(Kind, X),
        note(end_),
        none
    catch
        error:badarith -> arith;
        error:{badmatch, [V | _]} -> V;
        error:{case_clause, {V, _}} when V > 2 -> {large, V};
        error:{case_clause, _} -> note(clause);
        error:{badkey, V} -> V;
        error:{badfun, V} -> {no_fun, V};
        throw:{V, W} -> V + W;
        exit:V -> note(V), ok
    end,
    Done = get(done),
    {R, Done}.

note(X) -> put(done, [X | get(done)]), X.

do(arith, X) -> X / 0;
do(match, X) -> [] = [X, X];
do(clause, X) -> case {X, 1} of {0, _} -> ok; {_, 2} -> ok end;
do(key, X) -> maps:get(X, #{0 => 1});
do(fun_, X) -> X(1);
do(throw, X) -> throw({X, X + 1});
do(exit, X) -> exit(X);
do(none, _) -> ok.
