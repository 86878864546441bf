%% array: functional, extendible arrays.
%%
%% The elements are in a tree of base ten: a leaf is a tuple of ten elements, an inner node a tuple of ten
%% subtrees and, last, the number of elements that each of them covers. A subtree that holds nothing but
%% the default is the number of elements it covers. `max` is the number of elements that fit in the tree,
%% or 0 if the array is of fixed size. The term `{array, Size, Max, Default, Elements}` is that of OTP.
%%
%% All that goes over the whole array works on its spans, see spans/1.
-module(array).

-compile({no_auto_import, [size/1, get/1]}).

-export([default/1, fix/1, foldl/3, foldr/3, from_list/1, from_list/2, from_orddict/1,
         from_orddict/2, get/2, is_array/1, is_fix/1, map/2, new/0, new/1, new/2, relax/1, reset/2,
         resize/1, resize/2, set/3, size/1, sparse_foldl/3, sparse_foldr/3, sparse_map/2,
         sparse_size/1, sparse_to_list/1, sparse_to_orddict/1, to_list/1, to_orddict/1]).

-export_type([array/0, array/1]).

-define(BASE, 10).
-define(IS_NODE(Tree), tuple_size(Tree) =:= ?BASE + 1).

-record(array, {size, max, default, elements}).
-opaque array(_Type) :: #array{}.
-type array() :: array(term()).

-type option() :: fixed | {fixed, boolean()} | {default, term()} | {size, non_neg_integer()}
                | non_neg_integer().

%% ---- making ----

-spec new() -> array().
new() -> make(0, false, undefined).

-spec new(option() | [option()]) -> array().
new(Options) -> with_options(Options, 0, false).

-spec new(non_neg_integer(), option() | [option()]) -> array().
new(Size, Options) when is_integer(Size), Size >= 0 -> with_options(Options, Size, true);
new(_Size, _Options) -> erlang:error(badarg).

with_options(Options, Size, Fixed) when is_list(Options) ->
    options(Options, Size, Fixed, undefined);
with_options(Option, Size, Fixed) -> options([Option], Size, Fixed, undefined).

options([fixed | Options], Size, _Fixed, Default) -> options(Options, Size, true, Default);
options([{fixed, Fixed} | Options], Size, _Fixed, Default) when is_boolean(Fixed) ->
    options(Options, Size, Fixed, Default);
options([{default, Default} | Options], Size, Fixed, _Default) ->
    options(Options, Size, Fixed, Default);
options([{size, Size} | Options], _Size, _Fixed, Default) when is_integer(Size), Size >= 0 ->
    options(Options, Size, true, Default);
options([Size | Options], _Size, _Fixed, Default) when is_integer(Size), Size >= 0 ->
    options(Options, Size, true, Default);
options([], Size, Fixed, Default) -> make(Size, Fixed, Default);
options(_Options, _Size, _Fixed, _Default) -> erlang:error(badarg).

make(Size, Fixed, Default) ->
    Span = span_for(Size),
    Max = case Fixed of
              true -> 0;
              false -> Span
          end,
    #array{size = Size, max = Max, default = Default, elements = Span}.

%% The number of elements in the smallest tree with room for Size.
span_for(Size) -> span_for(Size, ?BASE).

span_for(Size, Span) when Size > Span -> span_for(Size, Span * ?BASE);
span_for(_Size, Span) -> Span.

-spec is_array(term()) -> boolean().
is_array(#array{size = Size, max = Max}) -> is_integer(Size) andalso is_integer(Max);
is_array(_) -> false.

-spec size(array()) -> non_neg_integer().
size(#array{size = Size}) -> Size;
size(_) -> erlang:error(badarg).

-spec default(array(T)) -> T.
default(#array{default = Default}) -> Default;
default(_) -> erlang:error(badarg).

-spec fix(array(T)) -> array(T).
fix(#array{} = Array) -> Array#array{max = 0}.

-spec is_fix(array()) -> boolean().
is_fix(#array{max = Max}) -> Max =:= 0.

-spec relax(array(T)) -> array(T).
relax(#array{size = Size} = Array) -> Array#array{max = span_for(Size)}.

%% What is cut off stays in the tree.
-spec resize(non_neg_integer(), array(T)) -> array(T).
resize(Size, #array{size = OldSize, max = Max, elements = Tree} = Array)
  when is_integer(Size), Size >= 0 ->
    if
        Size =< OldSize -> Array#array{size = Size};
        Max > 0 ->
            {NewTree, NewMax} = grow(Size, Tree, Max),
            Array#array{size = Size, max = NewMax, elements = NewTree};
        true ->
            {NewTree, _} = grow(Size, Tree, span_for(OldSize)),
            Array#array{size = Size, elements = NewTree}
    end;
resize(_Size, _Array) -> erlang:error(badarg).

-spec resize(array(T)) -> array(T).
resize(Array) -> resize(sparse_size(Array), Array).

%% Puts nodes on top until the tree has room for Size elements.
grow(Size, Tree, _Span) when is_integer(Tree) ->
    Span = span_for(Size, Tree),
    {Span, Span};
grow(Size, Tree, Span) when Size > Span ->
    grow(Size, setelement(1, empty_node(Span), Tree), Span * ?BASE);
grow(_Size, Tree, Span) -> {Tree, Span}.

empty_node(ChildSpan) -> erlang:make_tuple(?BASE + 1, ChildSpan).

%% ---- single elements ----

-spec get(non_neg_integer(), array(T)) -> T.
get(Index, #array{size = Size, max = Max, default = Default, elements = Tree})
  when is_integer(Index), Index >= 0 ->
    if
        Index < Size -> get_in(Tree, Index, Default);
        Max > 0 -> Default;
        true -> erlang:error(badarg)
    end;
get(_Index, _Array) -> erlang:error(badarg).

get_in(Tree, Index, Default) when ?IS_NODE(Tree) ->
    Span = element(?BASE + 1, Tree),
    get_in(element(Index div Span + 1, Tree), Index rem Span, Default);
get_in(Span, _Index, Default) when is_integer(Span) -> Default;
get_in(Leaf, Index, _Default) -> element(Index + 1, Leaf).

-spec set(non_neg_integer(), T, array(T)) -> array(T).
set(Index, Value, #array{size = Size, max = Max, default = Default, elements = Tree} = Array)
  when is_integer(Index), Index >= 0 ->
    if
        Index < Size -> Array#array{elements = set_in(Tree, Index, Value, Default)};
        Max > 0 ->
            {NewTree, NewMax} = grow(Index + 1, Tree, Max),
            Array#array{size = Index + 1, max = max(Max, NewMax),
                        elements = set_in(NewTree, Index, Value, Default)};
        true -> erlang:error(badarg)
    end;
set(_Index, _Value, _Array) -> erlang:error(badarg).

set_in(Tree, Index, Value, Default) when ?IS_NODE(Tree) ->
    Span = element(?BASE + 1, Tree),
    N = Index div Span + 1,
    setelement(N, Tree, set_in(element(N, Tree), Index rem Span, Value, Default));
set_in(Span, Index, Value, Default) when is_integer(Span) ->
    set_in(unfolded(Span, Default), Index, Value, Default);
set_in(Leaf, Index, Value, _Default) -> setelement(Index + 1, Leaf, Value).

%% The top of a subtree that was only a number.
unfolded(Span, _Default) when Span > ?BASE -> empty_node(Span div ?BASE);
unfolded(_Span, Default) -> erlang:make_tuple(?BASE, Default).

-spec reset(non_neg_integer(), array(T)) -> array(T).
reset(Index, #array{size = Size, max = Max, default = Default, elements = Tree} = Array)
  when is_integer(Index), Index >= 0 ->
    if
        Index < Size ->
            case get_in(Tree, Index, Default) of
                Default -> Array;
                _ -> Array#array{elements = set_in(Tree, Index, Default, Default)}
            end;
        Max > 0 -> Array;
        true -> erlang:error(badarg)
    end;
reset(_Index, _Array) -> erlang:error(badarg).

%% ---- lists to arrays ----

-spec from_list([T]) -> array(T).
from_list(List) -> from_list(List, undefined).

-spec from_list([T], D) -> array(T | D).
from_list([], Default) -> new({default, Default});
from_list(List, Default) when length(List) >= 0 ->
    Size = length(List),
    Leaves = leaves(List, 0, Default),
    of_leaves(Size, Default, Leaves);
from_list(_List, _Default) -> erlang:error(badarg).

leaves([A, B, C, D, E, F, G, H, I, J | List], N, Default) ->
    [{N, {A, B, C, D, E, F, G, H, I, J}} | leaves(List, N + 1, Default)];
leaves([], _N, _Default) -> [];
leaves(Rest, N, Default) ->
    [{N, list_to_tuple(Rest ++ lists:duplicate(?BASE - length(Rest), Default))}].

-spec from_orddict([{non_neg_integer(), T}]) -> array(T).
from_orddict(Pairs) -> from_orddict(Pairs, undefined).

-spec from_orddict([{non_neg_integer(), T}], D) -> array(T | D).
from_orddict([], Default) -> new({default, Default});
from_orddict(Pairs, Default) when is_list(Pairs) ->
    {Leaves, Size} = sparse_leaves(Pairs, 0, Default, []),
    of_leaves(Size, Default, Leaves);
from_orddict(_Pairs, _Default) -> erlang:error(badarg).

%% The leaves that hold something. A leaf of defaults is made for a gap of a single leaf.
sparse_leaves([{Index, _} | _] = Pairs, N, Default, Leaves)
  when is_integer(Index), Index > (N + 1) * ?BASE ->
    sparse_leaves(Pairs, Index div ?BASE, Default, Leaves);
sparse_leaves([{_, _} | _] = Pairs, N, Default, Leaves) ->
    {Elems, Size, Rest} = one_leaf(?BASE, N * ?BASE, Pairs, Default, []),
    NewLeaves = [{N, list_to_tuple(Elems)} | Leaves],
    case Rest of
        [] -> {lists:reverse(NewLeaves), Size};
        _ -> sparse_leaves(Rest, N + 1, Default, NewLeaves)
    end;
sparse_leaves(Pairs, _N, _Default, _Leaves) -> erlang:error({badarg, Pairs}).

one_leaf(0, Index, Pairs, _Default, Elems) -> {lists:reverse(Elems), Index, Pairs};
one_leaf(Room, Index, [{Index, Value} | Pairs], Default, Elems) ->
    one_leaf(Room - 1, Index + 1, Pairs, Default, [Value | Elems]);
one_leaf(Room, Index, [{Later, _} | _] = Pairs, Default, Elems)
  when is_integer(Later), Later > Index ->
    one_leaf(Room - 1, Index + 1, Pairs, Default, [Default | Elems]);
one_leaf(_Room, _Index, [_ | _] = Pairs, _Default, _Elems) -> erlang:error({badarg, Pairs});
one_leaf(Room, Index, End, Default, Elems) ->
    {lists:reverse(Elems, lists:duplicate(Room, Default)), Index, End}.

of_leaves(Size, Default, Leaves) ->
    Span = span_for(Size),
    {Tree, []} = tree(Span, 0, Leaves),
    #array{size = Size, max = Span, default = Default, elements = Tree}.

%% The tree of those leaves that are in the span of leaves that starts with leaf Start.
tree(Span, Start, [{N, _} | _] = Leaves) when N >= Start + Span div ?BASE -> {Span, Leaves};
tree(Span, _Start, []) -> {Span, []};
tree(?BASE, N, [{N, Leaf} | Leaves]) -> {Leaf, Leaves};
tree(Span, Start, Leaves) ->
    ChildSpan = Span div ?BASE,
    Starts = lists:seq(Start, Start + Span div ?BASE - 1, ChildSpan div ?BASE),
    {Children, Rest} =
        lists:mapfoldl(fun(ChildStart, Left) -> tree(ChildSpan, ChildStart, Left) end,
                       Leaves, Starts),
    {list_to_tuple(Children ++ [ChildSpan]), Rest}.

%% ---- whole arrays ----

%% The array in order: `{Index, Leaf, Count}` for the Count elements of a leaf that belong to the array,
%% `{Index, none, Count}` for as many defaults.
spans(#array{size = 0}) -> [];
spans(#array{size = Size, elements = Tree}) -> spans(Tree, 0, Size, []).

spans(Tree, Index, Count, Acc) when ?IS_NODE(Tree) ->
    Span = element(?BASE + 1, Tree),
    child_spans((Count - 1) div Span, Tree, Index, Count, Span, Acc);
spans(Span, Index, Count, Acc) when is_integer(Span) -> [{Index, none, Count} | Acc];
spans(Leaf, Index, Count, Acc) -> [{Index, Leaf, Count} | Acc].

child_spans(N, _Tree, _Index, _Count, _Span, Acc) when N < 0 -> Acc;
child_spans(N, Tree, Index, Count, Span, Acc) ->
    Offset = N * Span,
    Acc1 = spans(element(N + 1, Tree), Index + Offset, min(Span, Count - Offset), Acc),
    child_spans(N - 1, Tree, Index, Count, Span, Acc1).

-spec foldl(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
foldl(Fun, Acc, #array{default = Default} = Array) when is_function(Fun, 3) ->
    lists:foldl(fun({Index, Leaf, Count}, Acc1) ->
                    upwards(1, Count, Leaf, Index, Default, Fun, Acc1)
                end, Acc, spans(Array));
foldl(_Fun, _Acc, _Array) -> erlang:error(badarg).

upwards(N, Count, _Leaf, _Index, _Default, _Fun, Acc) when N > Count -> Acc;
upwards(N, Count, Leaf, Index, Default, Fun, Acc) ->
    Acc1 = Fun(Index, at(N, Leaf, Default), Acc),
    upwards(N + 1, Count, Leaf, Index + 1, Default, Fun, Acc1).

at(_N, none, Default) -> Default;
at(N, Leaf, _Default) -> element(N, Leaf).

-spec foldr(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
foldr(Fun, Acc, #array{default = Default} = Array) when is_function(Fun, 3) ->
    lists:foldr(fun({Index, Leaf, Count}, Acc1) ->
                    downwards(Count, Leaf, Index + Count - 1, Default, Fun, Acc1)
                end, Acc, spans(Array));
foldr(_Fun, _Acc, _Array) -> erlang:error(badarg).

downwards(0, _Leaf, _Index, _Default, _Fun, Acc) -> Acc;
downwards(N, Leaf, Index, Default, Fun, Acc) ->
    downwards(N - 1, Leaf, Index - 1, Default, Fun, Fun(Index, at(N, Leaf, Default), Acc)).

-spec sparse_foldl(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
sparse_foldl(Fun, Acc, #array{default = Default} = Array) when is_function(Fun, 3) ->
    Sparse = sparse(Fun, Default),
    lists:foldl(fun({_, none, _}, Acc1) -> Acc1;
                   ({Index, Leaf, Count}, Acc1) ->
                    upwards(1, Count, Leaf, Index, Default, Sparse, Acc1)
                end, Acc, spans(Array));
sparse_foldl(_Fun, _Acc, _Array) -> erlang:error(badarg).

-spec sparse_foldr(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
sparse_foldr(Fun, Acc, #array{default = Default} = Array) when is_function(Fun, 3) ->
    Sparse = sparse(Fun, Default),
    lists:foldr(fun({_, none, _}, Acc1) -> Acc1;
                   ({Index, Leaf, Count}, Acc1) ->
                    downwards(Count, Leaf, Index + Count - 1, Default, Sparse, Acc1)
                end, Acc, spans(Array));
sparse_foldr(_Fun, _Acc, _Array) -> erlang:error(badarg).

%% The function, applied to what is not the default.
sparse(Fun, Default) ->
    fun(_Index, Value, Acc) when Value =:= Default -> Acc;
       (Index, Value, Acc) -> Fun(Index, Value, Acc)
    end.

-spec to_list(array(T)) -> [T].
to_list(Array) -> foldr(fun(_Index, Value, Acc) -> [Value | Acc] end, [], Array).

-spec sparse_to_list(array(T)) -> [T].
sparse_to_list(Array) -> sparse_foldr(fun(_Index, Value, Acc) -> [Value | Acc] end, [], Array).

-spec to_orddict(array(T)) -> [{non_neg_integer(), T}].
to_orddict(Array) -> foldr(fun(Index, Value, Acc) -> [{Index, Value} | Acc] end, [], Array).

-spec sparse_to_orddict(array(T)) -> [{non_neg_integer(), T}].
sparse_to_orddict(Array) ->
    sparse_foldr(fun(Index, Value, Acc) -> [{Index, Value} | Acc] end, [], Array).

%% The size without the defaults at the end.
-spec sparse_size(array()) -> non_neg_integer().
sparse_size(#array{default = Default} = Array) ->
    last_defined(lists:reverse(spans(Array)), Default);
sparse_size(_Array) -> erlang:error(badarg).

last_defined([{_, none, _} | Spans], Default) -> last_defined(Spans, Default);
last_defined([{Index, Leaf, Count} | Spans], Default) when Count > 0 ->
    case element(Count, Leaf) of
        Default -> last_defined([{Index, Leaf, Count - 1} | Spans], Default);
        _ -> Index + Count
    end;
last_defined([_ | Spans], Default) -> last_defined(Spans, Default);
last_defined([], _Default) -> 0.

-spec map(fun((non_neg_integer(), T1) -> T2), array(T1)) -> array(T1 | T2).
map(Fun, #array{size = Size, default = Default, elements = Tree} = Array) when is_function(Fun, 2) ->
    if
        Size > 0 -> Array#array{elements = map_in(Tree, 0, Size, Fun, Default)};
        true -> Array
    end;
map(_Fun, _Array) -> erlang:error(badarg).

map_in(Tree, Index, Count, Fun, Default) when ?IS_NODE(Tree) ->
    map_children(fun(Child, ChildIndex, ChildCount) ->
                     map_in(Child, ChildIndex, ChildCount, Fun, Default)
                 end, Tree, Index, Count);
map_in(Span, Index, Count, Fun, Default) when is_integer(Span) ->
    map_in(unfolded(Span, Default), Index, Count, Fun, Default);
map_in(Leaf, Index, Count, Fun, Default) ->
    Elems = lists:sublist(tuple_to_list(Leaf), Count),
    list_to_tuple(map_elements(Elems, Index, Fun) ++ lists:duplicate(?BASE - Count, Default)).

map_elements([Elem | Elems], Index, Fun) -> [Fun(Index, Elem) | map_elements(Elems, Index + 1, Fun)];
map_elements([], _Index, _Fun) -> [].

%% Applies Fun(Child, Index, Count) to the children within the first Count elements.
map_children(Fun, Tree, Index, Count) ->
    Span = element(?BASE + 1, Tree),
    list_to_tuple(map_children(1, Fun, Tree, Index, Count, Span)).

map_children(N, _Fun, _Tree, _Index, _Count, Span) when N > ?BASE -> [Span];
map_children(N, Fun, Tree, Index, Count, Span) when Count > 0 ->
    Child = Fun(element(N, Tree), Index, min(Count, Span)),
    [Child | map_children(N + 1, Fun, Tree, Index + Span, Count - Span, Span)];
map_children(N, Fun, Tree, Index, Count, Span) ->
    [element(N, Tree) | map_children(N + 1, Fun, Tree, Index, Count, Span)].

-spec sparse_map(fun((non_neg_integer(), T1) -> T2), array(T1)) -> array(T1 | T2).
sparse_map(Fun, #array{size = Size, default = Default, elements = Tree} = Array)
  when is_function(Fun, 2) ->
    if
        Size > 0 -> Array#array{elements = sparse_map_in(Tree, 0, Size, Fun, Default)};
        true -> Array
    end;
sparse_map(_Fun, _Array) -> erlang:error(badarg).

sparse_map_in(Tree, Index, Count, Fun, Default) when ?IS_NODE(Tree) ->
    map_children(fun(Child, ChildIndex, ChildCount) ->
                     sparse_map_in(Child, ChildIndex, ChildCount, Fun, Default)
                 end, Tree, Index, Count);
sparse_map_in(Span, _Index, _Count, _Fun, _Default) when is_integer(Span) -> Span;
sparse_map_in(Leaf, Index, _Count, Fun, Default) ->
    Sparse = fun(_, Value) when Value =:= Default -> Default;
                (I, Value) -> Fun(I, Value)
             end,
    list_to_tuple(map_elements(tuple_to_list(Leaf), Index, Sparse)).
