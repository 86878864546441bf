%% Thesis, Example 6.4: dependence through a data structure is not transitive.
-module(example_6_4).
-export([main/0]).

main() ->
    A = {1, ‹2›},
    {«X», ‹Y›} = A,
    ‹{X, Y}›.
