%% Terms that all processes share.
-module(persistent_term).

get(K) -> X = kept(K), need(K, shape(X)), X.
get(K, D) -> need(K), either(D, kept(K)).
put(K, X) -> need(K), keep(K, X), ok.
