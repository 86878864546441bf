%% A behaviour of our own: callbacks in other modules, called by module name.
%% inputs: area(one(circle; square), int), both(int), describe(one({square, 2}; {circle, 3}))
-module(shapes).
-export([area/2, both/1, describe/1]).
-callback new(integer()) -> term().
-callback area(term()) -> integer().

module(circle) -> shapes_circle;
module(square) -> shapes_square.

area(Kind, Size) ->
    Mod = module(Kind),
    Shape = Mod:new(Size),
    Area = Mod:area(Shape),
    {Kind, Area}.

both(N) ->
    Shapes = [{M, M:new(N)} || M <- [shapes_circle, shapes_square]],
    Areas = [M:area(S) || {M, S} <- Shapes],
    [A, B] = Areas,
    A - B.

describe({Kind, Size}) ->
    M = module(Kind),
    Name = M:name(),
    Shape = M:new(Size),
    Value = case M:area(Shape) of
        A when A > 10 -> {large, A};
        A -> {small, A}
    end,
    {Name, Value}.
