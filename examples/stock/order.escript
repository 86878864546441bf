#!/usr/bin/env escript
%% Orders what is named on the command line.
main([]) ->
    io:format("usage: order ITEM...~n"),
    halt(2);
main(Items) ->
    [io:format("ordered: ~ts~n", [Item]) || Item <- lists:sort(Items)].
