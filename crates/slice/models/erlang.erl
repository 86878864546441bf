%% Builtins that look at the outermost constructor of a value only, or take one part out of it.
-module(erlang).

bit_size(B) -> need(shape(B), bits(B)), 0.
byte_size(B) -> need(shape(B), bits(B)), 0.
element(N, T) -> need(N, shape(T)), at(N, T).
hd(L) -> need(shape(L)), element(1, list, L).
tl(L) -> need(shape(L)), element(2, list, L).
length(L) -> need(length(L)), 0.
list_to_tuple(L) -> need(length(L)), tuple(item(L)).
setelement(N, T, X) -> need(N, shape(T)), put_at(N, T, X).
tuple_size(T) -> need(shape(T)), 0.
tuple_to_list(T) -> need(shape(T)), list(part(T)).

%% The process dictionary.
erase(K) -> need(K), forget(K), kept(K).
get(K) -> need(K), kept(K).
put(K, X) -> need(K), keep(K, X), kept(K).

is_atom(X) -> need(shape(X)), true.
is_binary(X) -> need(shape(X)), true.
is_bitstring(X) -> need(shape(X)), true.
is_boolean(X) -> need(shape(X)), true.
is_float(X) -> need(shape(X)), true.
is_function(X) -> need(shape(X)), true.
is_function(X, N) -> need(shape(X), N), true.
is_integer(X) -> need(shape(X)), true.
is_list(X) -> need(shape(X)), true.
is_map(X) -> need(shape(X)), true.
is_number(X) -> need(shape(X)), true.
is_pid(X) -> need(shape(X)), true.
is_port(X) -> need(shape(X)), true.
is_record(X, T) -> need(shape(X), T, at(1, X)), true.
is_record(X, T, N) -> need(shape(X), T, N, at(1, X)), true.
is_reference(X) -> need(shape(X)), true.
is_tuple(X) -> need(shape(X)), true.

is_map_key(K, M) -> need(K, shape(M), has(K, M)), true.
map_get(K, M) -> need(K, shape(M), has(K, M)), get(K, M).
map_size(M) -> need(shape(M), keys(M)), 0.
