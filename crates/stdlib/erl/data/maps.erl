%% maps: functions on maps.
%%
%% What goes over a whole map takes its pairs in the order of maps:keys/1 (native), or in its
%% reverse when the map has more than 32 keys: so does OTP, except for to_list/1. An iterator is
%% `[0 | Map]` before the first step and a chain `{Key, Value, Next}`, ended by `none`, after it; OTP
%% builds the chain of a large map in pieces, which only shows when an iterator is printed.
-module(maps).

-export([filter/2, filtermap/2, fold/3, foreach/2, get/3, groups_from_list/2, groups_from_list/3,
         intersect/2, intersect_with/3, iterator/1, iterator/2, map/2, merge_with/3, new/0, next/1,
         size/1, to_list/1, update_with/3, update_with/4, with/2, without/2]).
%% Native.
-export([find/2, from_keys/2, from_list/1, get/2, is_key/2, keys/1, merge/2, put/3, remove/2,
         take/2, update/3, values/1]).

-compile({no_auto_import, [size/1, get/1, put/2]}).

-export_type([iterator/0, iterator/2]).

-opaque iterator(Key, Value) ::
    {Key, Value, iterator(Key, Value)} | none | nonempty_improper_list(0, #{Key => Value}).
-type iterator() :: iterator(term(), term()).

-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

%% ---- native functions ----

-spec find(Key, #{Key => Value}) -> {ok, Value} | error.
find(_Key, _Map) -> erlang:nif_error(undef).

-spec from_keys([Key], Value) -> #{Key => Value}.
from_keys(_Keys, _Value) -> erlang:nif_error(undef).

-spec from_list([{Key, Value}]) -> #{Key => Value}.
from_list(_Pairs) -> erlang:nif_error(undef).

-spec get(Key, #{Key => Value}) -> Value.
get(_Key, _Map) -> erlang:nif_error(undef).

-spec is_key(term(), map()) -> boolean().
is_key(_Key, _Map) -> erlang:nif_error(undef).

-spec keys(#{Key => term()}) -> [Key].
keys(_Map) -> erlang:nif_error(undef).

-spec merge(map(), map()) -> map().
merge(_Map1, _Map2) -> erlang:nif_error(undef).

-spec put(Key, Value, #{Key => Value}) -> #{Key => Value}.
put(_Key, _Value, _Map) -> erlang:nif_error(undef).

-spec remove(Key, #{Key => Value}) -> #{Key => Value}.
remove(_Key, _Map) -> erlang:nif_error(undef).

-spec take(Key, #{Key => Value}) -> {Value, #{Key => Value}} | error.
take(_Key, _Map) -> erlang:nif_error(undef).

-spec update(Key, Value, #{Key => Value}) -> #{Key => Value}.
update(_Key, _Value, _Map) -> erlang:nif_error(undef).

-spec values(#{term() => Value}) -> [Value].
values(_Map) -> erlang:nif_error(undef).

%% ---- single keys ----

-spec new() -> #{}.
new() -> #{}.

-spec size(map()) -> non_neg_integer().
size(Map) when is_map(Map) -> map_size(Map);
size(Map) -> erlang:error({badmap, Map}, [Map], ?INFO).

-spec get(Key, #{Key => Value}, Default) -> Value | Default.
get(Key, Map, Default) when is_map(Map) ->
    case Map of
        #{Key := Value} -> Value;
        #{} -> Default
    end;
get(Key, Map, Default) -> erlang:error({badmap, Map}, [Key, Map, Default], ?INFO).

-spec update_with(Key, fun((Value) -> Value), #{Key => Value}) -> #{Key => Value}.
update_with(Key, Fun, Map) when is_function(Fun, 1), is_map(Map) ->
    case Map of
        #{Key := Value} -> Map#{Key := Fun(Value)};
        #{} -> erlang:error({badkey, Key}, [Key, Fun, Map])
    end;
update_with(Key, Fun, Map) -> erlang:error(badmap_or_badarg(Map), [Key, Fun, Map], ?INFO).

-spec update_with(Key, fun((Value) -> Value), Value, #{Key => Value}) -> #{Key => Value}.
update_with(Key, Fun, Initial, Map) when is_function(Fun, 1), is_map(Map) ->
    case Map of
        #{Key := Value} -> Map#{Key := Fun(Value)};
        #{} -> Map#{Key => Initial}
    end;
update_with(Key, Fun, Initial, Map) ->
    erlang:error(badmap_or_badarg(Map), [Key, Fun, Initial, Map], ?INFO).

badmap_or_badarg(Map) when is_map(Map) -> badarg;
badmap_or_badarg(NotMap) -> {badmap, NotMap}.

%% ---- selections ----

-spec with([Key], #{Key => Value}) -> #{Key => Value}.
with(Keys, Map) when is_list(Keys), is_map(Map) -> maps:from_list(with_1(Keys, Map));
with(Keys, Map) -> erlang:error(badmap_or_badarg(Map), [Keys, Map], ?INFO).

with_1([Key | Keys], Map) ->
    case Map of
        #{Key := Value} -> [{Key, Value} | with_1(Keys, Map)];
        #{} -> with_1(Keys, Map)
    end;
with_1([], _Map) -> [].

-spec without([Key], #{Key => Value}) -> #{Key => Value}.
without(Keys, Map) when is_list(Keys), is_map(Map) -> lists:foldl(fun maps:remove/2, Map, Keys);
without(Keys, Map) -> erlang:error(badmap_or_badarg(Map), [Keys, Map], ?INFO).

%% ---- pairs and iterators ----

-spec to_list(#{Key => Value}) -> [{Key, Value}].
to_list(Map) when is_map(Map) -> zip(maps:keys(Map), maps:values(Map));
to_list(Map) -> erlang:error({badmap, Map}, [Map], ?INFO).

-spec iterator(#{Key => Value}) -> iterator(Key, Value).
iterator(Map) when is_map(Map) -> [0 | Map];
iterator(Map) -> erlang:error({badmap, Map}, [Map], ?INFO).

%% Since OTP 26. The order of keys is that of maps: integers before floats.
-spec iterator(#{Key => Value}, undefined | ordered | reversed | fun((Key, Key) -> boolean())) ->
          iterator(Key, Value).
iterator(Map, undefined) when is_map(Map) -> [0 | Map];
iterator(Map, ordered) when is_map(Map) ->
    in_order(Map, fun(A, B) -> erts_internal:cmp_term(A, B) =< 0 end);
iterator(Map, reversed) when is_map(Map) ->
    in_order(Map, fun(A, B) -> erts_internal:cmp_term(B, A) =< 0 end);
iterator(Map, Order) when is_map(Map), is_function(Order, 2) -> in_order(Map, Order);
iterator(Map, Order) when is_map(Map) -> erlang:error(badarg, [Map, Order], ?INFO);
iterator(Map, Order) -> erlang:error({badmap, Map}, [Map, Order], ?INFO).

in_order(Map, Order) ->
    lists:foldr(fun(Key, Rest) -> {Key, map_get(Key, Map), Rest} end, none,
                lists:sort(Order, maps:keys(Map))).

-spec next(iterator(Key, Value)) -> {Key, Value, iterator(Key, Value)} | none.
next({Key, Value, Rest}) -> {Key, Value, Rest};
next(none) -> none;
next([0 | Map]) when is_map(Map) -> chain(pairs(Map));
next(Iterator) -> erlang:error(badarg, [Iterator], ?INFO).

chain([{Key, Value} | Pairs]) -> {Key, Value, chain(Pairs)};
chain([]) -> none.

%% The pairs in the order of iteration.
pairs(Map) when map_size(Map) =< 32 -> zip(maps:keys(Map), maps:values(Map));
pairs(Map) -> lists:reverse(zip(maps:keys(Map), maps:values(Map))).

zip([Key | Keys], [Value | Values]) -> [{Key, Value} | zip(Keys, Values)];
zip([], []) -> [].

%% The pairs of a map or of an iterator; `none` for what is neither.
entries(Map) when is_map(Map) -> pairs(Map);
entries(Iterator) ->
    try next(Iterator) of
        Step -> steps(Step)
    catch
        error:_ -> none
    end.

steps({Key, Value, Rest}) -> [{Key, Value} | steps(next(Rest))];
steps(none) -> [].

-spec fold(fun((Key, Value, Acc) -> Acc), Acc, #{Key => Value} | iterator(Key, Value)) -> Acc.
fold(Fun, Acc, Map) when is_function(Fun, 3) ->
    case entries(Map) of
        none -> erlang:error({badmap, Map}, [Fun, Acc, Map], ?INFO);
        Pairs -> fold_1(Fun, Acc, Pairs)
    end;
fold(Fun, Acc, Map) -> erlang:error(badarg, [Fun, Acc, Map], ?INFO).

fold_1(Fun, Acc, [{Key, Value} | Pairs]) -> fold_1(Fun, Fun(Key, Value, Acc), Pairs);
fold_1(_Fun, Acc, []) -> Acc.

-spec foreach(fun((Key, Value) -> term()), #{Key => Value} | iterator(Key, Value)) -> ok.
foreach(Fun, Map) when is_function(Fun, 2) ->
    case entries(Map) of
        none -> erlang:error({badmap, Map}, [Fun, Map], ?INFO);
        Pairs -> foreach_1(Fun, Pairs)
    end;
foreach(Fun, Map) -> erlang:error(badarg, [Fun, Map], ?INFO).

foreach_1(Fun, [{Key, Value} | Pairs]) ->
    Fun(Key, Value),
    foreach_1(Fun, Pairs);
foreach_1(_Fun, []) -> ok.

-spec map(fun((Key, V1) -> V2), #{Key => V1} | iterator(Key, V1)) -> #{Key => V2}.
map(Fun, Map) when is_function(Fun, 2) ->
    case entries(Map) of
        none -> erlang:error({badmap, Map}, [Fun, Map], ?INFO);
        Pairs -> maps:from_list(map_1(Fun, Pairs))
    end;
map(Fun, Map) -> erlang:error(badarg, [Fun, Map], ?INFO).

map_1(Fun, [{Key, Value} | Pairs]) -> [{Key, Fun(Key, Value)} | map_1(Fun, Pairs)];
map_1(_Fun, []) -> [].

-spec filter(fun((Key, Value) -> boolean()), #{Key => Value} | iterator(Key, Value)) ->
          #{Key => Value}.
filter(Pred, Map) when is_function(Pred, 2) ->
    case entries(Map) of
        none -> erlang:error({badmap, Map}, [Pred, Map], ?INFO);
        Pairs -> maps:from_list(filter_1(Pred, Pairs))
    end;
filter(Pred, Map) -> erlang:error(badarg, [Pred, Map], ?INFO).

filter_1(Pred, [{Key, Value} = Pair | Pairs]) ->
    case Pred(Key, Value) of
        true -> [Pair | filter_1(Pred, Pairs)];
        false -> filter_1(Pred, Pairs)
    end;
filter_1(_Pred, []) -> [].

-spec filtermap(fun((Key, V1) -> boolean() | {true, V2}), #{Key => V1} | iterator(Key, V1)) ->
          #{Key => V1 | V2}.
filtermap(Fun, Map) when is_function(Fun, 2) ->
    case entries(Map) of
        none -> erlang:error({badmap, Map}, [Fun, Map], ?INFO);
        Pairs -> maps:from_list(filtermap_1(Fun, Pairs))
    end;
filtermap(Fun, Map) -> erlang:error(badarg, [Fun, Map], ?INFO).

filtermap_1(Fun, [{Key, Value} = Pair | Pairs]) ->
    case Fun(Key, Value) of
        false -> filtermap_1(Fun, Pairs);
        true -> [Pair | filtermap_1(Fun, Pairs)];
        {true, New} -> [{Key, New} | filtermap_1(Fun, Pairs)]
    end;
filtermap_1(_Fun, []) -> [].

%% ---- two maps ----

%% Only the pairs of the smaller map are looked at, in its order.
-spec intersect(#{K => term()}, #{K => V}) -> #{K => V}.
intersect(Map1, Map2) when is_map(Map1), is_map(Map2) ->
    if
        map_size(Map1) =< map_size(Map2) -> maps:from_list(with_1(maps:keys(Map1), Map2));
        true -> maps:from_list([Pair || {Key, _} = Pair <- pairs(Map2), is_map_key(Key, Map1)])
    end;
intersect(Map1, Map2) -> erlang:error({badmap, not_map(Map1, Map2)}, [Map1, Map2], ?INFO).

-spec intersect_with(fun((K, V1, V2) -> V), #{K => V1}, #{K => V2}) -> #{K => V}.
intersect_with(Fun, Map1, Map2) when is_map(Map1), is_map(Map2), is_function(Fun, 3) ->
    Keys = if
               map_size(Map1) =< map_size(Map2) -> common_keys(Map1, Map2);
               true -> common_keys(Map2, Map1)
           end,
    maps:from_list(combine(Keys, Fun, Map1, Map2, []));
intersect_with(Fun, Map1, Map2) ->
    erlang:error(combining_error(Fun, Map1, Map2), [Fun, Map1, Map2], ?INFO).

common_keys(Map1, Map2) -> [Key || Key <- maps:keys(Map1), is_map_key(Key, Map2)].

combine([Key | Keys], Fun, Map1, Map2, Acc) ->
    Value = Fun(Key, map_get(Key, Map1), map_get(Key, Map2)),
    combine(Keys, Fun, Map1, Map2, [{Key, Value} | Acc]);
combine([], _Fun, _Map1, _Map2, Acc) -> Acc.

-spec merge_with(fun((K, V1, V2) -> V), #{K => V1}, #{K => V2}) -> #{K => V1 | V2 | V}.
merge_with(Fun, Map1, Map2) when is_map(Map1), is_map(Map2), is_function(Fun, 3) ->
    Keys = if
               map_size(Map1) > map_size(Map2) -> common_keys(Map2, Map1);
               true -> common_keys(Map1, Map2)
           end,
    maps:merge(maps:merge(Map1, Map2), maps:from_list(combine(Keys, Fun, Map1, Map2, [])));
merge_with(Fun, Map1, Map2) ->
    erlang:error(combining_error(Fun, Map1, Map2), [Fun, Map1, Map2], ?INFO).

combining_error(_Fun, Map1, Map2) when is_map(Map1), is_map(Map2) -> badarg;
combining_error(_Fun, Map1, Map2) -> {badmap, not_map(Map1, Map2)}.

not_map(Map1, Map2) when is_map(Map1) -> Map2;
not_map(Map1, _Map2) -> Map1.

%% ---- groups ----

-spec groups_from_list(fun((T) -> Key), [T]) -> #{Key => [T]}.
groups_from_list(KeyFun, List) when is_function(KeyFun, 1) ->
    case is_proper(List) of
        true -> groups(KeyFun, fun(Elem) -> Elem end, lists:reverse(List), #{});
        false -> erlang:error(badarg, [KeyFun, List], ?INFO)
    end;
groups_from_list(KeyFun, List) -> erlang:error(badarg, [KeyFun, List], ?INFO).

-spec groups_from_list(fun((T) -> Key), fun((T) -> Value), [T]) -> #{Key => [Value]}.
groups_from_list(KeyFun, ValueFun, List) when is_function(KeyFun, 1), is_function(ValueFun, 1) ->
    case is_proper(List) of
        true -> groups(KeyFun, ValueFun, lists:reverse(List), #{});
        false -> erlang:error(badarg, [KeyFun, ValueFun, List], ?INFO)
    end;
groups_from_list(KeyFun, ValueFun, List) ->
    erlang:error(badarg, [KeyFun, ValueFun, List], ?INFO).

is_proper(List) when length(List) >= 0 -> true;
is_proper(_) -> false.

%% From the last element to the first, so that each group comes out in the order of the list.
groups(KeyFun, ValueFun, [Elem | Elems], Groups) ->
    Key = KeyFun(Elem),
    Value = ValueFun(Elem),
    Group = maps:get(Key, Groups, []),
    groups(KeyFun, ValueFun, Elems, Groups#{Key => [Value | Group]});
groups(_KeyFun, _ValueFun, [], Groups) -> Groups.
