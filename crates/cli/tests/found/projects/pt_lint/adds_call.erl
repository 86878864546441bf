-module(adds_call).
-export([parse_transform/2]).
%% calls g/0 in place of every atom `call_g`
parse_transform({atom, L, call_g}, _) -> {call, L, {atom, L, g}, []};
parse_transform(T, O) when is_tuple(T) -> list_to_tuple(parse_transform(tuple_to_list(T), O));
parse_transform(L, O) when is_list(L) -> [parse_transform(E, O) || E <- L];
parse_transform(X, _) -> X.
