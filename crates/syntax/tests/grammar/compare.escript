#!/usr/bin/env escript
%% -*- coding: utf-8 -*-
%% Compares our reading of single forms with that of erl_parse.
%% Usage: compare.escript TEXTS OURS. TEXTS has one form a line; OURS has one term a form, which is
%% 'skip' where the line is no single form. Prints one line a difference and the counts.
-mode(compile).

main([TextFile, OurFile]) ->
    ok = io:setopts([{encoding, unicode}]),
    {ok, Bytes} = file:read_file(TextFile),
    Texts = binary:split(Bytes, <<"\n">>, [global, trim]),
    {ok, Ours} = file:consult(OurFile),
    length(Texts) =:= length(Ours) orelse
        begin io:format("~w texts, ~w terms~n", [length(Texts), length(Ours)]), halt(1) end,
    Counts = compare(Texts, Ours, #{}),
    io:format("counts ~w~n", [maps:to_list(Counts)]).

compare([Text | Texts], [Our | Ours], Counts) ->
    Result = case judge(unicode:characters_to_list(Text)) of
        skip -> skipped;
        _ when Our =:= skip -> skipped;
        Our when element(1, Our) =:= error -> same_error;
        Our -> same_form;
        Otp ->
            Kind = case {Our, Otp} of
                {{error, {L, _, _}}, {error, {L, _, _}}} -> other_descriptor;
                {{error, _}, {error, {L2, erl_parse, ["syntax error before: ", Token]}}} ->
                    case newer(Token, L2, Text) of
                        true -> newer;
                        false -> other_place
                    end;
                {{error, _}, {error, _}} -> other_place;
                {{error, _}, _} -> we_reject;
                {_, {error, _}} -> we_accept;
                _ -> other_form
            end,
            case Kind of
                newer -> ok;
                _ -> io:format("~w\t~ts\tours ~tw\totp ~tw~n", [Kind, Text, Our, Otp])
            end,
            Kind
    end,
    compare(Texts, Ours, maps:update_with(Result, fun(N) -> N + 1 end, 1, Counts));
compare([], [], Counts) ->
    Counts.

%% Whether an error stands where a later release goes on reading: a call of a call, a comprehension
%% with several values or of a map, a map generator, a record name that is a keyword.
newer("'('", {1, Column}, Text) -> before(Text, Column, ")");
newer("':'", {1, Column}, Text) -> before(Text, Column, ")");
newer("'||'", _, _) -> true;
newer("':='", _, Text) -> string:find(Text, "||") =/= nomatch;
newer(_, {1, Column}, Text) -> before(Text, Column, "#").

before(Text0, Column, Token) ->
    Text = case unicode:characters_to_list(Text0) of "@maybe " ++ Rest -> Rest; Other -> Other end,
    lists:suffix(Token, string:trim(string:slice(Text, 0, Column - 1), trailing)).

judge(Text0) ->
    {Words, Text} = case Text0 of
        "@maybe " ++ Rest -> {fun(W) -> W =:= 'maybe' orelse W =:= 'else' orelse erl_scan:reserved_word(W) end, Rest};
        _ -> {fun erl_scan:reserved_word/1, Text0}
    end,
    case erl_scan:string(Text, {1, 1}, [{reserved_word_fun, Words}]) of
        {ok, Tokens, _} ->
            Dots = [T || T <- Tokens, element(1, T) =:= dot],
            case Tokens =/= [] andalso length(Dots) =:= 1 andalso element(1, lists:last(Tokens)) =:= dot
                andalso not directive(Tokens) of
                true ->
                    try erl_parse:parse_form(Tokens) of
                        {ok, Form} -> Form;
                        {error, _} = Error -> Error
                    catch _:_ -> skip
                    end;
                false -> skip
            end;
        _ -> skip
    end.

%% What epp takes for itself.
directive([{'-', _}, {Kind, _, Name} | _]) when Kind =:= atom ->
    lists:member(Name, [define, undef, ifdef, ifndef, elif, else, endif, include, include_lib,
                        file, feature, error, warning]);
directive([{'-', _}, {Word, _} | _]) -> lists:member(Word, ['if', else]);
directive(Tokens) -> lists:any(fun(T) -> element(1, T) =:= '?' end, Tokens).
