%% Texts of what our own checks say about a module (see `compile').
-module(erlscope_lint).

-export([format_error/1]).

format_error({_Code, Message}) -> Message.
