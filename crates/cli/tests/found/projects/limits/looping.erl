-module(looping).
-export([parse_transform/2]).
parse_transform(Forms, Options) -> parse_transform(Forms, Options).
