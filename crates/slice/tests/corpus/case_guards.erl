%% Guards with commas, semicolons, andalso, orelse.
%% inputs: classify(int, int), kind(any), range(int)
-module(case_guards).
-export([classify/2, kind/1, range/1]).

classify(X, Y) when X > 0, Y > 0 -> {first, X};
classify(X, Y) when X < 0, Y > 0; X > 0, Y < 0 -> {mixed, Y};
classify(X, Y) when X =:= 0 orelse Y =:= 0 ->
    Sum = X + Y,
    {axis, Sum};
classify(X, Y) ->
    {third, X * Y}.

kind(T) ->
    case T of
        N when is_integer(N) andalso N > 10 -> {big, N};
        N when is_integer(N) -> {small, N};
        A when is_atom(A); is_boolean(A) -> {name, A};
        L when is_list(L), length(L) > 2 -> {long, hd(L)};
        {A, B} when A == B -> {same, A};
        _ -> other
    end.

range(N) ->
    Low = 3,
    High = Low + 4,
    if
        N < Low -> {below, Low - N};
        N >= Low, N =< High -> within;
        true ->
            Over = N - High,
            {above, Over}
    end.
