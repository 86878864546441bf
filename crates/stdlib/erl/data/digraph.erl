%% digraph: directed graphs that can be changed, in ETS tables.
%%
%% Three tables: vertices `{Vertex, Label}`, edges `{Edge, From, To, Label}`, and for each vertex the edges
%% that leave and enter it, `{{out | in, Vertex}, Edge}`. The last one also counts the names given to
%% vertices and edges without a name, `['$v' | N]` and `['$e' | N]`.
-module(digraph).

-export([add_edge/3, add_edge/4, add_edge/5, add_vertex/1, add_vertex/2, add_vertex/3, del_edge/2,
         del_edges/2, del_path/3, del_vertex/2, del_vertices/2, delete/1, edge/2, edges/1, edges/2,
         get_cycle/2, get_path/3, get_short_cycle/2, get_short_path/3, in_degree/2, in_edges/2,
         in_neighbours/2, info/1, new/0, new/1, no_edges/1, no_vertices/1, out_degree/2, out_edges/2,
         out_neighbours/2, sink_vertices/1, source_vertices/1, vertex/2, vertices/1]).

-export_type([edge/0, graph/0, label/0, vertex/0]).

-record(digraph, {vtab = notable, etab = notable, ntab = notable, cyclic = true}).

-opaque graph() :: #digraph{}.
-type vertex() :: term().
-type edge() :: term().
-type label() :: term().

%% ---- graphs ----

-spec new() -> graph().
new() -> new([]).

-spec new([cyclic | acyclic | protected | private]) -> graph().
new(Types) ->
    {Cyclic, Access} = types(Types, true, protected),
    VT = ets:new(vertices, [set, Access]),
    ET = ets:new(edges, [set, Access]),
    NT = ets:new(neighbours, [bag, Access]),
    ets:insert(NT, [{'$vid', 0}, {'$eid', 0}]),
    #digraph{vtab = VT, etab = ET, ntab = NT, cyclic = Cyclic}.

%% Of contradicting cyclicities the first counts, of protections the last.
types([Type | Types], _Cyclic, Access) when Type =:= cyclic; Type =:= acyclic ->
    {_, Access1} = types(Types, true, Access),
    {Type =:= cyclic, Access1};
types([Access | Types], Cyclic, _) when Access =:= protected; Access =:= private ->
    types(Types, Cyclic, Access);
types([], Cyclic, Access) -> {Cyclic, Access};
types(_, _Cyclic, _Access) -> erlang:error(badarg).

-spec delete(graph()) -> true.
delete(G) ->
    ets:delete(G#digraph.vtab),
    ets:delete(G#digraph.etab),
    ets:delete(G#digraph.ntab).

-spec info(graph()) -> [{cyclicity | memory | protection, term()}].
info(G) ->
    Tables = [G#digraph.vtab, G#digraph.etab, G#digraph.ntab],
    Cyclicity = case G#digraph.cyclic of
                    true -> cyclic;
                    false -> acyclic
                end,
    [{cyclicity, Cyclicity}, {memory, lists:sum([ets:info(Table, memory) || Table <- Tables])},
     {protection, ets:info(G#digraph.vtab, protection)}].

new_name(G, Counter, Tag) ->
    [{Counter, N}] = ets:lookup(G#digraph.ntab, Counter),
    ets:delete(G#digraph.ntab, Counter),
    ets:insert(G#digraph.ntab, {Counter, N + 1}),
    [Tag | N].

%% ---- vertices ----

-spec add_vertex(graph()) -> vertex().
add_vertex(G) -> add_vertex(G, new_name(G, '$vid', '$v'), []).

-spec add_vertex(graph(), vertex()) -> vertex().
add_vertex(G, V) -> add_vertex(G, V, []).

-spec add_vertex(graph(), vertex(), label()) -> vertex().
add_vertex(G, V, Label) ->
    ets:insert(G#digraph.vtab, {V, Label}),
    V.

-spec del_vertex(graph(), vertex()) -> true.
del_vertex(G, V) ->
    del_edges(G, in_edges(G, V)),
    del_edges(G, out_edges(G, V)),
    ets:delete(G#digraph.vtab, V).

-spec del_vertices(graph(), [vertex()]) -> true.
del_vertices(G, [V | Vs]) ->
    del_vertex(G, V),
    del_vertices(G, Vs);
del_vertices(#digraph{}, []) -> true.

-spec vertex(graph(), vertex()) -> {vertex(), label()} | false.
vertex(G, V) ->
    case ets:lookup(G#digraph.vtab, V) of
        [Vertex] -> Vertex;
        [] -> false
    end.

-spec no_vertices(graph()) -> non_neg_integer().
no_vertices(G) -> ets:info(G#digraph.vtab, size).

-spec vertices(graph()) -> [vertex()].
vertices(G) -> ets:select(G#digraph.vtab, [{{'$1', '_'}, [], ['$1']}]).

-spec source_vertices(graph()) -> [vertex()].
source_vertices(G) -> vertices_without(in, G).

-spec sink_vertices(graph()) -> [vertex()].
sink_vertices(G) -> vertices_without(out, G).

vertices_without(Direction, G) ->
    lists:reverse([V || V <- vertices(G), not ets:member(G#digraph.ntab, {Direction, V})]).

%% ---- edges ----

-spec add_edge(graph(), vertex(), vertex()) -> edge() | {error, term()}.
add_edge(G, V1, V2) -> add_edge(G, new_name(G, '$eid', '$e'), V1, V2, []).

-spec add_edge(graph(), vertex(), vertex(), label()) -> edge() | {error, term()}.
add_edge(G, V1, V2, Label) -> add_edge(G, new_name(G, '$eid', '$e'), V1, V2, Label).

-spec add_edge(graph(), edge(), vertex(), vertex(), label()) -> edge() | {error, term()}.
add_edge(G, E, V1, V2, Label) ->
    case edge_problem(G, E, V1, V2) of
        none ->
            ets:insert(G#digraph.ntab, [{{out, V1}, E}, {{in, V2}, E}]),
            ets:insert(G#digraph.etab, {E, V1, V2, Label}),
            E;
        Problem -> {error, Problem}
    end.

edge_problem(G, E, V1, V2) ->
    case [V || V <- [V1, V2], not ets:member(G#digraph.vtab, V)] of
        [V | _] -> {bad_vertex, V};
        [] ->
            case ets:lookup(G#digraph.etab, E) of
                [{_, From, To, _}] when From =/= V1; To =/= V2 -> {bad_edge, [V1, V2]};
                _ when G#digraph.cyclic -> none;
                _ when V1 =:= V2 -> {bad_edge, [V1, V2]};
                _ ->
                    case get_path(G, V2, V1) of
                        false -> none;
                        Path -> {bad_edge, Path}
                    end
            end
    end.

-spec del_edge(graph(), edge()) -> true.
del_edge(G, E) -> del_edges(G, [E]).

-spec del_edges(graph(), [edge()]) -> true.
del_edges(G, [E | Es]) ->
    case ets:lookup(G#digraph.etab, E) of
        [{_, V1, V2, _}] ->
            ets:delete_object(G#digraph.ntab, {{in, V2}, E}),
            ets:delete_object(G#digraph.ntab, {{out, V1}, E}),
            ets:delete(G#digraph.etab, E);
        [] -> ok
    end,
    del_edges(G, Es);
del_edges(#digraph{}, []) -> true.

-spec edge(graph(), edge()) -> {edge(), vertex(), vertex(), label()} | false.
edge(G, E) ->
    case ets:lookup(G#digraph.etab, E) of
        [Edge] -> Edge;
        [] -> false
    end.

-spec no_edges(graph()) -> non_neg_integer().
no_edges(G) -> ets:info(G#digraph.etab, size).

-spec edges(graph()) -> [edge()].
edges(G) -> ets:select(G#digraph.etab, [{{'$1', '_', '_', '_'}, [], ['$1']}]).

%% An edge from a vertex to itself is there twice.
-spec edges(graph(), vertex()) -> [edge()].
edges(G, V) -> out_edges(G, V) ++ in_edges(G, V).

-spec in_edges(graph(), vertex()) -> [edge()].
in_edges(G, V) -> [E || {_, E} <- ets:lookup(G#digraph.ntab, {in, V})].

-spec out_edges(graph(), vertex()) -> [edge()].
out_edges(G, V) -> [E || {_, E} <- ets:lookup(G#digraph.ntab, {out, V})].

-spec in_degree(graph(), vertex()) -> non_neg_integer().
in_degree(G, V) -> length(ets:lookup(G#digraph.ntab, {in, V})).

-spec out_degree(graph(), vertex()) -> non_neg_integer().
out_degree(G, V) -> length(ets:lookup(G#digraph.ntab, {out, V})).

%% The neighbour added last comes first.
-spec in_neighbours(graph(), vertex()) -> [vertex()].
in_neighbours(G, V) ->
    lists:reverse([ets:lookup_element(G#digraph.etab, E, 2) || E <- in_edges(G, V)]).

-spec out_neighbours(graph(), vertex()) -> [vertex()].
out_neighbours(G, V) ->
    lists:reverse([ets:lookup_element(G#digraph.etab, E, 3) || E <- out_edges(G, V)]).

%% ---- paths ----

%% Depth first.
-spec get_path(graph(), vertex(), vertex()) -> [vertex(), ...] | false.
get_path(G, V1, V2) -> some_path(G, V1, V2, 1).

-spec get_cycle(graph(), vertex()) -> [vertex(), ...] | false.
get_cycle(G, V) ->
    case some_path(G, V, V, 2) of
        false ->
            case lists:member(V, out_neighbours(G, V)) of
                true -> [V];
                false -> false
            end;
        Cycle -> Cycle
    end.

some_path(G, From, To, MinLength) ->
    case path_from(out_neighbours(G, From), To, 1, MinLength, #{From => []}, [From], G) of
        {path, Path} -> lists:reverse(Path);
        {none, _Seen} -> false
    end.

%% Looks for a way from one of Vs to the vertex To that is at least MinLength edges long; Path, of Length - 1
%% edges, leads to Vs.
path_from([To | Vs], To, Length, MinLength, Seen, Path, G) ->
    if
        Length >= MinLength -> {path, [To | Path]};
        true -> path_from(Vs, To, Length, MinLength, Seen, Path, G)
    end;
path_from([V | Vs], To, Length, MinLength, Seen, Path, G) when is_map_key(V, Seen) ->
    path_from(Vs, To, Length, MinLength, Seen, Path, G);
path_from([V | Vs], To, Length, MinLength, Seen, Path, G) ->
    case path_from(out_neighbours(G, V), To, Length + 1, MinLength, Seen#{V => []}, [V | Path], G) of
        {path, _} = Found -> Found;
        {none, Seen1} -> path_from(Vs, To, Length, MinLength, Seen1, Path, G)
    end;
path_from([], _To, _Length, _MinLength, Seen, _Path, _G) -> {none, Seen}.

%% Breadth first.
-spec get_short_path(graph(), vertex(), vertex()) -> [vertex(), ...] | false.
get_short_path(G, V1, V2) ->
    short_path(queue:from_list(out_edges(G, V1)), V2, #{V1 => start}, G).

-spec get_short_cycle(graph(), vertex()) -> [vertex(), ...] | false.
get_short_cycle(G, V) -> get_short_path(G, V, V).

%% Origins has the vertex from which each vertex was reached first.
short_path(Queue, To, Origins, G) ->
    case queue:out(Queue) of
        {{value, E}, Queue1} ->
            case edge(G, E) of
                {_, From, To, _} -> way_to(From, Origins, [To]);
                {_, _, V, _} when is_map_key(V, Origins) -> short_path(Queue1, To, Origins, G);
                {_, From, V, _} ->
                    Queue2 = lists:foldl(fun queue:in/2, Queue1, out_edges(G, V)),
                    short_path(Queue2, To, Origins#{V => {from, From}}, G)
            end;
        {empty, _} -> false
    end.

way_to(V, Origins, Path) ->
    case Origins of
        #{V := start} -> [V | Path];
        #{V := {from, From}} -> way_to(From, Origins, [V | Path])
    end.

%% Deletes edges until there is no path left.
-spec del_path(graph(), vertex(), vertex()) -> true.
del_path(G, V1, V2) ->
    case get_path(G, V1, V2) of
        false -> true;
        Path ->
            cut(Path, G),
            del_path(G, V1, V2)
    end.

cut([V1 | [V2 | _] = Path], G) ->
    del_edges(G, [E || E <- out_edges(G, V1), element(3, edge(G, E)) =:= V2]),
    cut(Path, G);
cut([_], _G) -> true.
