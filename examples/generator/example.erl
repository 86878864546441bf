-module(example).
-export([loop/2, use/0]).

loop(Value, F) ->
  receive
    {PID, next} ->
      PID ! {generator, Value},
      loop(F(Value), F);
    stop -> ok
  end.

init_gen(Start, F) ->
  register(
    generator,
    spawn(example, loop, [Start, F])).

stop_gen() -> generator ! stop.

get_next() ->
  generator ! {self(), next},
  receive
    {generator, Result} -> Result
  end.

use() ->
  init_gen(0, fun(N) -> N + 1 end),
  A = get_next(),
  stop_gen(),
  A.
