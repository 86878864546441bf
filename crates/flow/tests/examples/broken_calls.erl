%% What cannot be known is listed.
-module(broken_calls).
-export([start/2, input/0]).

start(F, Pid) ->
    F(1),
    Pid ! hello,
    spawn(F),
    missing:function(1).

input() ->
    {ok, [Name]} = io:fread("", "~a"),
    Name:run(),
    undefined_here().

undefined_here() -> broken_calls:nothing(1).
