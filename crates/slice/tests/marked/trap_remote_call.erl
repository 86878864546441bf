%% A function that is not part of the program: its result depends on its arguments.
-module(trap_remote_call).
-export([f/2]).

f(L, ‹M›) ->
    Sorted = lists:sort(L),
    ‹Other = lists:sort(M)›,
    Top = lists:last(Sorted),
    {«Top», ‹Other›}.
