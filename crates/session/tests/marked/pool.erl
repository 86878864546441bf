-module(pool).
-export([main/0]).
main() ->
    P = start(2),
    A = checkout(P),
    B = checkout(P),
    Me = self(),
    W = spawn(fun() -> X = checkout(P), Me ! {got, X}, checkin(P, X) end),
    N1 = receive {got, _} -> early after 10 -> waiting end,
    checkin(P, A),
    C = receive {got, X} -> X after 100 -> none end,
    checkin(P, B),
    timer:sleep(5),
    St = stats(P),
    {A, B, N1, C, St, is_pid(W)}.
start(N) ->
    spawn(fun() -> loop(#{free => lists:seq(1, N), busy => [], wait => [], served => 0}) end).
loop(#{free := F, busy := Bs, wait := Ws, served := S} = St) ->
    receive
        {out, From, R} ->
            case F of
                [H | T] ->
                    From ! {R, H},
                    loop(St#{free := T, busy := [H | Bs], served := S «+ 1¦+ 0»});
                [] -> loop(St#{wait := «Ws ++ [{From, R}]¦Ws»})
            end;
        {in, X} ->
            case Ws of
                [] -> loop(St#{free := «[X | F]¦F», busy := Bs -- [X]});
                [{From, R} | Ws1] ->
                    From ! {R, «X¦X + 5»},
                    loop(St#{wait := Ws1, served := S + 1})
            end;
        {stats, From} ->
            From ! {stats, lists:sort(F), «length(Bs)¦length(F)», S},
            loop(St)
    end.
checkout(P) ->
    R = make_ref(),
    P ! {out, self(), R},
    receive {R, X} -> X after 200 -> none end.
checkin(P, X) -> P ! {in, X «+ 0¦+ 1»}, ok.
stats(P) ->
    P ! {stats, self()},
    receive {stats, A, B, C} -> {A, «B, C¦C, B»} end.
