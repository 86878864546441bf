%% Thesis, Figure 4.5: the constraint collected so far is dropped at the control edge, so that all of
%% X is asked for; it stays on the way to Y, of which only the first element is.
-module(figure_4_5).
-export([main/3, f/2]).

main(P, Q, R) ->
    f({P, Q}, {R, ‹{left, out}›}).

f(X = {⟨V⟩, ⟨W⟩}, Y) ->
    case foo(X) of
        true ->
            {A, _} = Y,
            ‹B = 1›,
            {«A», ‹B›};
        ⟨false⟩ ->
            ‹none›
    end.

foo({V, W}) -> V > W.
