%% A loop with several variables that are changed in some rounds only.
%% inputs: trip(list(nat)), coffee(nat)
-module(boat_trip).
-export([trip/1, coffee/1]).

trip(Winds) ->
    {X, Y, Log} = sail(Winds, {0, 0, []}),
    Distance = abs(X) + abs(Y),
    Legs = length(Log),
    {Distance, Legs, hd(Log ++ [none])}.

sail([], State) -> State;
sail([W | Ws], {X, Y, Log}) ->
    Next = case W rem 3 of
        0 -> {X + W, Y, [{east, W} | Log]};
        1 -> {X, Y - W, [{south, W} | Log]};
        2 -> {X, Y, Log}
    end,
    sail(Ws, Next).

coffee(N) ->
    {Mug, Cups, Price} = drink(N rem 8, {full, 0, 5}),
    Bill = Cups * Price,
    {Mug, Bill}.

drink(0, Mug) -> Mug;
drink(N, {full, Cups, Price}) -> drink(N - 1, {empty, Cups + 1, Price});
drink(N, {empty, Cups, Price}) when Cups > 2 -> drink(N - 1, {full, Cups, Price - 1});
drink(N, {empty, Cups, Price}) -> drink(N - 1, {full, Cups, Price}).
