-module(expressions).
%% Simplifies and computes arithmetic expressions.
-export([main/1]).
-type expr() :: {num, integer()} | {add, expr(), expr()} | {mul, expr(), expr()}
              | {divide, expr(), expr()} | {neg, expr()}.
-spec main(expr()) -> term().
main(E) ->
    case simplify(E) of
        {num, N} when N > 100 -> {large, N};
        {num, N} -> {small, N};
        Other -> try {value, compute(Other)} catch throw:zero -> division_by_zero end
    end.

simplify({add, {num, 0}, E}) -> simplify(E);
simplify({add, E, {num, 0}}) -> simplify(E);
simplify({mul, {num, 1}, E}) -> simplify(E);
simplify({mul, {num, 0}, _}) -> {num, 0};
simplify({neg, {neg, E}}) -> simplify(E);
simplify({divide, E, E}) -> {num, 1};
simplify(E) -> E.

compute({num, N}) -> N;
compute({add, A, B}) -> compute(A) + compute(B);
compute({mul, A, B}) -> compute(A) * compute(B);
compute({neg, A}) -> -compute(A);
compute({divide, A, B}) ->
    case compute(B) of
        0 -> throw(zero);
        N -> compute(A) div N
    end.
