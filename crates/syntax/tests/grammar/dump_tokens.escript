#!/usr/bin/env escript
%% Writes the tokens of files as text, a line a token: line, column, category, value.
%% Usage: dump_tokens.escript LIST. LIST has a line "SOURCE<tab>OUTPUT" a file.
-mode(compile).

main([List]) ->
    {ok, Bytes} = file:read_file(List),
    Lines = [binary:split(Line, <<"\t">>) || Line <- binary:split(Bytes, <<"\n">>, [global, trim])],
    Count = erlang:system_info(schedulers_online),
    Workers = [spawn_monitor(fun() -> [dump(S, O) || {I, [S, O]} <- numbered(Lines), I rem Count =:= K] end)
               || K <- lists:seq(0, Count - 1)],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Workers].

numbered(Lines) -> lists:zip(lists:seq(1, length(Lines)), Lines).

dump(Source, Output) ->
    {ok, Bytes} = file:read_file(Source),
    Encoding = case epp:read_encoding_from_binary(Bytes) of none -> utf8; Named -> Named end,
    Text = unicode:characters_to_list(Bytes, Encoding),
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    ok = file:write_file(Output, [line(Token) || Token <- Tokens]).

line(Token) ->
    {Line, Column} = erl_scan:location(Token),
    [integer_to_binary(Line), $\s, integer_to_binary(Column), $\s, value(Token), $\n].

value({integer, _, Value}) -> [<<"integer ">>, integer_to_binary(Value)];
value({float, _, Value}) -> <<Bits:64>> = <<Value/float>>, [<<"float ">>, integer_to_binary(Bits)];
value({char, _, Value}) -> [<<"char ">>, integer_to_binary(Value)];
value({string, _, Value}) -> [<<"string ">>, unicode:characters_to_binary(Value)];
value({Category, _, Name}) -> [atom_to_binary(Category), $\s, atom_to_binary(Name)];
value({Symbol, _}) -> atom_to_binary(Symbol).
