%% Queues: pairs of lists. Where in them an element is depends on how many there are.
-module(queue).

all(F, Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q)), F(X)), true.
any(F, Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q)), F(X)), true.
drop(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), {list(X), list(X)}.
drop_r(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), {list(X), list(X)}.
filter(F, Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    R = F(X),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q)), length(R)),
    {list(either(X, item(R))), list(either(X, item(R)))}.
fold(F, A, Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    S = either(A, F(X, S)),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    S.
from_list(L) -> need(length(L)), {list(item(L)), list(item(L))}.
get(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), X.
get_r(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), X.
head(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), X.
in(Y, Q) ->
    X = either(Y, item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    {list(X), list(X)}.
in_r(Y, Q) ->
    X = either(Y, item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    {list(X), list(X)}.
is_empty(Q) -> need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), true.
is_queue(Q) -> need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), true.
join(P, Q) ->
    X = either(item(element(1, 2, P)), item(element(2, 2, P)),
               item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(P), length(element(1, 2, P)), length(element(2, 2, P))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    {list(X), list(X)}.
last(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), X.
len(Q) -> need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), 0.
new() -> {list(0), list(0)}.
out(Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    {{value, X}, {list(X), list(X)}}.
out_r(Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    {{value, X}, {list(X), list(X)}}.
peek(Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    either(empty, {value, X}).
peek_r(Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    either(empty, {value, X}).
reverse(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), {list(X), list(X)}.
split(N, Q) ->
    X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(N, shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))),
    {{list(X), list(X)}, {list(X), list(X)}}.
tail(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), {list(X), list(X)}.
to_list(Q) -> X = either(item(element(1, 2, Q)), item(element(2, 2, Q))),
    need(shape(Q), length(element(1, 2, Q)), length(element(2, 2, Q))), list(X).
