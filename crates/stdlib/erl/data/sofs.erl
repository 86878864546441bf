%% sofs: sets of sets, relations and families (functions onto sets).
%%
%% An unordered set is `{'Set', Elements, ElementType}` with its elements as a sorted list without duplicates
%% (compared with `==`); an ordered or atomic set is `{'OrdSet', Term, Type}`. A type is an atom (atomic set), a
%% tuple of types, or a list of one type; '_' stands for any type and is the type of the elements of the
%% untyped empty set. Two types match if they are equal but for '_'. What does not fit is an error: badarg,
%% type_mismatch or bad_function.
%%
%% Everything is done on sorted lists, mostly by ordsets. Of elements such as 1 and 1.0, which are equal, another
%% one than in OTP may be kept.
-module(sofs).

-export([a_function/1, a_function/2, canonical_relation/1, composite/2, constant_function/2,
         converse/1, difference/2, digraph_to_family/1, digraph_to_family/2, domain/1,
         drestriction/2, drestriction/3, empty_set/0, extension/3, family/1, family/2,
         family_difference/2, family_domain/1, family_field/1, family_intersection/1,
         family_intersection/2, family_projection/2, family_range/1, family_specification/2,
         family_to_digraph/1, family_to_digraph/2, family_to_relation/1, family_union/1,
         family_union/2, field/1, from_external/2, from_sets/1, from_term/1, from_term/2, image/2,
         intersection/1, intersection/2, intersection_of_family/1, inverse/1, inverse_image/2,
         is_a_function/1, is_disjoint/2, is_empty_set/1, is_equal/2, is_set/1, is_sofs_set/1,
         is_subset/2, is_type/1, join/4, multiple_relative_product/2, no_elements/1, partition/1,
         partition/2, partition/3, partition_family/2, product/1, product/2, projection/2, range/1,
         relation/1, relation/2, relation_to_family/1, relative_product/1, relative_product/2,
         relative_product1/2, restriction/2, restriction/3, set/1, set/2, specification/2,
         strict_relation/1, substitution/2, symdiff/2, symmetric_partition/2, to_external/1,
         to_sets/1, type/1, union/1, union/2, union_of_family/1, weak_relation/1]).
%% Short names.
-export([fam2rel/1, rel2fam/1]).

-export_type([a_function/0, a_set/0, anyset/0, binary_relation/0, external_set/0, family/0, ordset/0,
              relation/0, set_fun/0, set_of_sets/0, spec_fun/0, type/0]).

-record('Set', {data = [], type = '_'}).
-record('OrdSet', {data = {}, type = atom}).

-opaque a_set() :: #'Set'{}.
-opaque ordset() :: #'OrdSet'{}.
-type anyset() :: ordset() | a_set().
-type a_function() :: relation().
-type binary_relation() :: relation().
-type family() :: a_function().
-type relation() :: a_set().
-type set_of_sets() :: a_set().
-type external_set() :: term().
-type type() :: term().
-type set_fun() :: pos_integer() | {external, fun((external_set()) -> external_set())}
                 | fun((anyset()) -> anyset()).
-type spec_fun() :: {external, fun((external_set()) -> boolean())} | fun((anyset()) -> boolean()).

-define(SET(Data, Type), #'Set'{data = Data, type = Type}).
-define(ORDSET(Data, Type), #'OrdSet'{data = Data, type = Type}).

%% ---- types ----

-spec is_type(term()) -> boolean().
is_type(Type) when is_atom(Type) -> Type =/= '_';
is_type(Type) -> is_compound_type(Type).

is_compound_type([Type]) -> is_element_type(Type);
is_compound_type(Type) when tuple_size(Type) > 0 ->
    lists:all(fun is_type/1, tuple_to_list(Type));
is_compound_type(_) -> false.

is_element_type(Type) -> is_atom(Type) orelse is_compound_type(Type).

%% The common type of two, or `none`.
unified(Type, Type) -> Type;
unified('_', Type) -> Type;
unified(Type, '_') -> Type;
unified([Type1], [Type2]) ->
    case unified(Type1, Type2) of
        none -> none;
        Type -> [Type]
    end;
unified(Types1, Types2) when tuple_size(Types1) =:= tuple_size(Types2) ->
    Types = lists:zipwith(fun unified/2, tuple_to_list(Types1), tuple_to_list(Types2)),
    case lists:member(none, Types) of
        true -> none;
        false -> list_to_tuple(Types)
    end;
unified(_, _) -> none.

%% The common type, or an error.
same_type(Type1, Type2) ->
    case unified(Type1, Type2) of
        none -> erlang:error(type_mismatch);
        Type -> Type
    end.

%% The types of the coordinates of a binary relation; '_' for both if it is the untyped empty set.
relation_types(?SET(_, {Type1, Type2})) -> {Type1, Type2};
relation_types(?SET(_, '_')) -> {'_', '_'};
relation_types(_) -> erlang:error(badarg).

%% The types of the indexes and of the elements of the indexed sets.
family_types(?SET(_, {Type1, [Type2]})) -> {Type1, Type2};
family_types(?SET(_, '_')) -> {'_', '_'};
family_types(_) -> erlang:error(badarg).

pair_type('_', '_') -> '_';
pair_type(Type1, Type2) -> {Type1, Type2}.

%% ---- making sets ----

-spec empty_set() -> a_set().
empty_set() -> ?SET([], '_').

-spec from_term(term()) -> anyset().
from_term(Term) -> from_term(Term, '_').

-spec from_term(term(), type()) -> anyset().
from_term(Term, Type) ->
    case Type =:= '_' orelse is_type(Type) of
        true -> typed_or_badarg(Term, Type);
        false -> erlang:error(badarg)
    end.

typed_or_badarg(Term, Type) ->
    try typed(Term, Type) of
        {Data, NewType} -> from_external(Data, NewType)
    catch
        throw:mismatch -> erlang:error(badarg)
    end.

%% The term with its lists sorted, and its type, which must match the given one.
typed(Term, '_') when is_list(Term) -> typed(Term, ['_']);
typed(Term, '_') when tuple_size(Term) > 0 ->
    typed(Term, erlang:make_tuple(tuple_size(Term), '_'));
typed({}, '_') -> throw(mismatch);
typed(Term, '_') -> {Term, atom};
typed(Term, Type) when is_atom(Type) -> {Term, Type};
typed(Term, [Type]) when is_list(Term) -> typed_elements(Term, Type);
typed(Term, Types) when is_tuple(Types), tuple_size(Term) =:= tuple_size(Types) ->
    {Datas, NewTypes} = lists:unzip(lists:zipwith(fun typed/2, tuple_to_list(Term), tuple_to_list(Types))),
    {list_to_tuple(Datas), list_to_tuple(NewTypes)};
typed(_, _) -> throw(mismatch).

typed_elements(Terms, Type) when length(Terms) >= 0 ->
    {Datas, Types} = lists:unzip([typed(Term, Type) || Term <- Terms]),
    Common = lists:foldl(fun(T, Acc) ->
                             case unified(T, Acc) of
                                 none -> throw(mismatch);
                                 U -> U
                             end
                         end, Type, Types),
    {lists:usort(Datas), [Common]};
typed_elements(_, _) -> throw(mismatch).

-spec from_external(external_set(), type()) -> anyset().
from_external(Data, [Type]) -> ?SET(Data, Type);
from_external(Data, Type) -> ?ORDSET(Data, Type).

-spec from_sets([anyset()] | tuple()) -> anyset().
from_sets(Sets) when is_list(Sets) ->
    {Datas, Types} = lists:unzip([data_and_type(Set) || Set <- Sets]),
    Type = lists:foldl(fun(T, Acc) -> same_type(T, Acc) end, '_', Types),
    ?SET(lists:usort(Datas), Type);
from_sets(Sets) when tuple_size(Sets) > 0 ->
    {Datas, Types} = lists:unzip([data_and_type(Set) || Set <- tuple_to_list(Sets)]),
    ?ORDSET(list_to_tuple(Datas), list_to_tuple(Types));
from_sets(_) -> erlang:error(badarg).

data_and_type(Set) ->
    case is_sofs_set(Set) of
        true -> {to_external(Set), type(Set)};
        false -> erlang:error(badarg)
    end.

-spec set([term()]) -> a_set().
set(List) -> set(List, [atom]).

-spec set([term()], type()) -> a_set().
set(List, [_] = Type) ->
    case is_type(Type) of
        true -> typed_or_badarg(List, Type);
        false -> erlang:error(badarg)
    end;
set(_, _) -> erlang:error(badarg).

-spec relation([tuple()]) -> relation().
relation([]) -> relation([], 2);
relation([Tuple | _] = Tuples) when is_tuple(Tuple) -> relation(Tuples, tuple_size(Tuple));
relation(_) -> erlang:error(badarg).

-spec relation([tuple()], type() | integer()) -> relation().
relation(Tuples, N) when is_integer(N), N > 0 ->
    typed_or_badarg(Tuples, [erlang:make_tuple(N, atom)]);
relation(Tuples, [Types] = Type) when is_tuple(Types); Types =:= '_' ->
    case set(Tuples, Type) of
        ?SET(_, NewType) = Set when is_tuple(NewType); NewType =:= '_' -> Set;
        _ -> erlang:error(badarg)
    end;
relation(_, _) -> erlang:error(badarg).

-spec a_function([tuple()]) -> a_function().
a_function(Pairs) -> a_function(Pairs, [{atom, atom}]).

-spec a_function([tuple()], type()) -> a_function().
a_function(Pairs, Type) when not is_integer(Type) ->
    Set = relation(Pairs, Type),
    _ = relation_types(Set),
    function_or_error(Set);
a_function(_, _) -> erlang:error(badarg).

-spec family([tuple()]) -> family().
family(Pairs) -> family(Pairs, [{atom, [atom]}]).

-spec family([tuple()], type()) -> family().
family(Pairs, Type) when not is_integer(Type) ->
    Set = relation(Pairs, Type),
    _ = family_types(Set),
    function_or_error(Set);
family(_, _) -> erlang:error(badarg).

function_or_error(Set) ->
    case is_function_data(to_external(Set)) of
        true -> Set;
        false -> erlang:error(bad_function)
    end.

%% No first coordinate twice.
is_function_data([{A, _}, {B, _} | _]) when A == B -> false;
is_function_data([_ | Pairs]) -> is_function_data(Pairs);
is_function_data([]) -> true.

%% ---- asking ----

-spec to_external(anyset()) -> external_set().
to_external(?SET(Data, _)) -> Data;
to_external(?ORDSET(Data, _)) -> Data.

-spec type(anyset()) -> type().
type(?SET(_, Type)) -> [Type];
type(?ORDSET(_, Type)) -> Type.

-spec to_sets(a_set() | ordset()) -> [anyset()] | tuple().
to_sets(?SET(Data, Type)) -> [from_external(Elem, Type) || Elem <- Data];
to_sets(?ORDSET(Data, Types)) when is_tuple(Types) ->
    list_to_tuple(lists:zipwith(fun from_external/2, tuple_to_list(Data), tuple_to_list(Types)));
to_sets(?ORDSET(_, _)) -> erlang:error(badarg).

-spec no_elements(a_set() | ordset()) -> non_neg_integer().
no_elements(?SET(Data, _)) -> length(Data);
no_elements(?ORDSET(Data, Types)) when is_tuple(Types) -> tuple_size(Data);
no_elements(?ORDSET(_, _)) -> erlang:error(badarg).

-spec is_sofs_set(term()) -> boolean().
is_sofs_set(Term) -> is_record(Term, 'Set') orelse is_record(Term, 'OrdSet').

-spec is_set(anyset()) -> boolean().
is_set(?SET(_, _)) -> true;
is_set(?ORDSET(_, _)) -> false.

-spec is_empty_set(anyset()) -> boolean().
is_empty_set(?SET(Data, _)) -> Data =:= [];
is_empty_set(?ORDSET(_, _)) -> false.

-spec is_equal(anyset(), anyset()) -> boolean().
is_equal(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    _ = same_type(Type1, Type2),
    Data1 == Data2;
is_equal(?ORDSET(Data1, Type1), ?ORDSET(Data2, Type2)) ->
    _ = same_type(Type1, Type2),
    Data1 == Data2;
is_equal(Set1, Set2) ->
    true = is_sofs_set(Set1) andalso is_sofs_set(Set2),
    erlang:error(type_mismatch).

-spec is_subset(a_set(), a_set()) -> boolean().
is_subset(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    _ = same_type(Type1, Type2),
    ordsets:is_subset(Data1, Data2).

-spec is_disjoint(a_set(), a_set()) -> boolean().
is_disjoint(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    _ = same_type(Type1, Type2),
    ordsets:is_disjoint(Data1, Data2).

-spec is_a_function(binary_relation()) -> boolean().
is_a_function(?SET(Data, _) = Rel) ->
    _ = relation_types(Rel),
    is_function_data(Data);
is_a_function(_) -> erlang:error(badarg).

%% ---- two sets ----

-spec union(a_set(), a_set()) -> a_set().
union(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    ?SET(lists:umerge(Data1, Data2), same_type(Type1, Type2)).

-spec intersection(a_set(), a_set()) -> a_set().
intersection(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    ?SET(ordsets:intersection(Data1, Data2), same_type(Type1, Type2)).

-spec difference(a_set(), a_set()) -> a_set().
difference(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    ?SET(ordsets:subtract(Data1, Data2), same_type(Type1, Type2)).

-spec symdiff(a_set(), a_set()) -> a_set().
symdiff(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    Type = same_type(Type1, Type2),
    ?SET(lists:umerge(ordsets:subtract(Data1, Data2), ordsets:subtract(Data2, Data1)), Type).

-spec symmetric_partition(a_set(), a_set()) -> {a_set(), a_set(), a_set()}.
symmetric_partition(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    Type = same_type(Type1, Type2),
    {?SET(ordsets:subtract(Data1, Data2), Type), ?SET(ordsets:intersection(Data1, Data2), Type),
     ?SET(ordsets:subtract(Data2, Data1), Type)}.

-spec product(a_set(), a_set()) -> binary_relation().
product(?SET(_, '_'), ?SET(_, _)) -> empty_set();
product(?SET(_, _), ?SET(_, '_')) -> empty_set();
product(?SET(Data1, Type1), ?SET(Data2, Type2)) ->
    ?SET([{A, B} || A <- Data1, B <- Data2], {Type1, Type2}).

-spec product(tuple()) -> relation().
product({?SET(_, _) = Set1, ?SET(_, _) = Set2}) -> product(Set1, Set2);
product(Sets) when tuple_size(Sets) > 0 ->
    List = tuple_to_list(Sets),
    {Datas, Types} = lists:unzip([{Data, Type} || ?SET(Data, Type) <- sets_only(List)]),
    case lists:member('_', Types) orelse lists:member([], Datas) of
        true -> empty_set();
        false -> ?SET([list_to_tuple(Elems) || Elems <- combinations(Datas)], list_to_tuple(Types))
    end;
product(_) -> erlang:error(badarg).

sets_only(Sets) ->
    case lists:all(fun(Set) -> is_record(Set, 'Set') end, Sets) of
        true -> Sets;
        false -> erlang:error(badarg)
    end.

combinations([List | Lists]) -> [[Elem | Rest] || Elem <- List, Rest <- combinations(Lists)];
combinations([]) -> [[]].

%% ---- sets of sets ----

-spec union(set_of_sets()) -> a_set().
union(?SET(Datas, [Type])) -> ?SET(lists:umerge(Datas), Type);
union(?SET(_, '_') = Set) -> Set;
union(?SET(_, _)) -> erlang:error(badarg).

-spec intersection(set_of_sets()) -> a_set().
intersection(?SET([], _)) -> erlang:error(badarg);
intersection(?SET(Datas, [Type])) -> ?SET(ordsets:intersection(Datas), Type);
intersection(?SET(_, _)) -> erlang:error(badarg).

-spec canonical_relation(set_of_sets()) -> binary_relation().
canonical_relation(?SET(_, ['_'])) -> empty_set();
canonical_relation(?SET(Datas, [Type])) ->
    ?SET(lists:usort([{Elem, Data} || Data <- Datas, Elem <- Data]), {Type, [Type]});
canonical_relation(?SET(_, '_') = Set) -> Set;
canonical_relation(?SET(_, _)) -> erlang:error(badarg).

%% Elements that belong to the same sets are together.
-spec partition(set_of_sets()) -> a_set().
partition(?SET(Datas, [Type])) ->
    Numbered = lists:zip(lists:seq(1, length(Datas)), Datas),
    Memberships = lists:keysort(1, [{Elem, N} || {N, Data} <- Numbered, Elem <- Data]),
    BySets = lists:keysort(1, [{Ns, Elem} || {Elem, Ns} <- grouped(Memberships)]),
    ?SET(lists:usort([lists:usort(Elems) || {_, Elems} <- grouped(BySets)]), [Type]);
partition(?SET(_, '_') = Set) -> Set;
partition(?SET(_, _)) -> erlang:error(badarg).

%% Pairs sorted by key, `[{Key, Values}]`.
grouped([{Key, Value} | Pairs]) -> grouped(Pairs, Key, [Value]);
grouped([]) -> [].

grouped([{Key1, Value} | Pairs], Key, Values) when Key1 == Key -> grouped(Pairs, Key, [Value | Values]);
grouped(Pairs, Key, Values) -> [{Key, lists:reverse(Values)} | grouped(Pairs)].

%% ---- binary relations ----

-spec domain(binary_relation()) -> a_set().
domain(?SET(Data, _) = Rel) ->
    {Type, _} = relation_types(Rel),
    ?SET(lists:usort([A || {A, _} <- Data]), Type).

-spec range(binary_relation()) -> a_set().
range(?SET(Data, _) = Rel) ->
    {_, Type} = relation_types(Rel),
    ?SET(lists:usort([B || {_, B} <- Data]), Type).

-spec field(binary_relation()) -> a_set().
field(Rel) -> union(domain(Rel), range(Rel)).

-spec converse(binary_relation()) -> binary_relation().
converse(?SET(Data, _) = Rel) ->
    {Type1, Type2} = relation_types(Rel),
    ?SET(lists:usort([{B, A} || {A, B} <- Data]), pair_type(Type2, Type1)).

-spec inverse(a_function()) -> a_function().
inverse(?SET(Data, _) = Rel) ->
    _ = relation_types(Rel),
    ?SET(Inverse, _) = Converse = converse(Rel),
    case is_function_data(Data) andalso is_function_data(Inverse) of
        true -> Converse;
        false -> erlang:error(bad_function)
    end.

-spec image(binary_relation(), a_set()) -> a_set().
image(?SET(Data, _) = Rel, ?SET(Elems, Type)) ->
    {Type1, Type2} = relation_types(Rel),
    _ = same_type(Type1, Type),
    ?SET(lists:usort([B || {_, B} <- with_keys(Data, Elems)]), Type2).

-spec inverse_image(binary_relation(), a_set()) -> a_set().
inverse_image(Rel, Set) -> image(converse(Rel), Set).

%% The pairs whose first coordinate is in the sorted list.
with_keys([{A, _} = Pair | Pairs], [E | Elems] = Keys) ->
    if
        A < E -> with_keys(Pairs, Keys);
        A == E -> [Pair | with_keys(Pairs, Keys)];
        true -> with_keys([Pair | Pairs], Elems)
    end;
with_keys(_, _) -> [].

-spec restriction(binary_relation(), a_set()) -> binary_relation().
restriction(Rel, Set) -> restriction(1, Rel, Set).

-spec drestriction(binary_relation(), a_set()) -> binary_relation().
drestriction(Rel, Set) -> drestriction(1, Rel, Set).

-spec strict_relation(binary_relation()) -> binary_relation().
strict_relation(?SET(Data, Type) = Rel) ->
    _ = relation_types(Rel),
    ?SET([Pair || {A, B} = Pair <- Data, A /= B], Type).

-spec weak_relation(binary_relation()) -> binary_relation().
weak_relation(?SET(Data, _) = Rel) ->
    Type = one_type(Rel),
    Field = lists:usort(lists:append([[A, B] || {A, B} <- Data])),
    ?SET(lists:umerge(Data, [{E, E} || E <- Field]), pair_type(Type, Type)).

%% The type of both coordinates.
one_type(Rel) ->
    {Type1, Type2} = relation_types(Rel),
    case unified(Type1, Type2) of
        none -> erlang:error(badarg);
        Type -> Type
    end.

-spec composite(a_function(), a_function()) -> a_function().
composite(?SET(Data1, _) = F1, ?SET(Data2, _) = F2) ->
    {Type1, Type12} = relation_types(F1),
    {Type21, Type2} = relation_types(F2),
    _ = same_type(Type12, Type21),
    case is_function_data(Data1) andalso is_function_data(Data2) andalso
         is_subset(range(F1), domain(F2)) of
        _ when Type12 =:= '_'; Type21 =:= '_' -> empty_set();
        true -> ?SET(composed(Data1, Data2), composed_type(Type1, Type2));
        false -> erlang:error(bad_function)
    end.

composed_type(Type1, Type2) when Type1 =:= '_'; Type2 =:= '_' -> '_';
composed_type(Type1, Type2) -> {Type1, Type2}.

%% Pairs {A, C} with {A, B} in the first and {B, C} in the second list.
composed(Data1, Data2) ->
    lists:usort([{A, C} || {As, Cs} <- joined(lists:sort([{B, A} || {A, B} <- Data1]), Data2),
                           A <- As, C <- Cs]).

%% For every key of both lists of pairs, `{Values1, Values2}`.
joined(Pairs1, Pairs2) -> join_groups(grouped(Pairs1), grouped(Pairs2)).

join_groups([{K1, Values1} | Groups1] = All1, [{K2, Values2} | Groups2] = All2) ->
    if
        K1 < K2 -> join_groups(Groups1, All2);
        K1 == K2 -> [{Values1, Values2} | join_groups(Groups1, Groups2)];
        true -> join_groups(All1, Groups2)
    end;
join_groups(_, _) -> [].

-spec relative_product([binary_relation()] | tuple()) -> binary_relation().
relative_product(Rels) when tuple_size(Rels) > 0 -> relative_product(tuple_to_list(Rels));
relative_product([_ | _] = Rels) ->
    Product = many_images(Rels),
    case Product of
        {_, '_', _} -> empty_set();
        {Data, Type, Types} -> ?SET(lists:usort(Data), {Type, Types})
    end;
relative_product(_) -> erlang:error(badarg).

-spec relative_product([binary_relation()] | tuple() | binary_relation(), binary_relation()) ->
          binary_relation().
relative_product(?SET(Data1, _) = Rel1, ?SET(Data2, _) = Rel2) ->
    {Type1, Type12} = relation_types(Rel1),
    {Type21, Type2} = relation_types(Rel2),
    _ = same_type(Type12, Type21),
    ?SET(composed(Data1, Data2), composed_type(Type1, Type2));
relative_product(Rels, ?SET(_, _) = Rel) when tuple_size(Rels) > 0 ->
    relative_product(tuple_to_list(Rels), Rel);
relative_product([_ | _] = Rels, ?SET(Data2, _) = Rel) ->
    {Type21, Type2} = relation_types(Rel),
    case many_images(Rels) of
        {_, '_', _} -> empty_set();
        {Data1, Type1, Types} ->
            _ = same_type(Types, Type21),
            ?SET(composed(lists:usort(Data1), Data2), composed_type(Type1, Type2))
    end;
relative_product(_, _) -> erlang:error(badarg).

%% The pairs (x, (y1, ..., yn)) with x Ri yi for each i; `{Pairs, TypeOfX, TypesOfYs}`.
many_images(Rels) ->
    Types = [relation_types(Rel) || Rel <- Rels],
    From = lists:foldl(fun({Type, _}, Acc) -> same_type(Type, Acc) end, '_', Types),
    Groups = [grouped(Data) || ?SET(Data, _) <- Rels],
    Pairs = [{X, list_to_tuple(Ys)} || {X, Choices} <- common_keys(Groups), Ys <- combinations(Choices)],
    case lists:any(fun({Type1, Type2}) -> Type1 =:= '_' orelse Type2 =:= '_' end, Types) of
        true -> {[], '_', '_'};
        false -> {Pairs, From, list_to_tuple([Type || {_, Type} <- Types])}
    end.

%% `[{Key, [Values1, ..., ValuesN]}]` for the keys of all.
common_keys([Groups]) -> [{Key, [Values]} || {Key, Values} <- Groups];
common_keys([Groups | More]) -> join_keys(Groups, common_keys(More)).

join_keys([{K1, Values} | Groups1] = All1, [{K2, Choices} | Groups2] = All2) ->
    if
        K1 < K2 -> join_keys(Groups1, All2);
        K1 == K2 -> [{K1, [Values | Choices]} | join_keys(Groups1, Groups2)];
        true -> join_keys(All1, Groups2)
    end;
join_keys(_, _) -> [].

-spec relative_product1(binary_relation(), binary_relation()) -> binary_relation().
relative_product1(?SET(Data1, _) = Rel1, ?SET(Data2, _) = Rel2) ->
    {Type11, Type1} = relation_types(Rel1),
    {Type21, Type2} = relation_types(Rel2),
    _ = same_type(Type11, Type21),
    Pairs = lists:usort([{A, B} || {As, Bs} <- joined(Data1, Data2), A <- As, B <- Bs]),
    ?SET(Pairs, composed_type(Type1, Type2)).

-spec multiple_relative_product(tuple(), binary_relation()) -> binary_relation().
multiple_relative_product(Rels, ?SET(_, '_') = Empty) when tuple_size(Rels) > 0 ->
    _ = sets_only(tuple_to_list(Rels)),
    Empty;
multiple_relative_product(Rels, ?SET(Data, Type)) when tuple_size(Rels) > 0 ->
    List = sets_only(tuple_to_list(Rels)),
    Types = [relation_types(Rel) || Rel <- List],
    From = list_to_tuple([Type1 || {Type1, _} <- Types]),
    To = list_to_tuple([Type2 || {_, Type2} <- Types]),
    case is_tuple(Type) andalso tuple_size(Type) =:= tuple_size(From) of
        true -> _ = same_type(From, Type);
        false -> erlang:error(badarg)
    end,
    case lists:member({'_', '_'}, Types) of
        true -> empty_set();
        false ->
            Images = [maps:from_list(grouped(RelData)) || ?SET(RelData, _) <- List],
            Pairs = [{Tuple, list_to_tuple(Ys)}
                     || Tuple <- Data, Ys <- combinations(images_of(tuple_to_list(Tuple), Images))],
            ?SET(lists:usort(Pairs), {Type, To})
    end;
multiple_relative_product(_, _) -> erlang:error(badarg).

images_of(Xs, Images) -> lists:zipwith(fun(X, Image) -> maps:get(X, Image, []) end, Xs, Images).

-spec join(relation(), pos_integer(), relation(), pos_integer()) -> relation().
join(?SET(Data1, Types1), I, ?SET(Data2, Types2), J)
  when is_integer(I), I > 0, is_integer(J), J > 0 ->
    _ = coordinate_type(Types1, I),
    _ = coordinate_type(Types2, J),
    if
        Types1 =:= '_'; Types2 =:= '_' -> empty_set();
        true ->
            Keyed1 = lists:keysort(1, [{element(I, Tuple), Tuple} || Tuple <- Data1]),
            Keyed2 = lists:keysort(1, [{element(J, Tuple), erlang:delete_element(J, Tuple)} || Tuple <- Data2]),
            Tuples = [list_to_tuple(tuple_to_list(A) ++ tuple_to_list(B))
                      || {As, Bs} <- joined(Keyed1, Keyed2), A <- As, B <- Bs],
            Types = tuple_to_list(Types1) ++ tuple_to_list(erlang:delete_element(J, Types2)),
            ?SET(lists:usort(Tuples), list_to_tuple(Types))
    end;
join(_, _, _, _) -> erlang:error(badarg).

coordinate_type('_', _N) -> '_';
coordinate_type(Types, N) when tuple_size(Types) >= N -> element(N, Types);
coordinate_type(_, _N) -> erlang:error(badarg).

%% ---- functions of sets ----

-spec constant_function(a_set(), anyset()) -> a_function().
constant_function(?SET(Data, Type), Set) ->
    case is_sofs_set(Set) of
        true when Type =:= '_' -> empty_set();
        true ->
            Value = to_external(Set),
            ?SET([{Elem, Value} || Elem <- Data], {Type, type(Set)});
        false -> erlang:error(badarg)
    end;
constant_function(Set, _) when is_record(Set, 'OrdSet') -> erlang:error(badarg).

-spec extension(binary_relation(), a_set(), anyset()) -> binary_relation().
extension(?SET(Data, Type) = Rel, ?SET(Elems, ElemType), Value) ->
    {Type1, Type2} = relation_types(Rel),
    {External, ValueType} = case Value of
                                ?SET(_, _) -> {to_external(Value), type(Value)};
                                ?ORDSET(_, _) -> {to_external(Value), type(Value)}
                            end,
    _ = same_type(Type1, ElemType),
    NewType = same_type(Type2, ValueType),
    case Type of
        '_' when ElemType =:= '_'; ValueType =:= ['_'] -> Rel;
        '_' -> ?SET([], {ElemType, ValueType});
        _ when Elems =:= [] -> Rel;
        _ ->
            New = ordsets:subtract(Elems, lists:usort([A || {A, _} <- Data])),
            ?SET(lists:umerge(Data, [{Elem, External} || Elem <- New]), {Type1, NewType})
    end.

%% Applies a SetFun to the elements of a set: `{Values, TypeOfValues}`, the values in the order of the elements.
applied(SetFun, ?SET(Data, Type)) ->
    case SetFun of
        I when is_integer(I) ->
            case Type of
                _ when I < 1 -> erlang:error(badarg);
                _ ->
                    ValueType = coordinate_type(Type, I),
                    {[element(I, Elem) || Elem <- Data], ValueType}
            end;
        {external, Fun} when is_function(Fun, 1) ->
            case Type of
                '_' -> {[], '_'};
                [_] -> erlang:error(badarg);
                _ ->
                    ExternalType = external_type(Fun, Type),
                    {[Fun(Elem) || Elem <- Data], ExternalType}
            end;
        Fun when is_function(Fun, 1) ->
            Sets = [Fun(from_external(Elem, Type)) || Elem <- Data],
            case lists:all(fun is_sofs_set/1, Sets) of
                true ->
                    SetType = lists:foldl(fun(Set, Acc) -> same_type(type(Set), Acc) end, '_', Sets),
                    {[to_external(Set) || Set <- Sets], SetType};
                false -> erlang:error(badarg)
            end;
        _ -> erlang:error(badarg)
    end.

%% The type is found by applying the function to the type.
external_type(Fun, Type) ->
    NewType = Fun(Type),
    case is_type(NewType) of
        true -> NewType;
        false -> erlang:error(badarg)
    end.

-spec projection(set_fun(), a_set()) -> a_set().
projection(SetFun, ?SET(_, _) = Set) ->
    {Values, Type} = applied(SetFun, Set),
    ?SET(lists:usort(Values), Type).

-spec substitution(set_fun(), a_set()) -> a_set().
substitution(SetFun, ?SET(Data, Type) = Set) ->
    {Values, ValueType} = applied(SetFun, Set),
    case ValueType of
        '_' when Data =:= [] -> empty_set();
        _ -> ?SET(lists:zip(Data, Values), {Type, ValueType})
    end.

-spec partition(set_fun(), a_set()) -> a_set().
partition(SetFun, ?SET(Data, Type) = Set) ->
    {Values, ValueType} = applied(SetFun, Set),
    case ValueType of
        '_' -> empty_set();
        _ ->
            Groups = grouped(lists:keysort(1, lists:zip(Values, Data))),
            ?SET(lists:sort([Elems || {_, Elems} <- Groups]), [Type])
    end.

-spec partition_family(set_fun(), a_set()) -> family().
partition_family(SetFun, ?SET(Data, Type) = Set) ->
    {Values, ValueType} = applied(SetFun, Set),
    case Type =:= '_' orelse ValueType =:= '_' of
        true -> empty_set();
        false -> ?SET(grouped(lists:keysort(1, lists:zip(Values, Data))), {ValueType, [Type]})
    end.

%% The elements whose value is in the other set, and those whose value is not.
-spec partition(set_fun(), a_set(), a_set()) -> {a_set(), a_set()}.
partition(SetFun, ?SET(Data, Type) = Set1, ?SET(Data2, Type2)) ->
    {Values, ValueType} = applied(SetFun, Set1),
    _ = same_type(ValueType, Type2),
    {In, Out} = lists:partition(fun({Value, _}) -> ordsets:is_element(Value, Data2) end,
                                lists:zip(Values, Data)),
    InType = case is_function(SetFun) andalso Type2 =:= '_' of
                 true -> '_';
                 false -> Type
             end,
    {?SET([Elem || {_, Elem} <- In], InType), ?SET([Elem || {_, Elem} <- Out], Type)}.

-spec restriction(set_fun(), a_set(), a_set()) -> a_set().
restriction(SetFun, ?SET(_, _) = Set1, ?SET(_, _) = Set2) ->
    {In, _} = partition(SetFun, Set1, Set2),
    In.

-spec drestriction(set_fun(), a_set(), a_set()) -> a_set().
drestriction(SetFun, ?SET(_, _) = Set1, ?SET(_, _) = Set2) ->
    {_, Out} = partition(SetFun, Set1, Set2),
    Out.

-spec specification(spec_fun(), a_set()) -> a_set().
specification(Fun, ?SET(Data, Type)) ->
    ?SET([Elem || Elem <- Data, satisfies(Fun, Elem, Type)], Type).

satisfies({external, Fun}, Elem, _Type) -> boolean(Fun(Elem));
satisfies(Fun, Elem, Type) -> boolean(Fun(from_external(Elem, Type))).

boolean(Value) when is_boolean(Value) -> Value;
boolean(_) -> erlang:error(badarg).

%% ---- families ----

-spec family_to_relation(family()) -> binary_relation().
family_to_relation(?SET(Data, _) = Family) ->
    {Type1, Type2} = family_types(Family),
    ?SET([{I, Elem} || {I, Elems} <- Data, Elem <- Elems], pair_type(Type1, Type2)).

-spec fam2rel(family()) -> binary_relation().
fam2rel(Family) -> family_to_relation(Family).

-spec relation_to_family(binary_relation()) -> family().
relation_to_family(?SET(_, '_') = Rel) -> Rel;
relation_to_family(?SET(Data, _) = Rel) ->
    {Type1, Type2} = relation_types(Rel),
    ?SET(grouped(Data), {Type1, [Type2]}).

-spec rel2fam(binary_relation()) -> family().
rel2fam(Rel) -> relation_to_family(Rel).

-spec union_of_family(family()) -> a_set().
union_of_family(?SET(Data, _) = Family) ->
    {_, Type} = family_types(Family),
    ?SET(lists:umerge([Elems || {_, Elems} <- Data]), Type).

-spec intersection_of_family(family()) -> a_set().
intersection_of_family(?SET(Data, _) = Family) ->
    {_, Type} = family_types(Family),
    case Data of
        [] -> erlang:error(badarg);
        _ -> ?SET(ordsets:intersection([Elems || {_, Elems} <- Data]), Type)
    end.

%% A family of sets of sets, each of them changed.
each_of_family(?SET(Data, {Type1, [[Type2]]}), Fun) ->
    ?SET([{I, Fun(Sets)} || {I, Sets} <- Data], {Type1, [Type2]});
each_of_family(?SET(_, {Type1, ['_']}) = Family, Fun) ->
    ?SET([{I, Fun(Sets)} || {I, Sets} <- Family#'Set'.data], {Type1, ['_']});
each_of_family(?SET(_, '_') = Family, _Fun) -> Family;
each_of_family(?SET(_, _), _Fun) -> erlang:error(badarg).

-spec family_union(family()) -> family().
family_union(Family) -> each_of_family(Family, fun lists:umerge/1).

-spec family_intersection(family()) -> family().
family_intersection(Family) ->
    each_of_family(Family, fun([]) -> erlang:error(badarg);
                              (Sets) -> ordsets:intersection(Sets)
                           end).

%% A family of relations, of which one coordinate is taken.
coordinate_of_family(?SET(Data, {Type1, [{TypeA, TypeB}]}), N) ->
    ?SET([{I, lists:usort([element(N, Pair) || Pair <- Pairs])} || {I, Pairs} <- Data],
         {Type1, [element(N, {TypeA, TypeB})]});
coordinate_of_family(?SET(_, {_, ['_']}) = Family, _N) -> Family;
coordinate_of_family(?SET(_, '_') = Family, _N) -> Family;
coordinate_of_family(?SET(_, _), _N) -> erlang:error(badarg).

-spec family_domain(family()) -> family().
family_domain(Family) -> coordinate_of_family(Family, 1).

-spec family_range(family()) -> family().
family_range(Family) -> coordinate_of_family(Family, 2).

-spec family_field(family()) -> family().
family_field(Family) -> family_union(family_domain(Family), family_range(Family)).

-spec family_union(family(), family()) -> family().
family_union(Family1, Family2) ->
    two_families(Family1, Family2, fun(Data1, Data2) ->
        orddict:merge(fun(_, Elems1, Elems2) -> lists:umerge(Elems1, Elems2) end, Data1, Data2)
    end).

-spec family_intersection(family(), family()) -> family().
family_intersection(Family1, Family2) ->
    two_families(Family1, Family2, fun(Data1, Data2) ->
        [{I, ordsets:intersection(Elems, orddict:fetch(I, Data2))}
         || {I, Elems} <- Data1, orddict:is_key(I, Data2)]
    end).

-spec family_difference(family(), family()) -> family().
family_difference(Family1, Family2) ->
    two_families(Family1, Family2, fun(Data1, Data2) ->
        [{I, case orddict:find(I, Data2) of
                 {ok, Others} -> ordsets:subtract(Elems, Others);
                 error -> Elems
             end} || {I, Elems} <- Data1]
    end).

two_families(?SET(Data1, Type1), ?SET(Data2, Type2), Fun) ->
    Type = same_type(Type1, Type2),
    _ = family_types(?SET([], Type)),
    ?SET(Fun(Data1, Data2), Type).

-spec family_projection(fun((anyset()) -> anyset()), family()) -> family().
family_projection(Fun, ?SET(Data, Type) = Family) ->
    {Type1, Type2} = family_types(Family),
    case Type of
        '_' -> Family;
        _ when is_tuple(Fun) -> erlang:error(badarg);
        _ ->
            Sets = ?SET([Elems || {_, Elems} <- Data], [Type2]),
            {Values, ValueType} = applied(fun(Set) -> Fun(Set) end, Sets),
            case ValueType of
                '_' -> empty_set();
                _ -> ?SET(lists:zip([I || {I, _} <- Data], Values), {Type1, ValueType})
            end
    end.

-spec family_specification(spec_fun(), family()) -> family().
family_specification(Fun, ?SET(Data, Type) = Family) ->
    {_, Type2} = family_types(Family),
    ?SET([Pair || {_, Elems} = Pair <- Data, satisfies(Fun, Elems, [Type2])], Type).

%% ---- graphs ----

-spec family_to_digraph(family()) -> digraph:graph().
family_to_digraph(Family) -> family_to_digraph(Family, []).

-spec family_to_digraph(family(), [term()]) -> digraph:graph().
family_to_digraph(?SET(Data, _) = Family, GraphType) ->
    case is_family(Family) of
        true -> ok;
        false -> erlang:error(badarg)
    end,
    Graph = try digraph:new(GraphType)
            catch error:badarg -> erlang:error(badarg)
            end,
    case add_edges(Graph, Data) of
        true -> Graph;
        false ->
            digraph:delete(Graph),
            erlang:error(cyclic)
    end.

is_family(?SET(_, {_, [_]})) -> true;
is_family(?SET(_, Type)) -> Type =:= '_'.

add_edges(Graph, Data) ->
    [digraph:add_vertex(Graph, V) || {V, _} <- Data],
    lists:all(fun({V, N}) ->
                  digraph:add_vertex(Graph, N),
                  case digraph:add_edge(Graph, V, N) of
                      {error, {bad_edge, _}} -> false;
                      _ -> true
                  end
              end, [{V, N} || {V, Neighbours} <- Data, N <- Neighbours]).

-spec digraph_to_family(digraph:graph()) -> family().
digraph_to_family(Graph) -> digraph_to_family(Graph, [{atom, [atom]}]).

-spec digraph_to_family(digraph:graph(), type()) -> family().
digraph_to_family(Graph, [{_, [_]}] = Type) ->
    case is_type(Type) of
        true ->
            try [{V, lists:usort(digraph:out_neighbours(Graph, V))} || V <- digraph:vertices(Graph)] of
                Pairs ->
                    Sorted = lists:ukeysort(1, Pairs),
                    %% Vertices such as 1 and 1.0 are one element of a set.
                    case length(Sorted) =:= length(Pairs) of
                        true -> from_external(Sorted, Type);
                        false -> erlang:error(badarg)
                    end
            catch
                error:_ -> erlang:error(badarg)
            end;
        false -> erlang:error(badarg)
    end;
digraph_to_family(_, _) -> erlang:error(badarg).
