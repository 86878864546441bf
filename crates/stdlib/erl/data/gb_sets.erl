%% gb_sets: sets as general balanced trees (see gb_trees for the balance rule).
%%
%% A set is `{Size, Node}` with Node = `{Element, Smaller, Bigger}` or `nil`; elements are compared with
%% `==`. An operation on two sets either goes through one set and looks each element up in the other
%% tree, or merges the two as lists (with ordsets) and builds a new tree, whichever is cheaper. The
%% trees have the same shape as in OTP.
-module(gb_sets).

-compile({no_auto_import, [size/1]}).

-export([add/2, add_element/2, balance/1, del_element/2, delete/2, delete_any/2, difference/2,
         empty/0, filter/2, fold/3, from_list/1, from_ordset/1, insert/2, intersection/1,
         intersection/2, is_disjoint/2, is_element/2, is_empty/1, is_member/2, is_set/1,
         is_subset/2, iterator/1, iterator_from/2, largest/1, new/0, next/1, singleton/1, size/1,
         smallest/1, subtract/2, take_largest/1, take_smallest/1, to_list/1, union/1, union/2]).
%% Since OTP 27.
-export([filtermap/2, is_equal/2, iterator/2, iterator_from/3, larger/2, map/2, smaller/2]).

-export_type([iter/0, iter/1, set/0, set/1]).

-type node_(E) :: nil | {E, node_(E), node_(E)}.
-opaque set(E) :: {non_neg_integer(), node_(E)}.
-type set() :: set(_).
%% The nodes still to visit, or `{reversed, Nodes}`.
-opaque iter(E) :: [node_(E)] | {reversed, [node_(E)]}.
-type iter() :: iter(_).

-spec empty() -> set(none()).
empty() -> {0, nil}.

-spec new() -> set(none()).
new() -> empty().

-spec singleton(E) -> set(E).
singleton(Elem) -> {1, {Elem, nil, nil}}.

-spec is_empty(set()) -> boolean().
is_empty(Set) -> Set =:= {0, nil}.

-spec size(set()) -> non_neg_integer().
size({Size, _}) -> Size.

-spec is_set(term()) -> boolean().
is_set({0, nil}) -> true;
is_set({Size, {_, _, _}}) -> is_integer(Size) andalso Size >= 0;
is_set(_) -> false.

%% ---- looking up ----

-spec is_member(E, set(E)) -> boolean().
is_member(Elem, {_, Node}) -> is_member_1(Elem, Node).

is_member_1(Elem, {E, Smaller, Bigger}) ->
    if
        Elem < E -> is_member_1(Elem, Smaller);
        Elem > E -> is_member_1(Elem, Bigger);
        true -> true
    end;
is_member_1(_Elem, nil) -> false.

-spec is_element(E, set(E)) -> boolean().
is_element(Elem, Set) -> is_member(Elem, Set).

-spec smallest(set(E)) -> E.
smallest({_, Node}) -> smallest_1(Node).

smallest_1({Elem, nil, _}) -> Elem;
smallest_1({_, Smaller, _}) -> smallest_1(Smaller).

-spec largest(set(E)) -> E.
largest({_, Node}) -> largest_1(Node).

largest_1({Elem, _, nil}) -> Elem;
largest_1({_, _, Bigger}) -> largest_1(Bigger).

%% The largest element below Elem.
-spec smaller(E, set(E)) -> none | {found, E}.
smaller(Elem, {_, Node}) -> below(Elem, Node, none).

below(Elem, {E, Smaller, _}, Best) when Elem =< E -> below(Elem, Smaller, Best);
below(Elem, {E, _, Bigger}, _Best) -> below(Elem, Bigger, {found, E});
below(_Elem, nil, Best) -> Best.

%% The smallest element above Elem.
-spec larger(E, set(E)) -> none | {found, E}.
larger(Elem, {_, Node}) -> above(Elem, Node, none).

above(Elem, {E, _, Bigger}, Best) when Elem >= E -> above(Elem, Bigger, Best);
above(Elem, {E, Smaller, _}, _Best) -> above(Elem, Smaller, {found, E});
above(_Elem, nil, Best) -> Best.

%% ---- inserting ----

-spec add(E, set(E)) -> set(E).
add(Elem, Set) ->
    case is_member(Elem, Set) of
        true -> Set;
        false -> insert(Elem, Set)
    end.

-spec add_element(E, set(E)) -> set(E).
add_element(Elem, Set) -> add(Elem, Set).

-spec insert(E, set(E)) -> set(E).
insert(Elem, {Size, Node}) ->
    NewSize = Size + 1,
    case insert_1(Elem, Node, NewSize * NewSize) of
        {too_deep, NewNode, _, _} -> {NewSize, NewNode};
        NewNode -> {NewSize, NewNode}
    end.

%% As in gb_trees: the new node, or `{too_deep, Node, Height, Size}`.
insert_1(Elem, {E, Smaller, Bigger}, Budget) when Elem < E ->
    case insert_1(Elem, Smaller, Budget bsr 1) of
        {too_deep, NewSmaller, Height, Size} ->
            rebuild({E, NewSmaller, Bigger}, Height, Size, Bigger);
        NewSmaller -> {E, NewSmaller, Bigger}
    end;
insert_1(Elem, {E, Smaller, Bigger}, Budget) when Elem > E ->
    case insert_1(Elem, Bigger, Budget bsr 1) of
        {too_deep, NewBigger, Height, Size} ->
            rebuild({E, Smaller, NewBigger}, Height, Size, Smaller);
        NewBigger -> {E, Smaller, NewBigger}
    end;
insert_1(Elem, nil, 0) -> {too_deep, {Elem, nil, nil}, 1, 1};
insert_1(Elem, nil, _Budget) -> {Elem, nil, nil};
insert_1(Elem, _Node, _Budget) -> erlang:error({key_exists, Elem}).

rebuild(Node, ChangedHeight, ChangedSize, Sibling) ->
    {SiblingHeight, SiblingSize} = count(Sibling),
    Height = 2 * max(ChangedHeight, SiblingHeight),
    Size = ChangedSize + SiblingSize + 1,
    if
        Height > Size * Size -> build_left(elements(Node, []), Size);
        true -> {too_deep, Node, Height, Size}
    end.

count({_, nil, nil}) -> {1, 1};
count({_, Smaller, Bigger}) ->
    {Height1, Size1} = count(Smaller),
    {Height2, Size2} = count(Bigger),
    {2 * max(Height1, Height2), Size1 + Size2 + 1};
count(nil) -> {1, 0}.

%% ---- deleting ----

-spec delete(E, set(E)) -> set(E).
delete(Elem, {Size, Node}) -> {Size - 1, delete_1(Elem, Node)}.

delete_1(Elem, {E, Smaller, Bigger}) ->
    if
        Elem < E -> {E, delete_1(Elem, Smaller), Bigger};
        Elem > E -> {E, Smaller, delete_1(Elem, Bigger)};
        true -> joined(Smaller, Bigger)
    end.

joined(Smaller, nil) -> Smaller;
joined(nil, Bigger) -> Bigger;
joined(Smaller, Bigger) ->
    {Elem, Rest} = take_smallest1(Bigger),
    {Elem, Smaller, Rest}.

-spec delete_any(E, set(E)) -> set(E).
delete_any(Elem, Set) ->
    case is_member(Elem, Set) of
        true -> delete(Elem, Set);
        false -> Set
    end.

-spec del_element(E, set(E)) -> set(E).
del_element(Elem, Set) -> delete_any(Elem, Set).

-spec take_smallest(set(E)) -> {E, set(E)}.
take_smallest({Size, Node}) ->
    {Elem, Rest} = take_smallest1(Node),
    {Elem, {Size - 1, Rest}}.

take_smallest1({Elem, nil, Bigger}) -> {Elem, Bigger};
take_smallest1({E, Smaller, Bigger}) ->
    {Elem, Rest} = take_smallest1(Smaller),
    {Elem, {E, Rest, Bigger}}.

-spec take_largest(set(E)) -> {E, set(E)}.
take_largest({Size, Node}) ->
    {Elem, Rest} = take_largest1(Node),
    {Elem, {Size - 1, Rest}}.

take_largest1({Elem, Smaller, nil}) -> {Elem, Smaller};
take_largest1({E, Smaller, Bigger}) ->
    {Elem, Rest} = take_largest1(Bigger),
    {Elem, {E, Smaller, Rest}}.

%% ---- building and listing ----

-spec balance(set(E)) -> set(E).
balance({Size, Node}) -> {Size, build_left(elements(Node, []), Size)}.

-spec from_list([E]) -> set(E).
from_list(List) -> from_ordset(ordsets:from_list(List)).

-spec from_ordset([E]) -> set(E).
from_ordset(Elems) ->
    Size = length(Elems),
    {Size, build_left(Elems, Size)}.

%% The result of an operation on two sets, given as a list.
result(Elems) ->
    Size = length(Elems),
    {Size, build_right(Elems, Size)}.

%% Balanced trees; an element to spare goes to the smaller side, or to the bigger side.
build_left(Elems, Size) ->
    {Node, _Rest} = build(Elems, Size, 0),
    Node.

build_right(Elems, Size) ->
    {Node, _Rest} = build(Elems, Size, 1),
    Node.

build(Elems, Size, Spare) when Size > 1 ->
    SmallerSize = (Size - Spare) div 2,
    {Smaller, [Elem | Elems1]} = build(Elems, SmallerSize, Spare),
    {Bigger, Elems2} = build(Elems1, Size - 1 - SmallerSize, Spare),
    {{Elem, Smaller, Bigger}, Elems2};
build([Elem | Elems], 1, _Spare) -> {{Elem, nil, nil}, Elems};
build(Elems, 0, _Spare) -> {nil, Elems}.

-spec to_list(set(E)) -> [E].
to_list({_, Node}) -> elements(Node, []).

elements({Elem, Smaller, Bigger}, Acc) -> elements(Smaller, [Elem | elements(Bigger, Acc)]);
elements(nil, Acc) -> Acc.

-spec fold(fun((E, Acc) -> Acc), Acc, set(E)) -> Acc.
fold(Fun, Acc, {_, Node}) when is_function(Fun, 2) -> fold_1(Fun, Acc, Node).

fold_1(Fun, Acc, {Elem, Smaller, Bigger}) ->
    fold_1(Fun, Fun(Elem, fold_1(Fun, Acc, Smaller)), Bigger);
fold_1(_Fun, Acc, _Nil) -> Acc.

-spec filter(fun((E) -> boolean()), set(E)) -> set(E).
filter(Pred, Set) when is_function(Pred, 1) ->
    from_ordset([Elem || Elem <- to_list(Set), Pred(Elem)]).

-spec map(fun((A) -> B), set(A)) -> set(B).
map(Fun, Set) when is_function(Fun, 1) -> from_list([Fun(Elem) || Elem <- to_list(Set)]).

-spec filtermap(fun((A) -> boolean() | {true, B}), set(A)) -> set(A | B).
filtermap(Fun, Set) when is_function(Fun, 1) -> from_list(lists:filtermap(Fun, to_list(Set))).

%% ---- two sets ----

%% Whether N look-ups in a tree of TreeSize nodes cost less than a walk over the whole tree.
looking_up_pays(N, TreeSize) ->
    TreeSize >= 10 andalso TreeSize >= N * round(1.46 * math:log(TreeSize)).

-spec union(set(A), set(B)) -> set(A | B).
union({Size1, _} = Set1, {Size2, _} = Set2) when Size2 < Size1 -> union_1(Set2, Set1);
union({_, _} = Set1, {_, _} = Set2) -> union_1(Set1, Set2).

union_1({Size1, Node1}, {Size2, Node2} = Set2) ->
    Elems1 = elements(Node1, []),
    case looking_up_pays(Size1, Size2) of
        true -> lists:foldl(fun add/2, Set2, Elems1);
        false -> result(ordsets:union(Elems1, elements(Node2, [])))
    end.

-spec union([set(E)]) -> set(E).
union([]) -> empty();
union([Set]) -> Set;
union([Set1, Set2 | Sets]) -> union([union(Set1, Set2) | Sets]).

-spec intersection(set(A), set(B)) -> set(A | B).
intersection({Size1, _} = Set1, {Size2, _} = Set2) when Size2 < Size1 ->
    intersection_1(Set2, Set1);
intersection({_, _} = Set1, {_, _} = Set2) -> intersection_1(Set1, Set2).

intersection_1({Size1, Node1}, {Size2, Node2}) ->
    Elems1 = elements(Node1, []),
    case looking_up_pays(Size1, Size2) of
        true -> result([Elem || Elem <- Elems1, is_member_1(Elem, Node2)]);
        false -> result(ordsets:intersection(Elems1, elements(Node2, [])))
    end.

-spec intersection([set(E), ...]) -> set(E).
intersection([Set]) -> Set;
intersection([Set1, Set2 | Sets]) -> intersection([intersection(Set1, Set2) | Sets]).

-spec difference(set(A), set(term())) -> set(A).
difference({Size1, Node1}, {Size2, Node2}) ->
    Elems1 = elements(Node1, []),
    case looking_up_pays(Size1, Size2) of
        true -> result([Elem || Elem <- Elems1, not is_member_1(Elem, Node2)]);
        false -> result(ordsets:subtract(Elems1, elements(Node2, [])))
    end.

-spec subtract(set(A), set(term())) -> set(A).
subtract(Set1, Set2) -> difference(Set1, Set2).

-spec is_subset(set(E), set(E)) -> boolean().
is_subset({Size1, Node1}, {Size2, Node2}) ->
    Elems1 = elements(Node1, []),
    case looking_up_pays(Size1, Size2) of
        true -> lists:all(fun(Elem) -> is_member_1(Elem, Node2) end, Elems1);
        false -> ordsets:is_subset(Elems1, elements(Node2, []))
    end.

-spec is_equal(set(), set()) -> boolean().
is_equal({Size, _} = Set1, {Size, _} = Set2) -> to_list(Set1) == to_list(Set2);
is_equal({_, _}, {_, _}) -> false.

-spec is_disjoint(set(E), set(E)) -> boolean().
is_disjoint({Size1, Node1}, {Size2, Node2}) when Size1 < Size2 -> is_apart(Node1, Node2);
is_disjoint({_, Node1}, {_, Node2}) -> is_apart(Node2, Node1).

%% Splits the second tree at the first one's root, as far as that prunes anything.
is_apart({E1, Smaller1, Bigger1}, {E2, Smaller2, Bigger2} = Node2) ->
    if
        E1 < E2 ->
            not is_member_1(E1, Smaller2) andalso is_apart(Smaller1, Smaller2)
                andalso is_apart(Bigger1, Node2);
        E1 > E2 ->
            not is_member_1(E1, Bigger2) andalso is_apart(Bigger1, Bigger2)
                andalso is_apart(Smaller1, Node2);
        true -> false
    end;
is_apart(nil, _) -> true;
is_apart(_, nil) -> true.

%% ---- iterating ----

-spec iterator(set(E)) -> iter(E).
iterator({_, Node}) -> to_smallest(Node, []).

-spec iterator(set(E), ordered | reversed) -> iter(E).
iterator(Set, ordered) -> iterator(Set);
iterator({_, Node}, reversed) -> {reversed, to_largest(Node, [])}.

to_smallest(nil, Stack) -> Stack;
to_smallest({_, Smaller, _} = Node, Stack) -> to_smallest(Smaller, [Node | Stack]).

to_largest(nil, Stack) -> Stack;
to_largest({_, _, Bigger} = Node, Stack) -> to_largest(Bigger, [Node | Stack]).

-spec iterator_from(E, set(E)) -> iter(E).
iterator_from(Elem, {_, Node}) -> to_at_least(Elem, Node, []).

-spec iterator_from(E, set(E), ordered | reversed) -> iter(E).
iterator_from(Elem, Set, ordered) -> iterator_from(Elem, Set);
iterator_from(Elem, {_, Node}, reversed) -> {reversed, to_at_most(Elem, Node, [])}.

to_at_least(Elem, {E, _, Bigger}, Stack) when E < Elem -> to_at_least(Elem, Bigger, Stack);
to_at_least(Elem, {_, Smaller, _} = Node, Stack) -> to_at_least(Elem, Smaller, [Node | Stack]);
to_at_least(_Elem, nil, Stack) -> Stack.

to_at_most(Elem, {E, Smaller, _}, Stack) when E > Elem -> to_at_most(Elem, Smaller, Stack);
to_at_most(Elem, {_, _, Bigger} = Node, Stack) -> to_at_most(Elem, Bigger, [Node | Stack]);
to_at_most(_Elem, nil, Stack) -> Stack.

-spec next(iter(E)) -> none | {E, iter(E)}.
next([{Elem, _, Bigger} | Stack]) -> {Elem, to_smallest(Bigger, Stack)};
next([]) -> none;
next({reversed, [{Elem, Smaller, _} | Stack]}) -> {Elem, {reversed, to_largest(Smaller, Stack)}};
next({reversed, []}) -> none.
