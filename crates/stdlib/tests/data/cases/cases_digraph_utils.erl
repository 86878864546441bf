-module(cases_digraph_utils).
-export([scripts/0, skipped/0]).

%% All of it is in scripts/0.
skipped() -> digraph_utils:module_info(exports).

scripts() ->
    [{"random graphs", 500, fun(Lib) -> run(Lib(digraph), Lib(digraph_utils)) end},
     {"errors", 40, fun(Lib) ->
         D = Lib(digraph),
         U = Lib(digraph_utils),
         {G, _, _} = cases_digraph:graph(D, []),
         F = arb:pick([fun() -> U:reachable(a, G) end, fun() -> U:subgraph(G, [1], [foo]) end,
                       fun() -> U:subgraph(G, [1], [{type, [foo]}]) end, fun() -> U:components(a) end,
                       fun() -> U:topsort(1) end, fun() -> U:reaching_neighbours({}, G) end]),
         Result = try F() catch C:R -> {C, R} end,
         D:delete(G),
         Result
     end}].

run(D, U) ->
    {G, _, N} = cases_digraph:graph(D, arb:pick([[], [], [acyclic]])),
    Vs = [rand:uniform(N + 1) || _ <- lists:seq(1, rand:uniform(3))],
    Options = arb:pick([[], [{keep_labels, false}], [{type, [acyclic]}], [{type, inherit}, {keep_labels, true}], [{type, [private]}]]),
    Subs = [U:subgraph(G, Vs), U:subgraph(G, lists:seq(1, N), Options), U:condensation(G)],
    Result = {U:components(G), U:strong_components(G), U:cyclic_strong_components(G), U:reachable(Vs, G),
              U:reachable_neighbours(Vs, G), U:reaching(Vs, G), U:reaching_neighbours(Vs, G), U:topsort(G), U:is_acyclic(G),
              U:loop_vertices(G), U:is_tree(G), U:is_arborescence(G), U:arborescence_root(G), U:preorder(G), U:postorder(G),
              [graph_of(D, S) || S <- Subs]},
    [D:delete(S) || S <- [G | Subs]],
    Result.

%% Edges without a name may be numbered in another order.
graph_of(D, G) ->
    {lists:sort([D:vertex(G, V) || V <- D:vertices(G)]),
     lists:sort([case D:edge(G, E) of {['$e' | _], A, B, L} -> {e, A, B, L}; Edge -> Edge end || E <- D:edges(G)])}.
