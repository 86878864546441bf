%% A guard refuses what its pattern has taken out of a message.
%% inputs: first(int), kinds(int), taken_later(int), of_others(int), ended(int)
-module(refused_by_guard).
-export([first/1, kinds/1, taken_later/1, of_others/1, ended/1]).

-record(point, {x, y}).

first(N) ->
    Self = self(),
    Wrong = {far, N},
    Right = #point{x = N, y = N + 1},
    Self ! {m, Wrong},
    Self ! {m, Right},
    receive
        {m, V} when is_record(V, point) -> V#point.y
    end.

kinds(N) ->
    Self = self(),
    Self ! {m, [N]},
    Self ! {m, N * 2},
    Self ! {m, ready},
    receive
        {m, A} when is_atom(A), A =/= late -> A
    end.

taken_later(N) ->
    Self = self(),
    Early = {early, N},
    Self ! {m, Early},
    Self ! {m, N},
    First = receive {m, I} when is_integer(I) -> I end,
    Second = receive {m, Any} -> Any end,
    {First, Second}.

of_others(N) ->
    Self = self(),
    Count = N + 7,
    P = spawn(fun() -> Self ! {m, text(Count)}, Self ! {m, Count} end),
    Got = receive {m, V} when is_integer(V) -> V after 1000 -> none end,
    {Got, is_pid(P)}.

text(Count) ->
    Digits = integer_to_list(Count),
    {text, Digits}.

ended(N) ->
    Self = self(),
    Self ! {m, {N}},
    receive
        {m, V} when is_map(V) -> V
    after 10 ->
        none
    end.
