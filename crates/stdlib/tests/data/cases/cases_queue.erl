-module(cases_queue).
-export([cases/0, scripts/0]).

-import(arb, [list/1, list/2, key/0, pred/0, int/0, nat/0, function/2, const/1, elements/1, freq/1]).

cases() ->
    Q = fun queue/0,
    [{all, [pred(), Q]}, {any, [pred(), Q]}, {cons, [key(), Q]}, {daeh, [Q]}, {delete, [key(), Q]},
     {delete_r, [key(), Q]}, {delete_with, [pred(), Q]}, {delete_with_r, [pred(), Q]}, {drop, [Q]},
     {drop_r, [Q]}, {filter, [pred(), Q]}, {filter, [function(1, elements([true, false, [], [a], [a, b]])), Q]},
     {filter, [function(1, key()), Q]}, {filtermap, [function(1, elements([true, false, {true, a}])), Q]},
     {fold, [const(fun(E, A) -> [E | A] end), const([]), Q]}, {from_list, [list(key())]}, {get, [Q]},
     {get_r, [Q]}, {head, [Q]}, {in, [key(), Q]}, {in_r, [key(), Q]}, {init, [Q]}, {is_empty, [Q]},
     {is_queue, [Q]}, {join, [Q, Q]}, {lait, [Q]}, {last, [Q]}, {len, [Q]}, {liat, [Q]},
     {member, [key(), Q]}, {new, []}, {out, [Q]}, {out_r, [Q]}, {peek, [Q]}, {peek_r, [Q]},
     {reverse, [Q]}, {snoc, [Q, key()]}, {split, [nat(), Q]}, {tail, [Q]}, {to_list, [Q]}].

%% Well-formed queues of all shapes, and some that only OTP's old versions made.
queue() ->
    case rand:uniform(10) of
        1 -> {(list(key(), 4))(), (list(key(), 4))()};
        _ -> lists:foldl(fun(_, Q) -> step(Q, queue) end, queue:from_list((list(key(), 5))()), lists:seq(1, rand:uniform(8)))
    end.

step(Q, M) ->
    case rand:uniform(9) of
        1 -> M:in(rand:uniform(9), Q);
        2 -> M:in_r(rand:uniform(9), Q);
        3 -> element(2, M:out(Q));
        4 -> element(2, M:out_r(Q));
        5 -> M:reverse(Q);
        6 -> M:join(Q, M:from_list([a, b, c]));
        7 -> element(rand:uniform(2), M:split(M:len(Q) div 2, Q));
        8 -> M:filter(fun(X) -> erlang:phash2(X, 3) > 0 end, Q);
        9 -> M:in(x, M:in(y, Q))
    end.

scripts() ->
    [{"operations in sequence", 300, fun(Lib) ->
         M = Lib(queue),
         {_, Qs} = lists:mapfoldl(fun(_, Q) -> Q1 = step(Q, M), {Q1, Q1} end, M:new(), lists:seq(1, 30)),
         Qs
     end}].
