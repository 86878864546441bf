-module(graph).
%% Paths in a graph.
-export([main/3]).
-spec main([{1..6, 1..6}], 1..6, 1..6) -> term().
main([], A, A) -> alone;
main([], _, _) -> no_edges;
main(Edges, A, B) ->
    case walk([A], Edges, B, [A]) of
        {found, N} when N >= 4 -> far;
        {found, 1} when A =:= B -> here;
        {found, 2} -> neighbours;
        {found, _} -> near;
        none -> loops(Edges)
    end.

walk(_, _, B, [B | _] = Path) -> {found, length(Path)};
walk(Seen, Edges, B, [At | _] = Path) ->
    case [To || {From, To} <- Edges, From =:= At, not lists:member(To, Seen)] of
        [] -> none;
        Next -> first([walk([N | Seen], Edges, B, [N | Path]) || N <- lists:usort(Next)])
    end.

first([none | T]) -> first(T);
first([Found | _]) -> Found;
first([]) -> none.

loops(Edges) ->
    case [A || {A, A} <- Edges] of
        [_, _ | _] -> loops;
        [_] -> loop;
        [] -> unreachable
    end.
