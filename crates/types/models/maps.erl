%% What functions of `maps` take and give where OTP's specs leave out what happens: a fold over an
%% empty map gives what it began with, iterators are not looked through.
-module(maps).

-spec fold(fun((any(), any(), any()) -> A), A, map() | tuple() | none | maybe_improper_list()) -> A.
-spec next({K, V, N}) -> {K, V, N}
    ; (none) -> none
    ; (nonempty_improper_list(non_neg_integer(), map())) -> {any(), any(), any()} | none.
%% Iterators are taken from OTP 26 on.
-spec to_list(#{K => V}) -> [{K, V}]
    ; (map() | tuple() | none | maybe_improper_list()) -> [{any(), any()}].
