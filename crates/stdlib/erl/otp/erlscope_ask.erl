%% Evaluates one call for whoever runs the node from outside.
-module(erlscope_ask).

-export([call/3]).

call(Module, Function, Args) -> erlscope_native:finish(apply(Module, Function, Args)).
