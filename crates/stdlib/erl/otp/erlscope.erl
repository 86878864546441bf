%% What a program may say to the tool that runs it.
%%
%% assert(Condition) fails its process if Condition is not true, as an error does; a tool
%% that explores the program tells it as an assertion.
-module(erlscope).

-export([assert/1, assert/2]).

-spec assert(boolean()) -> ok.
assert(Condition) ->
    assert(Condition, "the condition is false").

%% Message is chardata or any term.
-spec assert(boolean(), term()) -> ok.
assert(true, _) ->
    ok;
assert(_, Message) ->
    erlang:error({erlscope_assertion, [{message, Message}]}).
