%% Points, lines and boxes as nested tuples.
%% inputs: box(list({int, int})), path(list({int, int})), turn(int, int)
-module(geometry).
-export([box/1, path/1, turn/2]).

box([]) -> empty;
box([{X, Y} | Points]) ->
    {{Left, Low}, {Right, High}} = lists:foldl(fun widen/2, {{X, Y}, {X, Y}}, Points),
    Width = Right - Left,
    Height = High - Low,
    {Width, Height, {Left, Low}}.

widen({X, Y}, {{L, B}, {R, T}}) ->
    {{min(X, L), min(Y, B)}, {max(X, R), max(Y, T)}}.

path(Points) ->
    Legs = legs(Points),
    {Length, Turns} = measure(Legs, 0, 0),
    Corners = [P || {P, _, _} <- Legs],
    {Length, Turns, length(Corners)}.

legs([{X1, Y1}, {X2, Y2} | Rest]) ->
    [{{X1, Y1}, X2 - X1, Y2 - Y1} | legs([{X2, Y2} | Rest])];
legs(_) -> [].

measure([], Length, Turns) -> {Length, Turns};
measure([{_, DX, DY} | Legs], Length, Turns) when DX =:= 0; DY =:= 0 ->
    measure(Legs, Length + abs(DX) + abs(DY), Turns);
measure([{_, DX, DY} | Legs], Length, Turns) ->
    measure(Legs, Length + abs(DX) + abs(DY), Turns + 1).

turn(X, Y) ->
    Point = {point, {X, Y}, [{colour, red}, {size, X * Y}]},
    {point, {A, B}, Attributes} = Point,
    Turned = setelement(2, Point, {-B, A}),
    {C, _} = element(2, Turned),
    [{colour, Colour} | _] = Attributes,
    {C, Colour}.
