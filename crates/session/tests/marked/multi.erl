-module(multi).
-export([main/0]).
-define(STEP, 2).
-record(st, {stack = [] :: list(), out = [] :: list(), env = #{} :: map()}).
main() -> {run([{push, 1}, {push, 2}, add, print]), run([{push, 3}, dup, mul, {set, x}, {get, x}, print, {push, 1}, print]),
           run([{loop, 3, [{push, 5}, print]}]), run([{push, 1}, pop, pop]), steps(7), maybe_(5), sel({c, 1, 2})}.
run(P) -> (exec(P, #st{}))#st.out.
exec([], S) -> S#st{out = lists:reverse(S#st.out)};
exec([I | Is], S) ->
    case step(I, S) of
        {ok, S1} -> exec(Is, S1);
        {error, E} -> S#st{out = [{error, E} | S#st.out]}
    end.
step({push, X}, S = #st{stack = St}) -> {ok, S#st{stack = [X | St]}};
step(add, S = #st{stack = [A, B | St]}) -> {ok, S#st{stack = [A + «B¦A» | St]}};
step(mul, S = #st{stack = [A, B | St]}) -> {ok, S#st{stack = [A * B | St]}};
step(dup, S = #st{stack = [A | St]}) -> {ok, S#st{stack = [A, A | St]}};
step(pop, S = #st{stack = [_ | St]}) -> {ok, S#st{stack = St}};
step(print, S = #st{stack = [A | St], out = O}) -> {ok, S#st{stack = St, out = [A | O]}};
step({set, X}, S = #st{stack = [A | St], env = E}) -> {ok, S#st{stack = St, env = E#{X => «A¦X»}}};
step({get, X}, S = #st{stack = St, env = E}) when is_map_key(X, E) -> {ok, S#st{stack = [map_get(X, E) | St]}};
step({loop, 0, _}, S) -> {ok, S};
step({loop, N, B}, S) ->
    S1 = #st{} = exec(B, S),
    step({loop, N - 1, B}, S1#st{out = lists:reverse(S1#st.out)});
step(I, _) -> {error, «I¦unknown»}.
steps(N) when N > 0 -> [N | steps(N - ?STEP)];
steps(_) -> [].
maybe_(X) ->
    Y = if X > 3, X < 10 -> mid; X >= 10; X =:= 0 -> edge; true -> low end,
    Z = case {X, Y} of {5, mid} -> «five¦six»; {_, mid} -> other; _ -> no end,
    {Y, Z}.
sel({T, A, B}) ->
    {C, D} = case T of a -> {A, B}; _ -> {«B, A¦A, B»} end,
    [C | D].
