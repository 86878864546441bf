%% Breadth-first search in a graph of adjacency lists.
%% inputs: path(one(a; b; e), one(d; f; z)), reach(one(a; d; f))
-module(shortest_path).
-export([path/2, reach/1]).

graph() ->
    #{a => [b, c], b => [d], c => [d, e], d => [f], e => [f], f => []}.

path(From, To) ->
    Graph = graph(),
    case bfs([{From, [From]}], To, Graph, [From]) of
        none -> {no_path, From};
        Path ->
            Steps = length(Path) - 1,
            {Steps, Path}
    end.

bfs([], _, _, _) -> none;
bfs([{To, Path} | _], To, _, _) -> lists:reverse(Path);
bfs([{N, Path} | Queue], To, Graph, Seen) ->
    Next = [M || M <- maps:get(N, Graph, []), not lists:member(M, Seen)],
    Entries = [{M, [M | Path]} || M <- Next],
    bfs(Queue ++ Entries, To, Graph, Next ++ Seen).

reach(From) ->
    Graph = graph(),
    Reached = closure([From], [], Graph),
    Sorted = lists:sort(Reached),
    Degree = length(maps:get(From, Graph)),
    {Sorted, Degree}.

closure([], Seen, _) -> Seen;
closure([N | Ns], Seen, Graph) ->
    case lists:member(N, Seen) of
        true -> closure(Ns, Seen, Graph);
        false -> closure(maps:get(N, Graph) ++ Ns, [N | Seen], Graph)
    end.
