%% Selective receive: priorities, references, time-outs.
%% inputs: priority(list({one(high; low), int})), flush(list(int)), wait(nat), refs(int, int), nested(int), after_zero(any), ordered(list(int))
-module(selective_timeouts).
-export([priority/1, flush/1, wait/1, refs/2, nested/1, after_zero/1, ordered/1]).

priority(L) ->
    [self() ! M || M <- L],
    Order = drain([]),
    Sum = lists:sum([N || {low, N} <- Order]),
    {Order, Sum}.

drain(Acc) ->
    receive {high, N} -> drain([{high, N} | Acc])
    after 0 ->
        receive {low, N} -> drain([{low, N} | Acc])
        after 0 -> lists:reverse(Acc)
        end
    end.

flush(L) ->
    [self() ! {item, X} || X <- L],
    self() ! stop,
    N = count(0),
    Left = receive {item, _} -> some after 0 -> none end,
    {N, Left}.

count(N) ->
    receive
        stop -> N;
        {item, X} when X > 2 -> count(N + 1)
    end.

wait(T) ->
    Me = self(),
    spawn(fun() -> receive after T rem 7 -> Me ! {late, T} end end),
    R = receive {late, X} -> {got, X} after 3 -> timeout end,
    S = receive {late, Y} -> Y after 10 -> nothing end,
    {R, S}.

refs(A, B) ->
    R1 = make_ref(), R2 = make_ref(),
    self() ! {R1, A}, self() ! {R2, B}, self() ! {R1, A + B},
    X = receive {R2, V} -> V end,
    Y = receive {R1, W} -> W end,
    Z = receive {R1, U} -> U end,
    {X, Y, Z}.

nested(N) ->
    self() ! {a, N}, self() ! {b, N + 1}, self() ! {c, N + 2},
    R = receive
        {b, B} ->
            receive
                {c, C} when C > B -> {B, C};
                {c, C} -> C
            after 0 -> none
            end
    end,
    A = receive {a, V} -> V end,
    {R, A}.

after_zero(X) ->
    case X of
        [_ | _] -> self() ! {m, hd(X)};
        _ -> ok
    end,
    T = if is_atom(X) -> 5; true -> 0 end,
    R = receive {m, V} -> V after T -> {none, T} end,
    R.

ordered(L) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), X * 2} end) || X <- L],
    Rs = [receive {P, V} -> V end || P <- lists:reverse(Pids)],
    Last = case Rs of [] -> none; [F | _] -> F end,
    {Rs, Last}.
