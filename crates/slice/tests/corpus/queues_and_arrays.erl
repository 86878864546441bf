%% Queues, arrays and sets.
%% inputs: serve(list(int), int), places(int, int), folded(list(int)), ends(int, int)
-module(queues_and_arrays).
-export([serve/2, places/2, folded/1, ends/2]).

serve(L, N) ->
    Q = lists:foldl(fun(X, Q) -> queue:in({X, N}, Q) end, queue:new(), L),
    Length = queue:len(Q),
    {First, Rest} = take(Q, none),
    {First, queue:is_empty(Rest), Length}.

take(Q, Default) ->
    case queue:out(Q) of
        {{value, {X, _}}, Q2} -> {X, Q2};
        {empty, Q2} -> {Default, Q2}
    end.

ends(A, B) ->
    Q1 = queue:in_r(A, queue:from_list([B, A + B])),
    Head = queue:get(Q1),
    Last = queue:get_r(Q1),
    {{value, X}, Q2} = queue:out_r(Q1),
    Q3 = queue:join(Q2, queue:reverse(Q2)),
    Big = queue:filter(fun(Y) -> Y > 0 end, Q3),
    {Head, Last, X, queue:to_list(Big), queue:peek(queue:drop(Q1))}.

places(I, V) ->
    A1 = array:set(0, V, array:new()),
    A2 = array:set(1, I, A1),
    A3 = array:set(abs(I) rem 4 + 2, V * 2, A2),
    Zero = array:get(0, A3),
    One = array:get(1, A3),
    Sum = array:foldl(fun(_, undefined, Acc) -> Acc; (_, X, Acc) -> X + Acc end, 0, A3),
    Named = array:map(fun(Index, X) -> {Index, X} end, array:from_list([I, V])),
    {0, Same} = array:get(0, Named),
    {Zero, One, Sum, Same, array:size(A3)}.

folded(L) ->
    S = sets:from_list(L),
    Sum = sets:fold(fun(X, Acc) -> X + Acc end, 0, S),
    Odd = ordsets:filter(fun(X) -> X rem 2 =/= 0 end, ordsets:from_list(L)),
    Product = gb_sets:fold(fun(X, Acc) -> X * Acc end, 1, gb_sets:from_list(Odd)),
    {Sum, Odd, Product}.
