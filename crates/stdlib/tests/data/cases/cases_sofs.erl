-module(cases_sofs).
-export([scripts/0, skipped/0]).

%% All of it is in scripts/0, since the sets are made by the module itself.
skipped() -> sofs:module_info(exports).

scripts() ->
    [{atom_to_list(F) ++ "/" ++ integer_to_list(length(Gens)), 250, fun(Lib) -> call(Lib(sofs), F, Gens) end} || {F, Gens} <- calls()] ++
    [{"from_term", 800, fun(Lib) ->
         Term = term(3),
         Type = arb:pick([none, none, type(2), [atom], [{atom, [atom]}], ['_'], foo, [[atom]]]),
         outcome(fun() -> case Type of none -> (Lib(sofs)):from_term(Term); _ -> (Lib(sofs)):from_term(Term, Type) end end)
     end},
     {"is_type", 500, fun(Lib) -> (Lib(sofs)):is_type(arb:pick([type(3), term(2)])) end},
     {"constructors", 600, fun(Lib) ->
         M = Lib(sofs),
         Term = [arb:pick([{k(), k()}, {k(), [k(), k()]}, {k(), k(), k()}, k(), [k()]]) || _ <- lists:seq(1, rand:uniform(3))],
         Type = arb:pick([[{atom, atom}], [{atom, [atom]}], [atom], 2, 3, [{a, b, c}], foo]),
         %% Where a term is neither of the type nor a function, either may be said.
         Any = fun({error, _}) -> error; (Set) -> Set end,
         {Term, Type, [Any(outcome(fun() -> M:F(Term) end)) || F <- [set, relation, a_function, family]],
          [Any(outcome(fun() -> M:F(Term, Type) end)) || F <- [set, relation, a_function, family]]}
     end},
     {"graphs", 100, fun(Lib) ->
         M = Lib(sofs),
         Family = M:family([{k(), [k() || _ <- lists:seq(1, rand:uniform(3) - 1)]}]),
         outcome(fun() -> M:digraph_to_family(M:family_to_digraph(Family)) end)
     end}].

call(M, F, Gens) ->
    Args = [arg(M, Gen) || Gen <- Gens],
    {Args, outcome(fun() -> apply(M, F, Args) end)}.

outcome(F) -> try F() catch C:R -> {C, R} end.

%% Sorts of arguments: mostly the right one, sometimes any set.
arg(M, Gen) ->
    case rand:uniform(12) of
        1 when Gen =/= fun1, Gen =/= int, Gen =/= sets, Gen =/= rels -> any(M);
        2 when Gen =/= fun1, Gen =/= int, Gen =/= sets, Gen =/= rels -> M:empty_set();
        _ -> make(M, Gen)
    end.

make(M, set) -> M:set(ks(4));
make(M, rel) -> M:relation(arb:pick([[], pairs(5), pairs(3)]));
make(M, rel3) -> M:relation([{k(), k(), k()} || _ <- lists:seq(1, 3)]);
make(M, func) -> M:a_function(lists:ukeysort(1, pairs(4)));
make(M, fam) -> M:family(lists:ukeysort(1, [{k(), ks(3)} || _ <- lists:seq(1, rand:uniform(4))]));
make(M, famsets) -> M:from_term(lists:ukeysort(1, [{k(), [ks(2), ks(2)]} || _ <- lists:seq(1, rand:uniform(3))]), [{atom, [[atom]]}]);
make(M, famrels) -> M:from_term(lists:ukeysort(1, [{k(), pairs(2)} || _ <- lists:seq(1, rand:uniform(3))]), [{atom, [{atom, atom}]}]);
make(M, setsets) -> M:from_term([ks(3) || _ <- lists:seq(1, rand:uniform(4))], [[atom]]);
make(M, any) -> any(M);
make(_, int) -> rand:uniform(3);
make(M, sets) -> list_to_tuple([arg(M, set) || _ <- lists:seq(1, rand:uniform(3))]);
make(M, rels) -> list_to_tuple([arg(M, rel) || _ <- lists:seq(1, rand:uniform(3))]);
make(M, fun1) ->
    arb:pick([1, 2, {external, fun(X) -> X end}, {external, fun({A, B}) -> {B, A} end}, {external, fun({A, _}) -> A end},
              fun(X) -> X end, fun(_) -> M:from_term(a) end, fun(_) -> M:set([x]) end]);
make(_, spec) -> arb:pick([{external, fun(X) -> erlang:phash2(X, 2) =:= 0 end}, fun(S) -> erlang:phash2(element(2, S), 2) =:= 0 end]).

any(M) -> make(M, arb:pick([set, rel, rel3, fam, setsets, famsets, famrels])).

%% No numbers that are equal but not the same: which one of them stays may differ from OTP.
k() -> arb:pick([a, b, c, 1, 2]).
ks(N) -> [k() || _ <- lists:seq(1, rand:uniform(N + 1) - 1)].
pairs(N) -> [{k(), k()} || _ <- lists:seq(1, rand:uniform(N))].
term(0) -> k();
term(N) -> arb:pick([k(), list_to_tuple([term(N - 1) || _ <- lists:seq(1, rand:uniform(3) - 1)]), [term(N - 1) || _ <- lists:seq(1, rand:uniform(3) - 1)]]).
type(0) -> arb:pick([atom, foo, '_', atom]);
type(N) -> arb:pick([atom, [type(N - 1)], list_to_tuple([type(N - 1) || _ <- lists:seq(1, rand:uniform(3) - 1)])]).

calls() ->
    [{F, [set, set]} || F <- [union, intersection, difference, symdiff, symmetric_partition, product, is_subset, is_disjoint]] ++
    [{F, [rel, rel]} || F <- [union, relative_product, relative_product1, is_equal]] ++
    [{F, [setsets]} || F <- [union, intersection, canonical_relation, partition, to_sets, no_elements]] ++
    [{F, [rel]} || F <- [domain, range, field, converse, inverse, strict_relation, weak_relation, is_a_function, relation_to_family, rel2fam, type,
                         to_external, no_elements, is_set, is_empty_set, is_sofs_set, to_sets]] ++
    [{F, [func]} || F <- [inverse]] ++ [{composite, [func, func]}, {constant_function, [set, any]}, {extension, [rel, set, any]}, {extension, [fam, set, set]}] ++
    [{F, [rel, set]} || F <- [image, inverse_image, restriction, drestriction]] ++
    [{F, [fun1, rel]} || F <- [projection, substitution, partition, partition_family]] ++
    [{F, [fun1, setsets]} || F <- [projection, substitution, partition, partition_family]] ++
    [{F, [fun1, rel, set]} || F <- [restriction, drestriction, partition]] ++ [{F, [fun1, rel, rel]} || F <- [restriction, drestriction, partition]] ++
    [{specification, [spec, rel]}, {family_specification, [spec, fam]}, {family_projection, [fun1, fam]}, {family_projection, [fun1, famrels]}] ++
    [{F, [fam]} || F <- [family_to_relation, fam2rel, union_of_family, intersection_of_family]] ++
    [{F, [famsets]} || F <- [family_union, family_intersection]] ++ [{F, [famrels]} || F <- [family_domain, family_range, family_field]] ++
    [{F, [fam, fam]} || F <- [family_union, family_intersection, family_difference]] ++
    [{join, [rel, int, rel3, int]}, {product, [sets]}, {relative_product, [rels]}, {relative_product, [rels, rel]}, {multiple_relative_product, [rels, rel]}].
