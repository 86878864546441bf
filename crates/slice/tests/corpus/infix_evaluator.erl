%% Tokens, a parser by precedence, and evaluation with variables.
%% inputs: run(string, list({one("x"; "y"), int}))
-module(infix_evaluator).
-export([run/2]).

run(S, Vars) ->
    Text = "x*(2+" ++ [C || C <- S, lists:member(C, "0123456789+-*() xy")] ++ "3)-y",
    Env = maps:from_list(Vars),
    case tokens(Text, 1, []) of
        {ok, Ts} ->
            try expr(Ts, 0) of
                {Tree, []} -> {ok, eval(Tree, Env), depth(Tree)};
                {Tree, [{Pos, _} | _]} -> {trailing, Pos, depth(Tree)}
            catch
                throw:{syntax, P} -> {syntax, P}
            end;
        {error, P, C} -> {lexical, P, C}
    end.

tokens([], _, Acc) -> {ok, lists:reverse(Acc)};
tokens([$  | T], P, Acc) -> tokens(T, P + 1, Acc);
tokens([C | _] = T, P, Acc) when C >= $0, C =< $9 ->
    {Ds, Rest} = lists:splitwith(fun(D) -> D >= $0 andalso D =< $9 end, T),
    tokens(Rest, P + length(Ds), [{P, {num, list_to_integer(Ds)}} | Acc]);
tokens([C | T], P, Acc) when C >= $a, C =< $z -> tokens(T, P + 1, [{P, {var, [C]}} | Acc]);
tokens([C | T], P, Acc) when C =:= $+; C =:= $-; C =:= $*; C =:= $(; C =:= $) ->
    tokens(T, P + 1, [{P, list_to_atom([C])} | Acc]);
tokens([C | _], P, _) -> {error, P, C}.

expr(Ts, Min) ->
    {Left, Rest} = primary(Ts),
    infix(Left, Rest, Min).

infix(Left, [{_, Op} | Rest] = Ts, Min) ->
    case prec(Op) of
        N when N > Min ->
            {Right, Rest1} = expr(Rest, N),
            infix({Op, Left, Right}, Rest1, Min);
        _ -> {Left, Ts}
    end;
infix(Left, [], _) -> {Left, []}.

primary([{_, {num, N}} | R]) -> {{num, N}, R};
primary([{_, {var, V}} | R]) -> {{var, V}, R};
primary([{_, '-'} | R]) -> {E, R1} = primary(R), {{neg, E}, R1};
primary([{P, '('} | R]) ->
    case expr(R, 0) of
        {E, [{_, ')'} | R1]} -> {E, R1};
        {_, []} -> throw({syntax, P});
        {_, [{Q, _} | _]} -> throw({syntax, Q})
    end;
primary([{P, _} | _]) -> throw({syntax, P});
primary([]) -> throw({syntax, eof}).

prec('+') -> 1;
prec('-') -> 1;
prec('*') -> 2;
prec(_) -> 0.

eval({num, N}, _) -> N;
eval({var, V}, E) -> maps:get(V, E, 1);
eval({neg, X}, E) -> -eval(X, E);
eval({Op, A, B}, E) -> erlang:Op(eval(A, E), eval(B, E)).

depth({_, A, B}) -> 1 + max(depth(A), depth(B));
depth({neg, A}) -> 1 + depth(A);
depth(_) -> 1.
