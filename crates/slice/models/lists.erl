%% Lists: elements one by one, how long they are, and what the funs make of them.
-module(lists).

all(F, L) -> need(length(L), F(item(L))), true.
any(F, L) -> need(length(L), F(item(L))), true.
append(L) -> need(length(L), length(item(L))), list(item(item(L))).
append(A, B) -> need(length(A)), list(item(A), B).
delete(X, L) -> need(X, L), list(item(L)).
droplast(L) -> need(length(L)), list(item(L)).
dropwhile(F, L) -> need(length(L), F(item(L))), list(item(L)).
duplicate(N, X) -> need(N), list(X).
enumerate(L) -> need(length(L)), list({0, item(L)}).
enumerate(N, L) -> need(N, length(L)), list({N, item(L)}).
filter(F, L) -> need(length(L), F(item(L))), list(item(L)).
filtermap(F, L) ->
    R = F(item(L)),
    need(length(L), shape(R), element(1, 2, R)),
    list(either(item(L), element(2, 2, R))).
flatmap(F, L) -> R = F(item(L)), need(length(L), length(R)), list(item(R)).
foldl(F, A, L) -> S = either(A, F(item(L), S)), need(length(L)), S.
foldr(F, A, L) -> S = either(A, F(item(L), S)), need(length(L)), S.
foreach(F, L) -> F(item(L)), need(length(L)), ok.
join(X, L) -> need(length(L)), list(either(X, item(L))).
keydelete(K, N, L) -> need(K, N, length(L), shape(item(L)), at(N, item(L))), list(item(L)).
keyfind(K, N, L) -> need(K, N, length(L), shape(item(L)), at(N, item(L))), either(false, item(L)).
keymap(F, N, L) ->
    X = item(L),
    need(N, length(L), shape(X)),
    list(put_at(N, X, F(at(N, X)))).
keymember(K, N, L) -> need(K, N, length(L), shape(item(L)), at(N, item(L))), true.
keyreplace(K, N, L, T) ->
    need(K, N, length(L), shape(item(L)), at(N, item(L)), shape(T)),
    list(either(item(L), T)).
keysearch(K, N, L) ->
    need(K, N, length(L), shape(item(L)), at(N, item(L))),
    either(false, {value, item(L)}).
keysort(N, L) -> need(N, length(L), shape(item(L)), at(N, item(L))), list(item(L)).
keystore(K, N, L, T) ->
    need(K, N, length(L), shape(item(L)), at(N, item(L)), shape(T)),
    list(either(item(L), T)).
keytake(K, N, L) ->
    need(K, N, length(L), shape(item(L)), at(N, item(L))),
    either(false, {value, item(L), list(item(L))}).
last(L) -> need(length(L)), item(L).
map(F, L) -> need(length(L)), list(F(item(L))).
mapfoldl(F, A, L) ->
    R = F(item(L), S),
    S = either(A, element(2, 2, R)),
    need(length(L), shape(R)),
    {list(element(1, 2, R)), S}.
mapfoldr(F, A, L) ->
    R = F(item(L), S),
    S = either(A, element(2, 2, R)),
    need(length(L), shape(R)),
    {list(element(1, 2, R)), S}.
nth(N, L) -> need(N, shape(nth(N, L))), nth(N, L).
nthtail(N, L) -> need(N, length(L)), list(item(L)).
partition(F, L) -> need(length(L), F(item(L))), {list(item(L)), list(item(L))}.
reverse(L) -> need(length(L)), list(item(L)).
reverse(L, T) -> need(length(L)), list(item(L), T).
search(F, L) -> need(length(L), F(item(L))), either(false, {value, item(L)}).
sort(F, L) -> need(length(L), F(item(L), item(L))), list(item(L)).
split(N, L) -> need(N, length(L)), {list(item(L)), list(item(L))}.
splitwith(F, L) -> need(length(L), F(item(L))), {list(item(L)), list(item(L))}.
sublist(L, N) -> need(N, length(L)), list(item(L)).
sublist(L, S, N) -> need(S, N, length(L)), list(item(L)).
takewhile(F, L) -> need(length(L), F(item(L))), list(item(L)).
ukeysort(N, L) -> need(N, length(L), shape(item(L)), at(N, item(L))), list(item(L)).
unzip(L) ->
    X = item(L),
    need(length(L), shape(X)),
    {list(element(1, 2, X)), list(element(2, 2, X))}.
unzip3(L) ->
    X = item(L),
    need(length(L), shape(X)),
    {list(element(1, 3, X)), list(element(2, 3, X)), list(element(3, 3, X))}.
usort(F, L) -> need(length(L), F(item(L), item(L))), list(item(L)).
zip(A, B) -> need(length(A), length(B)), list({item(A), item(B)}).
zip3(A, B, C) -> need(length(A), length(B), length(C)), list({item(A), item(B), item(C)}).
zipwith(F, A, B) -> need(length(A), length(B)), list(F(item(A), item(B))).
zipwith3(F, A, B, C) ->
    need(length(A), length(B), length(C)),
    list(F(item(A), item(B), item(C))).
