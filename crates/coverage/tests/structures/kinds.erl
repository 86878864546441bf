%% One pair of each kind of structure that happens, and beside it one that the analysis must expect and that does not.
-module(kinds).
-export([main/0]).

-record(r, {a, b = 0, c}).

main() ->
    X = id(1),
    Y = id(2),
    {A, _} = pair(X, Y, yes),
    [H, _ | T] = list(X, Y, [A]),
    #{k := V} = map(X, Y, id(k)),
    #r{a = RA, c = RC} = updated(#r{a = X, c = Y}, A),
    #{k := Kept, n := New} = put_in(#{k => X, n => Y}, H),
    self() ! {got, V},
    Got = receive {got, G} -> G end,
    L = [P || {P, _} <- [{X, 1}, {Y, 2}]],
    {M, N} = (fun({E, F}) -> {F, E} end)({X, Y}),
    {A, H, T, RA, RC, Kept, New, Got, L, M, N}.

id(X) -> X.

pair(X, Y, yes) -> {X, Y};
pair(X, Y, no) -> {Y, X}.

list(X, Y, Rest) ->
    case X < Y of
        true -> [X, Y | Rest];
        false -> [Y, X]
    end.

map(X, Y, Key) ->
    case Key of
        k -> #{k => X, Key => Y};
        other -> #{k => Y}
    end.

updated(R, A) when A > 5 -> R#r{a = A};
updated(R, A) -> R#r{b = A}.

put_in(Map, H) when H > 5 -> Map#{k => H};
put_in(Map, H) -> Map#{n := H}.
