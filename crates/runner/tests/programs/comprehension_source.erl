%% What a comprehension runs over can be any expression, one that binds variables too.
-module(comprehension_source).
-export([main/0]).

main() ->
    io:format("~p~n", [lists([1, 2])]),
    io:format("~p~n", [binaries([1, 2])]),
    io:format("~p~n", [both([1, 2])]),
    io:format("~p~n", [bits(<<1, 2>>)]).

lists(V2) ->
    [E || E <- begin V22 = V2, _V23 = {point, a}, hd([V22]) end].

binaries(V2) ->
    << <<E:8>> || E <- begin V22 = V2, _V23 = {point, a}, hd([V22]) end >>.

both(V2) ->
    [{E, F} || E <- begin V22 = V2, _V23 = {point, a}, hd([V22]) end, F <- begin V32 = [E], V33 = {V32}, element(1, V33) end].

bits(V2) ->
    << <<E:8>> || <<E:8>> <= begin V22 = V2, _V23 = {point, a}, hd([V22]) end >>.
