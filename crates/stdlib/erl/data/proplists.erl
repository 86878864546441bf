%% proplists: property lists.
%%
%% An entry is an atom (short for `{Atom, true}`) or a tuple whose first element is the key; anything
%% else in the list is passed over. Keys are compared with `=:=`. The first entry of a key counts.
-module(proplists).

-export([append_values/2, compact/1, delete/2, expand/2, from_map/1, get_all_values/2, get_bool/2,
         get_keys/1, get_value/2, get_value/3, is_defined/2, lookup/2, lookup_all/2, normalize/2,
         property/1, property/2, split/2, substitute_aliases/2, substitute_negations/2, to_map/1,
         to_map/2, unfold/1]).

-export_type([property/0, proplist/0]).

-type property() :: atom() | tuple().
-type proplist() :: [property()].

%% A guard: Entry is an entry of Key.
-define(IS_OF(Key, Entry), is_atom(Entry), Entry =:= Key; element(1, Entry) =:= Key).

%% ---- entries ----

%% The shortest form of an entry.
-spec property(property()) -> property().
property({Key, true}) when is_atom(Key) -> Key;
property(Entry) -> Entry.

-spec property(term(), term()) -> property().
property(Key, true) when is_atom(Key) -> Key;
property(Key, Value) -> {Key, Value}.

-spec unfold([term()]) -> [term()].
unfold([Atom | Entries]) when is_atom(Atom) -> [{Atom, true} | unfold(Entries)];
unfold([Entry | Entries]) -> [Entry | unfold(Entries)];
unfold([]) -> [].

-spec compact([property()]) -> [property()].
compact(Entries) -> [property(Entry) || Entry <- Entries].

%% ---- looking up ----

-spec lookup(term(), [term()]) -> none | tuple().
lookup(Key, [Entry | _]) when ?IS_OF(Key, Entry) -> as_tuple(Entry);
lookup(Key, [_ | Entries]) -> lookup(Key, Entries);
lookup(_Key, []) -> none.

-spec lookup_all(term(), [term()]) -> [tuple()].
lookup_all(Key, [Entry | Entries]) when ?IS_OF(Key, Entry) ->
    [as_tuple(Entry) | lookup_all(Key, Entries)];
lookup_all(Key, [_ | Entries]) -> lookup_all(Key, Entries);
lookup_all(_Key, []) -> [].

as_tuple(Atom) when is_atom(Atom) -> {Atom, true};
as_tuple(Tuple) -> Tuple.

-spec is_defined(term(), [term()]) -> boolean().
is_defined(Key, [Entry | _]) when ?IS_OF(Key, Entry) -> true;
is_defined(Key, [_ | Entries]) -> is_defined(Key, Entries);
is_defined(_Key, []) -> false.

-spec get_value(term(), [term()]) -> term().
get_value(Key, Entries) -> get_value(Key, Entries, undefined).

-spec get_value(term(), [term()], term()) -> term().
get_value(Key, [Entry | _], Default) when ?IS_OF(Key, Entry) ->
    case Entry of
        {_, Value} -> Value;
        Atom when is_atom(Atom) -> true;
        _ -> Default
    end;
get_value(Key, [_ | Entries], Default) -> get_value(Key, Entries, Default);
get_value(_Key, [], Default) -> Default.

-spec get_bool(term(), [term()]) -> boolean().
get_bool(Key, [Entry | _]) when ?IS_OF(Key, Entry) ->
    is_atom(Entry) orelse Entry =:= {Key, true};
get_bool(Key, [_ | Entries]) -> get_bool(Key, Entries);
get_bool(_Key, []) -> false.

-spec get_all_values(term(), [term()]) -> [term()].
get_all_values(Key, Entries) -> [Value || {_, Value} <- lookup_all(Key, Entries)].

-spec append_values(term(), [term()]) -> [term()].
append_values(Key, Entries) ->
    lists:flatmap(fun(List) when is_list(List) -> List;
                     (Value) -> [Value]
                  end, get_all_values(Key, Entries)).

%% In the order of a set: unspecified.
-spec get_keys([term()]) -> [term()].
get_keys(Entries) -> sets:to_list(get_keys(Entries, sets:new())).

get_keys([Atom | Entries], Keys) when is_atom(Atom) ->
    get_keys(Entries, sets:add_element(Atom, Keys));
get_keys([Tuple | Entries], Keys) when tuple_size(Tuple) >= 1 ->
    get_keys(Entries, sets:add_element(element(1, Tuple), Keys));
get_keys([_ | Entries], Keys) -> get_keys(Entries, Keys);
get_keys([], Keys) -> Keys.

%% ---- changing ----

-spec delete(term(), [term()]) -> [term()].
delete(Key, [Entry | Entries]) when ?IS_OF(Key, Entry) -> delete(Key, Entries);
delete(Key, [Entry | Entries]) -> [Entry | delete(Key, Entries)];
delete(_Key, []) -> [].

-spec substitute_aliases([{term(), term()}], [term()]) -> [term()].
substitute_aliases(Aliases, Entries) -> [without_alias(Aliases, Entry) || Entry <- Entries].

without_alias([{Key, NewKey} | _], Entry) when ?IS_OF(Key, Entry) ->
    property(setelement(1, as_tuple(Entry), NewKey));
without_alias([{_, _} | Aliases], Entry) -> without_alias(Aliases, Entry);
without_alias([], Entry) -> Entry.

%% An entry that is not boolean counts as false, as in get_bool/2; its negation is true.
-spec substitute_negations([{term(), term()}], [term()]) -> [term()].
substitute_negations(Negations, Entries) ->
    [without_negation(Negations, Entry) || Entry <- Entries].

without_negation([{Key, NewKey} | _], Entry) when ?IS_OF(Key, Entry) ->
    property(NewKey, not get_bool(Key, [Entry]));
without_negation([{_, _} | Negations], Entry) -> without_negation(Negations, Entry);
without_negation([], Entry) -> Entry.

%% Each expansion replaces the first entry of its key, if that is just the property to expand, by a
%% list, and drops the key's other entries. The lists are spliced in at the end, so that what they
%% contain is not expanded again.
-spec expand([{property(), [term()]}], [term()]) -> [term()].
expand(Expansions, Entries) when is_list(Entries) ->
    Wanted = [{property(Entry), List} || {Entry, List} <- Expansions],
    splice(expand_each(Wanted, Entries)).

%% Of expansions of one property in a row, only the first counts.
expand_each([{Property, List}, {Property, _} | Rest], Entries) ->
    expand_each([{Property, List} | Rest], Entries);
expand_each([{Atom, List} | Rest], Entries) when is_atom(Atom) ->
    expand_each(Rest, expand_one(Atom, Atom, List, Entries));
expand_each([{Tuple, List} | Rest], Entries) when tuple_size(Tuple) >= 1 ->
    expand_each(Rest, expand_one(element(1, Tuple), Tuple, List, Entries));
expand_each([_ | Rest], Entries) -> expand_each(Rest, Entries);
expand_each([], Entries) -> Entries.

expand_one(Key, Property, List, [Entry | Entries]) when ?IS_OF(Key, Entry) ->
    case property(Entry) of
        Property -> [List | delete(Key, Entries)];
        Other -> [Other | Entries]
    end;
expand_one(Key, Property, List, [Entry | Entries]) ->
    [Entry | expand_one(Key, Property, List, Entries)];
expand_one(_Key, _Property, _List, []) -> [].

splice([List | Rest]) when is_list(List) -> List ++ splice(Rest);
splice([Entry | Rest]) -> [Entry | splice(Rest)];
splice([]) -> [].

-type stage() :: {aliases, [{term(), term()}]} | {negations, [{term(), term()}]}
               | {expand, [{property(), [term()]}]}.

-spec normalize([term()], [stage()]) -> [term()].
normalize(Entries, Stages) -> compact(apply_stages(Entries, Stages)).

apply_stages(Entries, [{aliases, Aliases} | Stages]) ->
    apply_stages(substitute_aliases(Aliases, Entries), Stages);
apply_stages(Entries, [{negations, Negations} | Stages]) ->
    apply_stages(substitute_negations(Negations, Entries), Stages);
apply_stages(Entries, [{expand, Expansions} | Stages]) ->
    apply_stages(expand(Expansions, Entries), Stages);
apply_stages(Entries, []) -> Entries.

%% The entries of each key of Keys, and the rest.
-spec split([term()], [term()]) -> {[[term()]], [term()]}.
split(Entries, Keys) ->
    {Found, Rest} = split(Entries, maps:from_list([{Key, []} || Key <- Keys]), []),
    {[lists:reverse(map_get(Key, Found)) || Key <- Keys], lists:reverse(Rest)}.

split([Entry | Entries], Found, Rest) ->
    Key = if
              is_atom(Entry) -> Entry;
              tuple_size(Entry) >= 1 -> element(1, Entry);
              true -> Found % no entry, and certainly no key of the map
          end,
    case Found of
        #{Key := Same} when is_atom(Entry); is_tuple(Entry) ->
            split(Entries, Found#{Key := [Entry | Same]}, Rest);
        #{} -> split(Entries, Found, [Entry | Rest])
    end;
split([], Found, Rest) -> {Found, Rest}.

%% ---- maps ----

-spec to_map([term()]) -> #{term() => term()}.
to_map(Entries) ->
    lists:foldr(fun({Key, Value}, Map) -> Map#{Key => Value};
                   (Atom, Map) when is_atom(Atom) -> Map#{Atom => true};
                   (Tuple, Map) when tuple_size(Tuple) >= 1 -> maps:remove(element(1, Tuple), Map);
                   (_, Map) -> Map
                end, #{}, Entries).

-spec to_map([term()], [stage()]) -> #{term() => term()}.
to_map(Entries, Stages) -> to_map(apply_stages(Entries, Stages)).

-spec from_map(#{Key => Value}) -> [{Key, Value}].
from_map(Map) -> maps:to_list(Map).
