%% Values with what they can be made smaller to: a tree of values, the children of each being
%% simpler and made when somebody looks at them. Whoever generates a value builds its tree in the
%% same breath, so that shrinking needs no other description of a type, and goes through
%% `?LET` and `?SUCHTHAT`: a smaller value is one that the same generator could have made.
%%
%% Children come with the largest steps first. Every chain of children ends: numbers come closer to
%% their goal, lists lose elements, and one alternative gives way to another only if that is
%% lighter (weight/1), or as light and named before it.
-module(erlscope_proper_tree).

-export([leaf/1, tree/2, value/1, children/1, map/2, filter/2, prune/1, before/2]).
-export([integer/3, float/3, fixed/2, list/2, alternative/3, weight/1, one_smaller/1, pieces/1, without/2]).

leaf(Value) -> {Value, fun() -> [] end}.

%% Children: a function that makes them.
tree(Value, Children) -> {Value, Children}.

value({Value, _}) -> Value.

children({_, Children}) -> Children().

map(F, {Value, Children}) ->
    {F(Value), fun() -> [map(F, Child) || Child <- Children()] end}.

%% Only children that hold; the value does.
filter(Holds, {Value, Children}) ->
    {Value, fun() -> [filter(Holds, Child) || {V, _} = Child <- Children(), Holds(V)] end}.

%% A value that stays as it is.
prune({Value, _}) -> leaf(Value).

%% Others that are tried first.
before(Others, {Value, Children}) ->
    {Value, fun() -> Others() ++ Children() end}.

%%% --------------------------------------------------------------------- numbers

%% An integer of a range (`inf` for no bound), on its way to the one of them that is closest to 0.
integer(N, Low, High) -> integer_to(N, closest(0, Low, High), Low, High).

integer_to(Goal, Goal, _, _) ->
    leaf(Goal);
integer_to(N, Goal, Low, High) ->
    {N, fun() ->
                Positive = [-N || N < 0, -N >= Goal, is_below(-N, High)],
                Closer = [N - D || D <- halves(N - Goal)],
                [integer_to(C, Goal, Low, High) || C <- distinct(Positive ++ Closer)]
        end}.

%% From the whole way down to one step.
halves(0) -> [];
halves(D) -> [D | halves(D div 2)].

distinct([X | Rest]) -> [X | distinct([Y || Y <- Rest, Y =/= X])];
distinct([]) -> [].

closest(Goal, Low, _) when Low =/= inf, Goal < Low -> Low;
closest(Goal, _, High) when High =/= inf, Goal > High -> High;
closest(Goal, _, _) -> Goal.

is_below(_, inf) -> true;
is_below(N, High) -> N =< High.

%% To whole numbers first, and then as integers; others closer to their goal, a few times.
float(F, Low, High) -> float(F, Low, High, 16).

float(F, Low, High, Steps) ->
    Goal = float(closest(0.0, Low, High)),
    {F, fun() when F == Goal; Steps =:= 0 -> [];
           () ->
                Positive = [-F || F < 0, in_range(-F, Low, High)],
                Closer = [C || C <- closer(F, Goal), abs(C - Goal) < abs(F - Goal), in_range(C, Low, High)],
                [float(C, Low, High, left(F, Steps)) || C <- distinct([Goal | Positive ++ Closer])]
        end}.

closer(F, Goal) when abs(F) < 1.0e15, F == trunc(F) ->
    [float(trunc(F) - D) || D <- halves(trunc(F) - trunc(Goal))];
closer(F, Goal) ->
    [float(trunc(F)) || abs(F) < 1.0e15] ++ [Goal + (F - Goal) / 2].

%% Whole numbers come to an end by themselves.
left(F, Steps) when abs(F) < 1.0e15, F == trunc(F) -> Steps;
left(_, Steps) -> Steps - 1.

in_range(F, Low, High) -> (Low =:= inf orelse F >= Low) andalso is_below(F, High).

%%% ------------------------------------------------------------------ collections

%% As many parts as there are; Build makes the value of theirs.
fixed(Trees, Build) ->
    {Build([V || {V, _} <- Trees]), fun() -> [fixed(Smaller, Build) || Smaller <- one_smaller(Trees)] end}.

%% One part smaller, or all that are equal.
one_smaller(Trees) -> all_smaller(Trees, []) ++ each_smaller(Trees).

each_smaller([]) -> [];
each_smaller([Tree | Rest]) ->
    [[Child | Rest] || Child <- children(Tree)] ++ [[Tree | Smaller] || Smaller <- each_smaller(Rest)].

all_smaller([{Value, _} = Tree | Rest], Seen) ->
    IsEqual = fun({V, _}) -> V =:= Value end,
    case lists:any(IsEqual, Rest) andalso not lists:any(IsEqual, Seen) of
        true ->
            Before = lists:reverse(Seen),
            In = fun(Child) -> [case IsEqual(T) of true -> Child; false -> T end || T <- Rest] end,
            [Before ++ [Child | In(Child)] || Child <- children(Tree)] ++ all_smaller(Rest, [Tree | Seen]);
        false ->
            all_smaller(Rest, [Tree | Seen])
    end;
all_smaller([], _) ->
    [].

%% Fewer parts, then smaller ones.
list(Trees, Build) ->
    {Build([V || {V, _} <- Trees]),
     fun() ->
             Fewer = [without(Piece, Trees) || Piece <- pieces(length(Trees))],
             [list(Smaller, Build) || Smaller <- Fewer ++ one_smaller(Trees)]
     end}.

%% What can be left out of so many: {Start, Length}, all of them, then halves, down to one.
pieces(Count) -> pieces(Count, Count).

pieces(_, 0) -> [];
pieces(Count, Length) ->
    [{Start, min(Length, Count - Start)} || Start <- lists:seq(0, Count - 1, Length)]
        ++ pieces(Count, Length div 2).

without({Start, Length}, List) ->
    {Before, After} = lists:split(Start, List),
    Before ++ lists:nthtail(Length, After).

%%% ------------------------------------------------------------------ alternatives

%% What was chosen, by its number, with what else could have been: [{Number, fun() -> Tree}].
alternative(Number, {Value, _} = Tree, Others) ->
    Own = {weight(Value), Number},
    before(fun() ->
                   Made = [{N, Make()} || {N, Make} <- Others],
                   [Other || {N, {V, _} = Other} <- Made, {weight(V), N} < Own]
           end, Tree).

%% How much there is to read of a value.
weight(List) when is_list(List) -> weight_of_list(List, 1);
weight(Tuple) when is_tuple(Tuple) -> 1 + lists:sum([weight(E) || E <- tuple_to_list(Tuple)]);
weight(Map) when is_map(Map) -> 1 + lists:sum([weight(K) + weight(V) || {K, V} <- maps:to_list(Map)]);
weight(Bits) when is_bitstring(Bits) -> 1 + bit_size(Bits);
weight(N) when is_integer(N) -> 1 + length(integer_to_list(abs(N)));
weight(F) when is_float(F) -> 4;
weight(_) -> 1.

weight_of_list([E | Rest], Sum) -> weight_of_list(Rest, Sum + 1 + weight(E));
weight_of_list([], Sum) -> Sum;
weight_of_list(Tail, Sum) -> Sum + weight(Tail).
