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
append(K, V, D) ->
    X = element(2, 2, item(D)),
    need(K, length(D), shape(item(D)), element(1, 2, item(D)), length(X)),
    list(either(item(D), {K, list(either(V, item(X)))})).
filter(F, D) ->
    X = item(D),
    need(length(D), shape(X), F(element(1, 2, X), element(2, 2, X))),
    list(X).
is_empty(D) -> need(shape(D)), true.
merge(F, A, B) ->
    X = item(A),
    Y = item(B),
    need(length(A), shape(X), element(1, 2, X), length(B), shape(Y), element(1, 2, Y)),
    list(either(X, Y, {element(1, 2, X), F(element(1, 2, X), element(2, 2, X), element(2, 2, Y))})).
take(K, D) ->
    need(K, length(D), shape(item(D)), element(1, 2, item(D))),
    either(error, {element(2, 2, item(D)), list(item(D))}).
update(K, F, D) ->
    X = item(D),
    need(K, length(D), shape(X), element(1, 2, X)),
    list(either(X, {element(1, 2, X), F(element(2, 2, X))})).
update(K, F, I, D) ->
    X = item(D),
    need(K, length(D), shape(X), element(1, 2, X)),
    list(either(X, {K, either(I, F(element(2, 2, X)))})).
update_counter(K, N, D) ->
    X = item(D),
    need(K, length(D), shape(X), element(1, 2, X)),
    list(either(X, {K, either(N, shape(element(2, 2, X)))})).
