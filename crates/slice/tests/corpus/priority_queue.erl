%% A heap of pairs.
%% inputs: drain(list({int, atom})), peek(list({int, atom})), sizes(list({int, atom}))
-module(priority_queue).
-export([drain/1, peek/1, sizes/1]).

-record(heap, {root, subs = []}).

new() -> empty.

push(P, V, empty) -> #heap{root = {P, V}};
push(P, V, Heap) -> meld(#heap{root = {P, V}}, Heap).

meld(empty, H) -> H;
meld(H, empty) -> H;
meld(#heap{root = {P1, _}} = A, #heap{root = {P2, _}} = B) when P1 =< P2 ->
    A#heap{subs = [B | A#heap.subs]};
meld(A, B) ->
    B#heap{subs = [A | B#heap.subs]}.

pop(empty) -> none;
pop(#heap{root = Root, subs = Subs}) -> {Root, pair(Subs)}.

pair([]) -> empty;
pair([H]) -> H;
pair([A, B | Rest]) -> meld(meld(A, B), pair(Rest)).

drain(Items) ->
    Heap = lists:foldl(fun({P, V}, H) -> push(P, V, H) end, new(), Items),
    all(Heap).

all(Heap) ->
    case pop(Heap) of
        none -> [];
        {{P, _}, Rest} -> [P | all(Rest)]
    end.

peek(Items) ->
    Heap = lists:foldl(fun({P, V}, H) -> push(P, V, H) end, new(), Items),
    case pop(Heap) of
        none -> none;
        {{Prio, Value}, _} -> {Prio, is_atom(Value)}
    end.

sizes(Items) ->
    Heap = lists:foldl(fun({_, V}, H) -> push(1, V, H) end, new(), Items),
    count(Heap).

count(empty) -> 0;
count(#heap{subs = S}) -> 1 + lists:sum([count(H) || H <- S]).
