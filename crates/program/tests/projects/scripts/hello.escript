#!/usr/bin/env escript
%% -*- erlang -*-
%%! -sname hello
main([Name]) ->
    io:format("hello ~s~n", [greeting(Name)]).

greeting(Name) -> unbound(Name).
