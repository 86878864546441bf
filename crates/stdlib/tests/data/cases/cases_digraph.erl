-module(cases_digraph).
-export([scripts/0, skipped/0, graph/2, dump/2]).

%% All of it is in scripts/0.
skipped() -> digraph:module_info(exports).

scripts() ->
    [{"random graphs", 300, fun(Lib) -> run(Lib(digraph)) end},
     {"errors", 60, fun(Lib) ->
         M = Lib(digraph),
         F = arb:pick([fun() -> M:new(foo) end, fun() -> M:new([cyclic, foo]) end, fun() -> M:vertices(a) end,
                       fun() -> M:add_vertex(a) end, fun() -> M:add_edge({b}, 1, 2) end, fun() -> M:delete([]) end,
                       fun() -> M:del_edges(a, []) end, fun() -> M:out_neighbours(x, 1) end, fun() -> M:info(1) end,
                       fun() -> M:get_path(a, 1, 2) end, fun() -> M:del_vertices(a, []) end]),
         try F() catch C:R -> {C, R} end
     end}].

graph(M, Types) ->
    G = M:new(Types),
    N = rand:uniform(9),
    [M:add_vertex(G, V, {label, V}) || V <- lists:seq(1, N)],
    Added = [case rand:uniform(4) of
                 1 -> M:add_edge(G, vertex(N), vertex(N));
                 2 -> M:add_edge(G, vertex(N), vertex(N), label);
                 _ -> M:add_edge(G, {e, rand:uniform(20)}, vertex(N), vertex(N), rand:uniform(5))
             end || _ <- lists:seq(1, rand:uniform(16))],
    {G, Added, N}.

vertex(N) -> rand:uniform(N + 1).

dump(M, G) ->
    {lists:sort([M:vertex(G, V) || V <- M:vertices(G)]), lists:sort([M:edge(G, E) || E <- M:edges(G)]),
     M:no_vertices(G), M:no_edges(G), [I || {K, _} = I <- M:info(G), K =/= memory]}.

run(M) ->
    Types = arb:pick([[], [acyclic], [cyclic, private], [acyclic, protected], [acyclic, cyclic], [cyclic, acyclic]]),
    {G, Added, N} = graph(M, Types),
    A = vertex(N),
    B = vertex(N),
    Before = dump(M, G),
    Asked = [M:get_path(G, A, B), M:get_cycle(G, A), M:get_short_path(G, A, B), M:get_short_cycle(G, A),
             M:source_vertices(G), M:sink_vertices(G), M:vertex(G, A), M:edge(G, {e, 3}), lists:sort(M:edges(G, A))]
            ++ [{M:in_edges(G, V), M:out_edges(G, V), M:in_neighbours(G, V), M:out_neighbours(G, V),
                 M:in_degree(G, V), M:out_degree(G, V)} || V <- M:vertices(G)],
    Changed = [M:add_vertex(G), M:add_vertex(G), M:add_vertex(G, B, new), M:del_edge(G, {e, 1}),
               case rand:uniform(3) of
                   1 -> M:del_path(G, A, B);
                   2 -> M:del_vertex(G, A);
                   3 -> M:del_vertices(G, [A, B])
               end, M:del_edges(G, [{e, 2}, none])],
    After = dump(M, G),
    {Added, Before, Asked, Changed, After, M:delete(G)}.
