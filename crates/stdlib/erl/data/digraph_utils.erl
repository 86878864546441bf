%% digraph_utils: algorithms on directed graphs.
%%
%% All of them are depth-first searches. Strong components are those of Kosaraju: the components of the
%% reversed graph, visited in the reverse of the order in which the search of the graph leaves its vertices.
%% Which vertices have been visited is kept in a map. Results come in the order of OTP.
-module(digraph_utils).

-export([arborescence_root/1, components/1, condensation/1, cyclic_strong_components/1, is_acyclic/1,
         is_arborescence/1, is_tree/1, loop_vertices/1, postorder/1, preorder/1, reachable/2,
         reachable_neighbours/2, reaching/2, reaching_neighbours/2, strong_components/1, subgraph/2,
         subgraph/3, topsort/1]).

-type graph() :: digraph:graph().
-type vertex() :: digraph:vertex().

-spec components(graph()) -> [[vertex()]].
components(G) ->
    Both = fun(V) -> digraph:in_neighbours(G, V) ++ digraph:out_neighbours(G, V) end,
    forest(digraph:vertices(G), Both).

-spec strong_components(graph()) -> [[vertex()]].
strong_components(G) -> forest(lists:reverse(postorder(G)), into(G)).

-spec cyclic_strong_components(graph()) -> [[vertex()]].
cyclic_strong_components(G) ->
    lists:reverse([Component || Component <- strong_components(G), is_cyclic(Component, G)]).

is_cyclic([V], G) -> is_loop(V, G);
is_cyclic(_, _G) -> true.

is_loop(V, G) -> lists:member(V, digraph:out_neighbours(G, V)).

-spec reachable([vertex()], graph()) -> [vertex()].
reachable(Vs, G) when is_list(Vs) -> lists:append(forest(Vs, out_of(G))).

%% By a path of at least one edge.
-spec reachable_neighbours([vertex()], graph()) -> [vertex()].
reachable_neighbours(Vs, G) when is_list(Vs) -> lists:append(forest_below(Vs, out_of(G))).

-spec reaching([vertex()], graph()) -> [vertex()].
reaching(Vs, G) when is_list(Vs) -> lists:append(forest(Vs, into(G))).

-spec reaching_neighbours([vertex()], graph()) -> [vertex()].
reaching_neighbours(Vs, G) when is_list(Vs) -> lists:append(forest_below(Vs, into(G))).

out_of(G) -> fun(V) -> digraph:out_neighbours(G, V) end.

into(G) -> fun(V) -> digraph:in_neighbours(G, V) end.

%% ---- searches ----

%% The trees of a search from each of Vs in turn, the last tree first; a tree is the list of its vertices, the
%% one visited last first.
forest(Vs, Next) ->
    {Trees, _} = lists:foldl(fun(V, {Trees, Seen}) -> add_tree([V], Next, Trees, Seen) end,
                             {[], #{}}, Vs),
    Trees.

%% The same from the neighbours of each of Vs.
forest_below(Vs, Next) ->
    {Trees, _} = lists:foldl(fun(V, {_, Seen} = Acc) when is_map_key(V, Seen) -> Acc;
                                (V, {Trees, Seen}) -> add_tree(Next(V), Next, Trees, Seen)
                             end, {[], #{}}, Vs),
    Trees.

add_tree(Vs, Next, Trees, Seen) ->
    case tree(Vs, Next, [], Seen) of
        {[], Seen1} -> {Trees, Seen1};
        {Tree, Seen1} -> {[Tree | Trees], Seen1}
    end.

tree([V | Vs], Next, Tree, Seen) when is_map_key(V, Seen) -> tree(Vs, Next, Tree, Seen);
tree([V | Vs], Next, Tree, Seen) -> tree(Next(V) ++ Vs, Next, [V | Tree], Seen#{V => []});
tree([], _Next, Tree, Seen) -> {Tree, Seen}.

-spec preorder(graph()) -> [vertex()].
preorder(G) -> lists:reverse(lists:append(forest(digraph:vertices(G), out_of(G)))).

-spec postorder(graph()) -> [vertex()].
postorder(G) ->
    {Left, _} = leave(digraph:vertices(G), G, [], #{}),
    lists:reverse(Left).

leave([V | Vs], G, Left, Seen) when is_map_key(V, Seen) -> leave(Vs, G, Left, Seen);
leave([V | Vs], G, Left, Seen) ->
    {Left1, Seen1} = leave(digraph:out_neighbours(G, V), G, Left, Seen#{V => []}),
    leave(Vs, G, [V | Left1], Seen1);
leave([], _G, Left, Seen) -> {Left, Seen}.

%% ---- orders and trees ----

%% Loops do not count.
-spec topsort(graph()) -> [vertex()] | false.
topsort(G) ->
    Order = lists:reverse(postorder(G)),
    case length(forest(Order, into(G))) =:= length(Order) of
        true -> Order;
        false -> false
    end.

-spec is_acyclic(graph()) -> boolean().
is_acyclic(G) -> loop_vertices(G) =:= [] andalso topsort(G) =/= false.

-spec loop_vertices(graph()) -> [vertex()].
loop_vertices(G) -> [V || V <- digraph:vertices(G), is_loop(V, G)].

-spec is_tree(graph()) -> boolean().
is_tree(G) -> has_edges_of_tree(G) andalso length(components(G)) =:= 1.

-spec is_arborescence(graph()) -> boolean().
is_arborescence(G) -> arborescence_root(G) =/= no.

%% One vertex is entered by no edge and all others by one.
-spec arborescence_root(graph()) -> no | {yes, vertex()}.
arborescence_root(G) ->
    case has_edges_of_tree(G) andalso
         [{V, N} || V <- digraph:vertices(G), N <- [digraph:in_degree(G, V)], N =/= 1] of
        [{Root, 0}] -> {yes, Root};
        _ -> no
    end.

has_edges_of_tree(G) -> digraph:no_edges(G) =:= digraph:no_vertices(G) - 1.

%% ---- graphs from graphs ----

-spec subgraph(graph(), [vertex()]) -> graph().
subgraph(G, Vs) -> subgraph(G, Vs, []).

-spec subgraph(graph(), [vertex()], [{type, inherit | [term()]} | {keep_labels, boolean()}]) ->
          graph().
subgraph(G, Vs, Options) ->
    {Type, Keep} = options(Options, inherit, true),
    Sub = digraph:new(case Type of
                          inherit -> [Value || {Key, Value} <- digraph:info(G), Key =/= memory];
                          _ -> Type
                      end),
    Label = fun(Old) ->
                case Keep of
                    true -> Old;
                    false -> []
                end
            end,
    [digraph:add_vertex(Sub, V, Label(Old)) || Wanted <- Vs, {V, Old} <- [digraph:vertex(G, Wanted)]],
    [digraph:add_edge(Sub, E, V, To, Label(Old))
     || V <- digraph:vertices(Sub), Out <- digraph:out_edges(G, V),
        {E, _, To, Old} <- [digraph:edge(G, Out)], digraph:vertex(Sub, To) =/= false],
    Sub.

options([{type, Type} | Options], _Type, Keep) when Type =:= inherit; is_list(Type) ->
    options(Options, Type, Keep);
options([{keep_labels, Keep} | Options], Type, _Keep) when is_boolean(Keep) ->
    options(Options, Type, Keep);
options([], Type, Keep) -> {Type, Keep};
options(_, _Type, _Keep) -> erlang:error(badarg).

%% The graph of the strong components.
-spec condensation(graph()) -> graph().
condensation(G) ->
    Components = strong_components(G),
    Of = maps:from_list([{V, Component} || Component <- Components, V <- Component]),
    Condensed = subgraph(G, []),
    lists:foreach(fun(Component) -> condense(Component, Of, G, Condensed) end, Components),
    Condensed.

condense(Component, Of, G, Condensed) ->
    digraph:add_vertex(Condensed, Component),
    Neighbours = lists:usort([map_get(N, Of) || V <- Component, N <- digraph:out_neighbours(G, V)]),
    lists:foreach(fun(Other) ->
                      digraph:add_vertex(Condensed, Other),
                      [digraph:add_edge(Condensed, Component, Other) || Other =/= Component]
                  end, Neighbours).
