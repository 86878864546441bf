%% gb_trees: dictionaries as general balanced trees (A. Andersson, "General Balanced Trees", Journal of
%% Algorithms 30, 1999).
%%
%% A dictionary is `{Size, Node}` with Node = `{Key, Value, Smaller, Bigger}` or `nil`; keys are
%% compared with `==`. Nothing is stored for balance: an insertion that ends too deep for the size of
%% the tree rebuilds the lowest subtree that is too high. Deletions never rebuild. The trees have the
%% same shape as in OTP, so that they print and compare alike.
-module(gb_trees).

-compile({no_auto_import, [get/2, size/1]}).

-export([balance/1, delete/2, delete_any/2, empty/0, enter/3, from_orddict/1, get/2, insert/3,
         is_defined/2, is_empty/1, iterator/1, iterator_from/2, keys/1, largest/1, lookup/2, map/2,
         next/1, size/1, smallest/1, take/2, take_any/2, take_largest/1, take_smallest/1, to_list/1,
         update/3, values/1]).
%% Since OTP 27.
-export([iterator/2, iterator_from/3, larger/2, smaller/2]).

-export_type([iter/0, iter/2, tree/0, tree/2]).

-type node_(K, V) :: nil | {K, V, node_(K, V), node_(K, V)}.
-opaque tree(K, V) :: {non_neg_integer(), node_(K, V)}.
-type tree() :: tree(_, _).
%% The nodes still to visit, or `{reversed, Nodes}`.
-opaque iter(K, V) :: [node_(K, V)] | {reversed, [node_(K, V)]}.
-type iter() :: iter(_, _).

-spec empty() -> tree(none(), none()).
empty() -> {0, nil}.

-spec is_empty(tree()) -> boolean().
is_empty(Tree) -> Tree =:= {0, nil}.

-spec size(tree()) -> non_neg_integer().
size({Size, _}) when is_integer(Size), Size >= 0 -> Size.

%% ---- looking up ----

-spec lookup(K, tree(K, V)) -> none | {value, V}.
lookup(Key, {_, Node}) -> lookup_1(Key, Node).

lookup_1(Key, {K, Value, Smaller, Bigger}) ->
    if
        Key < K -> lookup_1(Key, Smaller);
        Key > K -> lookup_1(Key, Bigger);
        true -> {value, Value}
    end;
lookup_1(_Key, nil) -> none.

-spec is_defined(K, tree(K, term())) -> boolean().
is_defined(Key, {_, Node}) -> is_defined_1(Key, Node).

is_defined_1(Key, {K, _, Smaller, Bigger}) ->
    if
        Key < K -> is_defined_1(Key, Smaller);
        Key > K -> is_defined_1(Key, Bigger);
        true -> true
    end;
is_defined_1(_Key, nil) -> false.

-spec get(K, tree(K, V)) -> V.
get(Key, {_, Node}) -> get_1(Key, Node).

get_1(Key, {K, Value, Smaller, Bigger}) ->
    if
        Key < K -> get_1(Key, Smaller);
        Key > K -> get_1(Key, Bigger);
        true -> Value
    end.

-spec smallest(tree(K, V)) -> {K, V}.
smallest({_, Node}) -> smallest_1(Node).

smallest_1({Key, Value, nil, _}) -> {Key, Value};
smallest_1({_, _, Smaller, _}) -> smallest_1(Smaller).

-spec largest(tree(K, V)) -> {K, V}.
largest({_, Node}) -> largest_1(Node).

largest_1({Key, Value, _, nil}) -> {Key, Value};
largest_1({_, _, _, Bigger}) -> largest_1(Bigger).

%% The pair of the largest key below Key.
-spec smaller(K, tree(K, V)) -> none | {K, V}.
smaller(Key, {_, Node}) -> below(Key, Node, none).

below(Key, {K, _, Smaller, _}, Best) when Key =< K -> below(Key, Smaller, Best);
below(Key, {K, Value, _, Bigger}, _Best) -> below(Key, Bigger, {K, Value});
below(_Key, nil, Best) -> Best.

%% The pair of the smallest key above Key.
-spec larger(K, tree(K, V)) -> none | {K, V}.
larger(Key, {_, Node}) -> above(Key, Node, none).

above(Key, {K, _, _, Bigger}, Best) when Key >= K -> above(Key, Bigger, Best);
above(Key, {K, Value, Smaller, _}, _Best) -> above(Key, Smaller, {K, Value});
above(_Key, nil, Best) -> Best.

%% ---- inserting ----

-spec update(K, V, tree(K, V)) -> tree(K, V).
update(Key, Value, {Size, Node}) -> {Size, update_1(Key, Value, Node)}.

update_1(Key, Value, {K, V, Smaller, Bigger}) ->
    if
        Key < K -> {K, V, update_1(Key, Value, Smaller), Bigger};
        Key > K -> {K, V, Smaller, update_1(Key, Value, Bigger)};
        true -> {Key, Value, Smaller, Bigger}
    end.

-spec enter(K, V, tree(K, V)) -> tree(K, V).
enter(Key, Value, Tree) ->
    case is_defined(Key, Tree) of
        true -> update(Key, Value, Tree);
        false -> insert(Key, Value, Tree)
    end.

%% The depth allowed in a tree of Size nodes is 2 * log2(Size): Size squared can be halved that often.
-spec insert(K, V, tree(K, V)) -> tree(K, V).
insert(Key, Value, {Size, Node}) when is_integer(Size) ->
    NewSize = Size + 1,
    case insert_1(Key, Value, Node, NewSize * NewSize) of
        {too_deep, NewNode, _, _} -> {NewSize, NewNode};
        NewNode -> {NewSize, NewNode}
    end.

%% The new node, or `{too_deep, Node, Height, Size}` while the subtree to rebuild is still to be
%% found; Height is 2 to the power of the height of Node.
insert_1(Key, Value, {K, V, Smaller, Bigger}, Budget) when Key < K ->
    case insert_1(Key, Value, Smaller, Budget bsr 1) of
        {too_deep, NewSmaller, Height, Size} ->
            rebuild({K, V, NewSmaller, Bigger}, Height, Size, Bigger);
        NewSmaller -> {K, V, NewSmaller, Bigger}
    end;
insert_1(Key, Value, {K, V, Smaller, Bigger}, Budget) when Key > K ->
    case insert_1(Key, Value, Bigger, Budget bsr 1) of
        {too_deep, NewBigger, Height, Size} ->
            rebuild({K, V, Smaller, NewBigger}, Height, Size, Smaller);
        NewBigger -> {K, V, Smaller, NewBigger}
    end;
insert_1(Key, Value, nil, 0) -> {too_deep, {Key, Value, nil, nil}, 1, 1};
insert_1(Key, Value, nil, _Budget) -> {Key, Value, nil, nil};
insert_1(Key, _Value, _Node, _Budget) -> erlang:error({key_exists, Key}).

rebuild(Node, ChangedHeight, ChangedSize, Sibling) ->
    {SiblingHeight, SiblingSize} = count(Sibling),
    Height = 2 * max(ChangedHeight, SiblingHeight),
    Size = ChangedSize + SiblingSize + 1,
    if
        Height > Size * Size -> build(pairs(Node, []), Size);
        true -> {too_deep, Node, Height, Size}
    end.

count({_, _, nil, nil}) -> {1, 1};
count({_, _, Smaller, Bigger}) ->
    {Height1, Size1} = count(Smaller),
    {Height2, Size2} = count(Bigger),
    {2 * max(Height1, Height2), Size1 + Size2 + 1};
count(nil) -> {1, 0}.

%% ---- deleting ----

-spec delete(K, tree(K, V)) -> tree(K, V).
delete(Key, {Size, Node}) when is_integer(Size), Size >= 0 -> {Size - 1, delete_1(Key, Node)}.

delete_1(Key, {K, Value, Smaller, Bigger}) ->
    if
        Key < K -> {K, Value, delete_1(Key, Smaller), Bigger};
        Key > K -> {K, Value, Smaller, delete_1(Key, Bigger)};
        true -> joined(Smaller, Bigger)
    end.

joined(Smaller, nil) -> Smaller;
joined(nil, Bigger) -> Bigger;
joined(Smaller, Bigger) ->
    {Key, Value, Rest} = take_smallest1(Bigger),
    {Key, Value, Smaller, Rest}.

-spec delete_any(K, tree(K, V)) -> tree(K, V).
delete_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> delete(Key, Tree);
        false -> Tree
    end.

-spec take(K, tree(K, V)) -> {V, tree(K, V)}.
take(Key, {Size, Node}) when is_integer(Size), Size >= 0 ->
    Value = get_1(Key, Node),
    {Value, {Size - 1, delete_1(Key, Node)}}.

-spec take_any(K, tree(K, V)) -> {V, tree(K, V)} | error.
take_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> take(Key, Tree);
        false -> error
    end.

-spec take_smallest(tree(K, V)) -> {K, V, tree(K, V)}.
take_smallest({Size, Node}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Rest} = take_smallest1(Node),
    {Key, Value, {Size - 1, Rest}}.

take_smallest1({Key, Value, nil, Bigger}) -> {Key, Value, Bigger};
take_smallest1({K, V, Smaller, Bigger}) ->
    {Key, Value, Rest} = take_smallest1(Smaller),
    {Key, Value, {K, V, Rest, Bigger}}.

-spec take_largest(tree(K, V)) -> {K, V, tree(K, V)}.
take_largest({Size, Node}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Rest} = take_largest1(Node),
    {Key, Value, {Size - 1, Rest}}.

take_largest1({Key, Value, Smaller, nil}) -> {Key, Value, Smaller};
take_largest1({K, V, Smaller, Bigger}) ->
    {Key, Value, Rest} = take_largest1(Bigger),
    {Key, Value, {K, V, Smaller, Rest}}.

%% ---- building and listing ----

-spec balance(tree(K, V)) -> tree(K, V).
balance({Size, Node}) -> {Size, build(pairs(Node, []), Size)}.

-spec from_orddict([{K, V}]) -> tree(K, V).
from_orddict(Pairs) ->
    Size = length(Pairs),
    {Size, build(Pairs, Size)}.

build(Pairs, Size) ->
    {Node, _Rest} = build_1(Pairs, Size),
    Node.

%% A balanced tree of the first Size pairs; a spare one goes to the smaller side.
build_1(Pairs, Size) when Size > 1 ->
    {Smaller, [{Key, Value} | Pairs1]} = build_1(Pairs, Size div 2),
    {Bigger, Pairs2} = build_1(Pairs1, (Size - 1) div 2),
    {{Key, Value, Smaller, Bigger}, Pairs2};
build_1([{Key, Value} | Pairs], 1) -> {{Key, Value, nil, nil}, Pairs};
build_1(Pairs, 0) -> {nil, Pairs}.

-spec to_list(tree(K, V)) -> [{K, V}].
to_list({_, Node}) -> pairs(Node, []).

pairs({Key, Value, Smaller, Bigger}, Acc) -> pairs(Smaller, [{Key, Value} | pairs(Bigger, Acc)]);
pairs(nil, Acc) -> Acc.

-spec keys(tree(K, term())) -> [K].
keys({_, Node}) -> keys(Node, []).

keys({Key, _, Smaller, Bigger}, Acc) -> keys(Smaller, [Key | keys(Bigger, Acc)]);
keys(nil, Acc) -> Acc.

-spec values(tree(term(), V)) -> [V].
values({_, Node}) -> values(Node, []).

values({_, Value, Smaller, Bigger}, Acc) -> values(Smaller, [Value | values(Bigger, Acc)]);
values(nil, Acc) -> Acc.

-spec map(fun((K, V1) -> V2), tree(K, V1)) -> tree(K, V2).
map(Fun, {Size, Node}) when is_function(Fun, 2) -> {Size, map_1(Fun, Node)}.

%% The node's own value before those below it.
map_1(_Fun, nil) -> nil;
map_1(Fun, {Key, Value, Smaller, Bigger}) ->
    {Key, Fun(Key, Value), map_1(Fun, Smaller), map_1(Fun, Bigger)}.

%% ---- iterating ----

-spec iterator(tree(K, V)) -> iter(K, V).
iterator({_, Node}) -> to_smallest(Node, []).

-spec iterator(tree(K, V), ordered | reversed) -> iter(K, V).
iterator(Tree, ordered) -> iterator(Tree);
iterator({_, Node}, reversed) -> {reversed, to_largest(Node, [])}.

to_smallest(nil, Stack) -> Stack;
to_smallest({_, _, Smaller, _} = Node, Stack) -> to_smallest(Smaller, [Node | Stack]).

to_largest(nil, Stack) -> Stack;
to_largest({_, _, _, Bigger} = Node, Stack) -> to_largest(Bigger, [Node | Stack]).

-spec iterator_from(K, tree(K, V)) -> iter(K, V).
iterator_from(Key, {_, Node}) -> to_at_least(Key, Node, []).

-spec iterator_from(K, tree(K, V), ordered | reversed) -> iter(K, V).
iterator_from(Key, Tree, ordered) -> iterator_from(Key, Tree);
iterator_from(Key, {_, Node}, reversed) -> {reversed, to_at_most(Key, Node, [])}.

to_at_least(Key, {K, _, _, Bigger}, Stack) when K < Key -> to_at_least(Key, Bigger, Stack);
to_at_least(Key, {_, _, Smaller, _} = Node, Stack) -> to_at_least(Key, Smaller, [Node | Stack]);
to_at_least(_Key, nil, Stack) -> Stack.

to_at_most(Key, {K, _, Smaller, _}, Stack) when K > Key -> to_at_most(Key, Smaller, Stack);
to_at_most(Key, {_, _, _, Bigger} = Node, Stack) -> to_at_most(Key, Bigger, [Node | Stack]);
to_at_most(_Key, nil, Stack) -> Stack.

-spec next(iter(K, V)) -> none | {K, V, iter(K, V)}.
next([{Key, Value, _, Bigger} | Stack]) -> {Key, Value, to_smallest(Bigger, Stack)};
next([]) -> none;
next({reversed, [{Key, Value, Smaller, _} | Stack]}) ->
    {Key, Value, {reversed, to_largest(Smaller, Stack)}};
next({reversed, []}) -> none.
