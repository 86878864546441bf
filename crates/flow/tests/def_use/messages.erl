-module(messages).
-export([start/1]).

start(V) ->
  P = spawn(fun() -> server() end),
  M = {set, V},
  P ! M,
  P ! {get, self(), V},
  receive R -> R end.

server() ->
  receive
    {set, A} -> A;
    {get, From, B} -> From ! B
  end.
