-export([lines/0, chars/0, by_format/0, as_binary/0, to_the_end/0]).

lines() ->
    io:format("~p~n", [[io:get_line("> "), io:get_line('prompt '), io:get_line(<<"b">>)]]).

chars() ->
    io:format("~p~n", [[io:get_chars("", 3), io:get_chars("", 10), io:get_line("")]]).

by_format() ->
    io:get_line(""),
    io:format("~p~n", [io:fread("", "~d ~s ~f")]),
    io:format("~p~n", [io:get_line("")]).

as_binary() ->
    io:setopts([binary]),
    io:format("~p~n", [[io:get_line(""), io:get_chars("", 2)]]).

to_the_end() ->
    Lines = all(io:get_line("")),
    io:format("~tp ~p~n", [Lines, io:get_line("")]).

all(eof) -> [];
all(Line) -> [Line | all(io:get_line(""))].
