-module(shapes_circle).
-behaviour(shapes).
-export([new/1, area/1, name/0]).

new(R) -> {circle, R, {0, 0}}.

area({circle, R, _Centre}) ->
    Square = R * R,
    Square * 314 div 100.

name() -> "circle".
