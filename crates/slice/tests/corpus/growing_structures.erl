%% Loops that wrap, unwrap and shift structures.
%% inputs: wrap(nat, int), unwrap(nat, int), shift(nat, int), mixed(nat)
-module(growing_structures).
-export([wrap/2, unwrap/2, shift/2, mixed/1]).

wrap(N, V) ->
    X = deeper(N rem 5, {V, start}),
    {C, _} = X,
    C.

deeper(0, X) -> X;
deeper(N, X) ->
    A = {X, N},
    deeper(N - 1, {A, N * 2}).

unwrap(N, V) ->
    M = N rem 5,
    Deep = nest(M, {V, 0}),
    X = shallower(M, Deep),
    {C, D} = X,
    C + D.

nest(0, X) -> X;
nest(N, X) -> nest(N - 1, {X, N}).

shallower(0, X) -> X;
shallower(N, B) ->
    {X, _} = B,
    shallower(N - 1, X).

shift(N, V) ->
    {C, _} = pairs(N rem 6, {V, 10}),
    C.

pairs(0, X) -> X;
pairs(I, {A, B}) -> pairs(I - 1, {A + I, B - I}).

mixed(N) ->
    X = {0, {1, {2, {3, {4, {5, end_of_it}}}}}},
    {C, _} = walk(N rem 5, X),
    C.

walk(0, X) -> X;
walk(N, {_, D}) ->
    {A, B} = D,
    walk(N - 1, {A, B}).
