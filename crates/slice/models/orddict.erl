%% Ordered lists of pairs: all keys are compared.
-module(orddict).

erase(K, D) -> need(K, length(D), shape(item(D)), element(1, 2, item(D))), list(item(D)).
fetch(K, D) ->
    need(K, length(D), shape(item(D)), element(1, 2, item(D))),
    element(2, 2, item(D)).
fetch_keys(D) -> need(length(D), shape(item(D))), list(element(1, 2, item(D))).
find(K, D) ->
    need(K, length(D), shape(item(D)), element(1, 2, item(D))),
    either(error, {ok, element(2, 2, item(D))}).
fold(F, A, D) ->
    X = item(D),
    S = either(A, F(element(1, 2, X), element(2, 2, X), S)),
    need(length(D), shape(X)),
    S.
from_list(L) ->
    X = item(L),
    need(length(L), shape(X), element(1, 2, X)),
    list(X).
is_key(K, D) -> need(K, length(D), shape(item(D)), element(1, 2, item(D))), true.
map(F, D) ->
    X = item(D),
    need(length(D), shape(X)),
    list({element(1, 2, X), F(element(1, 2, X), element(2, 2, X))}).
new() -> 0.
size(D) -> need(length(D)), 0.
store(K, V, D) ->
    need(K, length(D), shape(item(D)), element(1, 2, item(D))),
    list(either({K, V}, item(D))).
to_list(D) -> need(length(D)), list(item(D)).
