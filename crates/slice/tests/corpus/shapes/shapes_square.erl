-module(shapes_square).
-behaviour(shapes).
-export([new/1, area/1, name/0]).

new(Side) -> #{side => Side, colour => red}.

area(#{side := S}) -> S * S.

name() -> "square".
