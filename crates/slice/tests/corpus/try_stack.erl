%% Exceptions with stack traces, raise/3, and errors with arguments.
%% inputs: top(int), again(one(a; b)), reason(any)
-module(try_stack).
-export([top/1, again/1, reason/1]).

top(N) ->
    try inner(N)
    catch
        error:R:Stack ->
            [{M, F, A, _} | _] = Stack,
            {R, M, F, A}
    end.

inner(N) when N > 0 -> N + depth(N);
inner(N) -> error({too_small, N}).

depth(N) ->
    M = N - 1,
    if M > 3 -> error(deep); true -> M end.

again(What) ->
    try
        try
            erlang:error(What)
        catch
            C:R:S -> erlang:raise(C, {again, R}, S)
        end
    catch
        error:{again, Original} -> {back, Original}
    end.

reason(X) ->
    try convert(X) of
        N when N > 10 -> big;
        N -> {n, N}
    catch
        error:function_clause -> {no_clause, X};
        error:Other -> {other, Other}
    end.

convert(X) when is_atom(X) -> length(atom_to_list(X));
convert([X]) -> X;
convert({A, B}) -> A + B.
