%% Tables of rows whose key is the first element. Whether there is a row is a matter of those that were
%% inserted, whatever is taken out of it.
-module(ets).

delete(T, K) -> need(T, K), forget(K), true.
insert(T, X) ->
    need(T, shape(X), length(X), at(1, X), shape(item(X)), at(1, item(X))),
    keep(first(X), either(X, item(X))),
    true.
lookup(T, K) -> X = kept(K), need(T, K, shape(X)), list(X).
lookup_element(T, K, N) -> X = kept(K), need(T, K, N, shape(X)), at(N, X).
member(T, K) -> need(T, K, shape(kept(K))), true.
