%% Thesis, Figure 6.2: a case with one clause left. (The last clause can only be left out, the first
%% one must go by what is before it: X is not 123456789 where 2 is tried.)
-module(figure_6_2).
-export([main/2]).

main(X, ‹Y›) ->
    A = 1, B = A, ‹C = B›,
    ‹Z› = foo(X, {‹Y›, B, ‹C›}),
    ‹Z›.

foo(X, {‹Y›, B, ‹C›}) ->
    case X of
        ⟨123456789⟩ -> ‹Z = X / Y›,
                     ‹Z + C›;
        2 -> «B»;
        ‹_ -> X / Y›
    end.
