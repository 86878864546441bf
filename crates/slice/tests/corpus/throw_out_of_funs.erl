%% Exceptions out of funs, through try with of, after and several classes.
%% inputs: find(list(int), int), cleanup(list(int)), nested(int, int), reraise(any), after_value(int), classes(int), loop_throw(nat)
-module(throw_out_of_funs).
-export([find/2, cleanup/1, nested/2, reraise/1, after_value/1, classes/1, loop_throw/1]).

find(L, K) ->
    R = try lists:foldl(fun(X, I) when X =:= K -> throw({found, I, X}); (_, I) -> I + 1 end, 0, L) of
        N -> {none, N}
    catch
        throw:{found, At, Val} -> {At, Val}
    after
        put(done, K)
    end,
    Done = get(done),
    {R, Done}.

cleanup(L) ->
    put(open, []),
    R = (catch lists:foreach(fun(X) -> use(X) end, L)),
    Left = get(open),
    Ok = R =:= ok,
    {Ok, Left}.

use(X) ->
    put(open, [X | get(open)]),
    try check(X) after put(open, tl(get(open))) end.

check(X) when X < 0 -> error({negative, X});
check(X) when X > 8 -> put(open, [big | get(open)]), throw(big);
check(X) -> X.

nested(A, B) ->
    R = try
        try A div B of
            0 -> throw(zero);
            Q when Q > 3 -> exit({large, Q});
            Q -> Q + 1
        catch
            error:badarith -> inner;
            throw:zero -> throw({again, A})
        end
    catch
        throw:{again, X} -> X;
        exit:{large, Y} -> -Y
    end,
    S = R,
    S.

reraise(X) ->
    F = fun() -> try work(X) catch error:R:St -> erlang:raise(exit, {wrapped, R}, St) end end,
    {C, V} = try {value, F()} catch Class:Reason -> {Class, Reason} end,
    {C, V}.

work([]) -> empty;
work(L) when is_list(L) -> hd(L);
work(N) when is_integer(N) -> 100 div N;
work(T) -> element(2, T).

after_value(N) ->
    R = try
        case N of
            1 -> throw(one);
            2 -> error(two);
            _ -> N
        end
    of
        5 -> five;
        M -> M * 2
    catch
        throw:T -> T
    after
        io:put_chars("")
    end,
    R.

classes(N) ->
    R = try raise(N) catch
        throw:A -> {t, A};
        error:{b, B} -> {e, B};
        error:badarg -> bad;
        exit:C -> {x, C}
    end,
    case R of
        {_, V} -> V;
        Other -> Other
    end.

raise(N) when N > 6 -> throw(N);
raise(N) when N > 4 -> error({b, N + 1});
raise(N) when N > 2 -> exit(N + 2);
raise(N) when N > 0 -> list_to_atom(N);
raise(N) -> {fine, N}.

loop_throw(N) ->
    K = N rem 6,
    Walk = fun W(I, Acc) -> if I > K -> throw(lists:reverse(Acc)); true -> W(I + 1, [I * I | Acc]) end end,
    L = try Walk(0, []) catch throw:Acc -> Acc end,
    Sum = lists:sum(L),
    {L, Sum}.
