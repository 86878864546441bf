%% A queue made of two lists.
%% inputs: fifo(list(int)), interleaved(list(one(in; out)))
-module(two_stack_queue).
-export([fifo/1, interleaved/1]).

fifo(L) ->
    Q = lists:foldl(fun in/2, {[], []}, L),
    {Out, Q2} = out(Q),
    Size = size_of(Q2),
    {Out, Size}.

in(X, {Front, Back}) -> {Front, [X | Back]}.

out({[], []} = Q) -> {empty, Q};
out({[], Back}) -> out({lists:reverse(Back), []});
out({[X | Front], Back}) -> {{value, X}, {Front, Back}}.

size_of({F, B}) -> length(F) + length(B).

interleaved(Ops) ->
    {Q, Outs, Next} = lists:foldl(fun step/2, {{[], []}, [], 1}, Ops),
    {size_of(Q), lists:reverse(Outs), Next}.

step(in, {Q, Outs, N}) -> {in(N, Q), Outs, N + 1};
step(out, {Q, Outs, N}) ->
    case out(Q) of
        {{value, V}, Q2} -> {Q2, [V | Outs], N};
        {empty, Q2} -> {Q2, [none | Outs], N}
    end.
