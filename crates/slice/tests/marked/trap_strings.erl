%% A string before `++` in an expression and in a pattern.
-module(trap_strings).
-export([f/1]).

f(Name) ->
    Text = "name: " ++ Name,
    ‹Loud = string:to_upper(Text)›,
    "name: " ++ Rest = Text,
    {«Rest», ‹Loud›}.
