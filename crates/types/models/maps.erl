%% What functions of `maps` take and give where OTP's specs leave out what happens: a fold over an
%% empty map gives what it began with, iterators are not looked through. Those that are native are
%% here, too: there is no text that specs of theirs could be compared with.
-module(maps).

-spec fold(fun((any(), any(), any()) -> A), A, map() | tuple() | none | maybe_improper_list()) -> A.
-spec next({K, V, N}) -> {K, V, N}
    ; (none) -> none
    ; (nonempty_improper_list(non_neg_integer(), map())) -> {any(), any(), any()} | none.
%% Iterators are taken from OTP 26 on.
-spec to_list(#{K => V}) -> [{K, V}]
    ; (map() | tuple() | none | maybe_improper_list()) -> [{any(), any()}].
-spec from_keys([K], V) -> #{K => V}.
-spec from_list([{K, V}]) -> #{K => V}.
-spec keys(#{K => any()}) -> [K].
-spec values(#{any() => V}) -> [V].
-spec find(any(), #{any() => V}) -> {ok, V} | error.
-spec take(any(), #{K => V}) -> {V, #{K => V}} | error.
