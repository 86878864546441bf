%% Lists of pairs and atoms: all keys are compared, only values are taken out.
-module(proplists).

delete(K, L) -> need(K, length(L), shape(item(L)), at(1, item(L))), list(item(L)).
get_all_values(K, L) ->
    need(K, length(L), shape(item(L)), at(1, item(L))),
    list(either(true, element(2, 2, item(L)))).
get_value(K, L) ->
    need(K, length(L), shape(item(L)), at(1, item(L))),
    either(undefined, element(2, 2, item(L))).
get_value(K, L, D) ->
    need(K, length(L), shape(item(L)), at(1, item(L))),
    either(D, element(2, 2, item(L))).
is_defined(K, L) -> need(K, length(L), shape(item(L)), at(1, item(L))), true.
lookup(K, L) -> need(K, length(L), shape(item(L)), at(1, item(L))), either(none, item(L)).
lookup_all(K, L) -> need(K, length(L), shape(item(L)), at(1, item(L))), list(item(L)).
