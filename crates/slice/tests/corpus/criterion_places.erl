%% Variables in unusual places: guards, sizes, map keys, filters, receive patterns, fun heads.
%% inputs: guards(int, int), sizes(binary, nat), keys(atom, int), inside(list(int)), mail(int)
-module(criterion_places).
-export([guards/2, sizes/2, keys/2, inside/1, mail/1]).

guards(X, Y) when X > Y -> left;
guards(X, Y) when Y - X > 2, X + Y =/= 0 ->
    D = Y - X,
    {right, D};
guards(X, Y) when (X == Y) orelse (X + 1 == Y) -> near;
guards(_, _) -> far.

sizes(Bin, N) ->
    Skip = N rem 3,
    case Bin of
        <<_:Skip/binary, A, _/binary>> when A > Skip -> {a, A};
        <<_:Skip/binary, B/binary>> -> {b, byte_size(B)};
        _ -> short
    end.

keys(K, V) ->
    M = #{K => V, fixed => K},
    #{K := W} = M,
    #{fixed := Key} = M,
    case M of
        #{Key := W2} when W2 =:= W -> {same, W2};
        _ -> different
    end.

inside(L) ->
    Limit = length(L),
    F = fun(X) when X > Limit -> {above, X - Limit};
           (X) -> {below, X}
        end,
    [T || X <- L, {T, N} <- [F(X)], N > 0].

mail(N) ->
    self() ! {n, N},
    self() ! {m, N + 1},
    Want = N + 1,
    receive
        {m, Want} -> got_m;
        {m, Other} -> {other, Other}
    end,
    receive
        {n, X} when X =:= N -> X
    end.
