%% An evaluator and a simplifier for expressions.
%% inputs: eval(int, int), simple(int), vars(int)
-module(expression_tree).
-export([eval/2, simple/1, vars/1]).

eval(X, Y) ->
    Env = #{x => X, y => Y},
    E = {add, {mul, {var, x}, {num, 3}}, {neg, {var, y}}},
    value(E, Env).

value({num, N}, _) -> N;
value({var, V}, Env) -> maps:get(V, Env);
value({add, A, B}, Env) -> value(A, Env) + value(B, Env);
value({mul, A, B}, Env) ->
    VA = value(A, Env),
    case VA of
        0 -> 0;
        _ -> VA * value(B, Env)
    end;
value({neg, A}, Env) -> -value(A, Env).

simple(N) ->
    E = {add, {mul, {num, 0}, {var, x}}, {add, {num, N}, {num, 0}}},
    S = simplify(E),
    {S, size(S)}.

simplify({add, A, B}) ->
    case {simplify(A), simplify(B)} of
        {{num, 0}, SB} -> SB;
        {SA, {num, 0}} -> SA;
        {SA, SB} -> {add, SA, SB}
    end;
simplify({mul, A, B}) ->
    case {simplify(A), simplify(B)} of
        {{num, 0}, _} -> {num, 0};
        {_, {num, 0}} -> {num, 0};
        {SA, SB} -> {mul, SA, SB}
    end;
simplify(E) -> E.

vars(N) ->
    E = lists:foldl(fun(I, Acc) -> {add, {var, {v, I rem 3}}, Acc} end, {num, N}, [1, 2, 3, 4]),
    Vars = lists:usort(collect(E)),
    length(Vars).

collect({num, _}) -> [];
collect({var, V}) -> [V];
collect({_, A}) -> collect(A);
collect({_, A, B}) -> collect(A) ++ collect(B).
