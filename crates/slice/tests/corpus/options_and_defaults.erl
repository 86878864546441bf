%% Options in property lists, and a configuration made of them.
%% inputs: start(one([]; [{port, 80}]; [{host, "x"}, verbose]), int), limits(int), merged(int)
-module(options_and_defaults).
-export([start/2, limits/1, merged/1]).

start(Options, Retries) ->
    Host = proplists:get_value(host, Options, "localhost"),
    Port = proplists:get_value(port, Options, 8080),
    Verbose = proplists:get_bool(verbose, Options),
    Config = [{address, {Host, Port}}, {retries, Retries}, {verbose, Verbose}],
    {Name, Number} = proplists:get_value(address, Config),
    {length(Name), Number, proplists:get_value(retries, Config)}.

limits(N) ->
    Limits = [{low, N - 10, "low"}, {mid, N, "mid"}, {high, N + 10, "high"}],
    {low, Low, _} = lists:keyfind(low, 1, Limits),
    {_, _, Text} = lists:keyfind(high, 1, Limits),
    Labels = [Label || {_, _, Label} <- Limits],
    {Low, Text, hd(Labels)}.

merged(N) ->
    Defaults = #{size => 10, colour => red, depth => {1, 2}},
    Given = #{size => N, name => "box"},
    All = maps:merge(Defaults, Given),
    #{size := Size, depth := {_, Depth}} = All,
    Colour = maps:get(colour, All),
    Name = maps:get(name, All, "none"),
    {Size * Depth, Colour, Name}.
